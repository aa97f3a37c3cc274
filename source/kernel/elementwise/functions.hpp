// SPDX-License-Identifier: MIT
#pragma once

#include <complex>
#include <cstdint>
#include <string>

#include "kernel/elementwise/activation.hpp"

namespace kuiper_infer::kernel {

/// What a function gives for integers and bools (floating types always give themselves, comparisons always bool).
enum class ResultKind {
  kSame,      ///< the operands' common type
  kFloating,  ///< integers are computed as the default floating type
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
  UnaryBlock<int64_t> i64;  ///< null where integers become floating or make no sense
  UnaryBlock<std::complex<double>> c128 = nullptr;
  /// Set where the function only limits: its bounds for the parameters.
  ActivationBounds (*bounds)(const double* p) = nullptr;
  /// Set where rows of floats have a loop of their own: `rows` rows of `count` elements, `pitch` apart, in place.
  void (*f32_rows)(float* x, int64_t rows, int64_t count, int64_t pitch) = nullptr;
  /// What computes it in registers.
  TileFunction in_tile = TileFunction::kNone;
  /// How many of `p` it reads: in formulas they stand behind the array, as in leaky_relu(x, 0.1).
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

/// The one table of each; null for an unknown name. Names are PyTorch's ("relu", "exp", "floor_divide"), and formulas
/// and expressions use them.
const UnaryFunction* FindUnary(const std::string& name);
const BinaryFunction* FindBinary(const std::string& name);
/// The function of a name for complex numbers; null for an unknown name.
const UnaryFunction* FindComplexUnary(const std::string& name);
const BinaryFunction* FindComplexBinary(const std::string& name);

}  // namespace kuiper_infer::kernel
