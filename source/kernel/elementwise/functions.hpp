// SPDX-License-Identifier: MIT
#pragma once

#include <complex>
#include <cstdint>
#include <string>

#include "kernel/elementwise/activation.hpp"

namespace kuiper_infer::kernel {

/// The type of a function's results on integers and bools. On floating types a function gives the same type;
/// comparisons always give bool.
enum class ResultKind {
  kSame,      ///< the operands' common type
  kFloating,  ///< the default floating type, in which integers are computed
  kBool,
  kReal,  ///< complex numbers give real ones
};

/// Element-wise functions work on blocks of contiguous elements in one of four types: float, double, int64_t, which
/// stands for all integers and bool, or std::complex<double>, which stands for all complex numbers. `y` may be `x`. `p`
/// are the function's own parameters (slope, bounds, ...).
template <class T>
using UnaryBlock = void (*)(const T* x, T* y, int64_t count, const double* p);
template <class T>
using BinaryBlock = void (*)(const T* a, const T* b, T* y, int64_t count);

struct UnaryFunction {
  const char* name;
  ResultKind result;
  UnaryBlock<float> f32;
  UnaryBlock<double> f64;
  UnaryBlock<int64_t> i64;  ///< null if integers become floating or make no sense
  UnaryBlock<std::complex<double>> c128 = nullptr;
  /// Set if the function only limits: its bounds for given parameters.
  ActivationBounds (*bounds)(const double* p) = nullptr;
  /// Set if there is a loop of its own for rows of floats: `rows` rows of `count` elements, `pitch` apart, in place.
  void (*f32_rows)(float* x, int64_t rows, int64_t count, int64_t pitch) = nullptr;
  /// The function as a product's epilogue applies it to sums in registers; kNone if epilogues don't have it.
  TileFunction in_tile = TileFunction::kNone;
  /// The number of parameters `p` that it reads. In formulas they follow the array, as in leaky_relu(x, 0.1).
  int parameters = 0;
};

struct BinaryFunction {
  const char* name;
  ResultKind result;
  BinaryBlock<float> f32;
  BinaryBlock<double> f64;
  BinaryBlock<int64_t> i64;
  BinaryBlock<std::complex<double>> c128 = nullptr;
};

/// The function of a name for real numbers; null for an unknown name. Names are PyTorch's ("relu", "exp",
/// "floor_divide"); formulas and expressions use them.
const UnaryFunction* FindUnary(const std::string& name);
const BinaryFunction* FindBinary(const std::string& name);
/// The function of a name for complex numbers; null for an unknown name.
const UnaryFunction* FindComplexUnary(const std::string& name);
const BinaryFunction* FindComplexBinary(const std::string& name);

}  // namespace kuiper_infer::kernel
