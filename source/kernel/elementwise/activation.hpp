// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>

namespace kuiper_infer::kernel {

struct UnaryFunction;

/// The bounds of min(max(x, least), most), which keeps NaN. They are doubles like all parameters. A pair of floats
/// would be returned in one register by way of memory, which costs some 10 ns for each product.
struct ActivationBounds {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
};

/// Functions that an epilogue can apply to results in registers (tile_functions-inl.hpp has a row for each). Epilogues
/// that write bytes apply all of them. Epilogues that write float32 apply only functions with AppliesToFloats.
enum class TileFunction { kNone, kGelu, kSilu, kHardswish };

/// Whether epilogues that write float32 apply the function. The rest of the functions need more registers than the sums
/// of a float32 tile leave free.
constexpr bool AppliesToFloats(TileFunction function) { return function == TileFunction::kHardswish; }

/// A unary function with its parameters, applied to what another kernel wrote; none by default.
struct Activation {
  const UnaryFunction* function = nullptr;
  std::array<double, 3> parameters{};

  bool operator==(const Activation& other) const {
    return function == other.function && parameters == other.parameters;
  }

  /// The bounds, if the function only limits (ReLU, clamp) or there is no function; nothing for any other function.
  std::optional<ActivationBounds> Bounds() const;

  /// The function that epilogues apply to results that become bytes, or to float32 results; kNone if they can't.
  TileFunction InByteTile() const;
  TileFunction InFloatTile() const;

  /// Replaces `count` elements by the function's values. Does nothing without a function.
  void Apply(float* x, int64_t count) const;
  void Apply(double* x, int64_t count) const;

  /// Replaces the elements of `rows` rows of `count` elements, `pitch` elements apart, by the function's values.
  void ApplyRows(float* x, int64_t rows, int64_t count, int64_t pitch) const;
  void ApplyRows(double* x, int64_t rows, int64_t count, int64_t pitch) const;
};

}  // namespace kuiper_infer::kernel
