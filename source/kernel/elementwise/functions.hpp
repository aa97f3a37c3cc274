// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>

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

/// The bounds of min(max(x, least), most), which keeps NaN.
struct ActivationBounds {
  float least = -std::numeric_limits<float>::infinity();
  float most = std::numeric_limits<float>::infinity();
};

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

/// A unary function with its parameters, as a step behind another kernel; none by default.
struct Activation {
  const UnaryFunction* function = nullptr;
  std::array<double, 3> parameters{};

  /// The bounds to which the function comes down where it only limits (ReLU, clamp, or none); nothing otherwise.
  std::optional<ActivationBounds> Bounds() const {
    if (function == nullptr) return ActivationBounds{};
    if (function->bounds == nullptr) return std::nullopt;
    return function->bounds(parameters.data());
  }

  /// Replaces `count` elements by the function's values. Nothing without a function.
  template <class T>
  void Apply(T* x, int64_t count) const {
    static_assert(std::is_floating_point_v<T>);
    if (function == nullptr) return;
    if constexpr (std::is_same_v<T, float>) {
      function->f32(x, x, count, parameters.data());
    } else {
      function->f64(x, x, count, parameters.data());
    }
  }

  /// Replaces the elements of `rows` rows of `count` elements, `pitch` elements apart, by the function's values.
  template <class T>
  void ApplyRows(T* x, int64_t rows, int64_t count, int64_t pitch) const {
    if (function == nullptr) return;
    if constexpr (std::is_same_v<T, float>) {
      if (function->f32_rows != nullptr) return function->f32_rows(x, rows, count, pitch);
    }
    for (int64_t row = 0; row < rows; ++row) Apply(x + row * pitch, count);
  }
};

/// The one table of each; null for an unknown name. Names are PyTorch's ("relu", "exp", "floor_divide"), and formulas
/// and expressions use them.
const UnaryFunction* FindUnary(const std::string& name);
const BinaryFunction* FindBinary(const std::string& name);
/// The function of a name for complex numbers; null for an unknown name.
const UnaryFunction* FindComplexUnary(const std::string& name);
const BinaryFunction* FindComplexBinary(const std::string& name);

}  // namespace kuiper_infer::kernel
