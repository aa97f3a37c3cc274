// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

#include "kernel/product/weight_product.hpp"

namespace kuiper_infer::kernel {

/// What a tile of a product does to its sums, and where it writes them; pointers are to the tile's own corner.
struct TileResult {
  float* c = nullptr;
  int64_t ldc = 0;
  int64_t columns = 0;            ///< that are written: the last vector perhaps in part
  const float* bias = nullptr;    ///< or null
  const float* addend = nullptr;  ///< or null
  int64_t addend_ld = 0;
  float least = -std::numeric_limits<float>::infinity();  ///< results are limited to [least, most]
  float most = std::numeric_limits<float>::infinity();
  bool hardswish = false;  ///< results pass through it instead of the limits

  /// What is to be done in the columns [first, first + count), as far as there are so many.
  TileResult Columns(int64_t first, int64_t count) const {
    TileResult part = *this;
    part.c += first;
    part.columns = std::min(count, columns - first);
    if (bias != nullptr) part.bias += first;
    if (addend != nullptr) part.addend += first;
    return part;
  }

  /// Goes on to what is `rows` rows below.
  void Advance(int64_t rows) {
    c += rows * ldc;
    if (addend != nullptr) addend += rows * addend_ld;
  }
};

/// Results of the product in columns [column, column + columns), whose tiles cover one part of the depth after the
/// other: the first one adds bias and addend, those behind it add to what was written, the last one applies the
/// activation.
class TileResults {
 public:
  TileResults(const WeightProduct& product, int64_t column, int64_t columns, bool first_part, bool last_part)
      : product_(product), column_(column), columns_(columns), first_part_(first_part), last_part_(last_part) {
    if (bounds_ && last_part) {
      least_ = static_cast<float>(bounds_->least);
      most_ = static_cast<float>(bounds_->most);
    }
  }

  /// For tiles that know the hard swish: leaves it to them.
  void LetTilesApplyHardswish() { hardswish_ = last_part_ && product_.activation.InTile() == TileFunction::kHardswish; }

  /// The result of the tile that begins with that row.
  TileResult From(int64_t row) const {
    return Into(static_cast<float*>(product_.c) + row * product_.ldc + column_, product_.ldc, row);
  }

  /// The result of the tile that begins with that row, written to `c`, in rows ldc apart, instead of the product's.
  TileResult Into(float* c, int64_t ldc, int64_t row) const {
    const bool has_bias = first_part_ && product_.bias != nullptr;
    const bool adds = product_.addend != nullptr;
    const float* addend = adds ? product_.addend + row * product_.addend_ld + column_ : nullptr;
    return {c,
            ldc,
            columns_,
            has_bias ? product_.bias + column_ : nullptr,
            first_part_ ? addend : c,
            first_part_ ? product_.addend_ld : product_.ldc,
            least_,
            most_,
            hardswish_};
  }

  /// Whether the tile does all itself.
  bool Finished() const { return !last_part_ || bounds_.has_value() || hardswish_; }

  /// What the tile couldn't do itself: activations that don't just limit.
  void Finish(const TileResult& result, int64_t rows) const {
    if (!Finished()) product_.activation.ApplyRows(result.c, rows, result.columns, result.ldc);
  }

 private:
  const WeightProduct& product_;
  int64_t column_;
  int64_t columns_;
  bool first_part_;
  bool last_part_;
  std::optional<ActivationBounds> bounds_ = product_.activation.Bounds();
  float least_ = -std::numeric_limits<float>::infinity();
  float most_ = std::numeric_limits<float>::infinity();
  bool hardswish_ = false;
};

}  // namespace kuiper_infer::kernel
