// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "kernel/product/int8_panel.hpp"
#include "kernel/product/int8_product.hpp"
#include "kernel/product/int8_result.hpp"

namespace kuiper_infer::kernel {

/// What becomes of the sums of one panel of a product, whatever the row.
class Int8PanelResult {
 public:
  Int8PanelResult(const Int8Product& product, int64_t panel) : p_(product), column_(panel * kInt8Columns) {
    width_ = Int8PanelVectors(p_.columns, panel) * kInt8Lanes;
    result_.columns = std::min(p_.columns - column_, width_);
    const auto* const sums =
        reinterpret_cast<const int32_t*>(Int8PanelAt(p_, panel) + width_ * 4 * Int8Quads(p_.depth, p_.segments));
    for (int64_t j = 0; j < width_; ++j) starts_[j] = -p_.a_grid.zero_point * sums[j];
    for (int64_t j = 0; j < result_.columns; ++j) multipliers_[j] = p_.a_grid.scale * p_.weight_scales[column_ + j];
    if (p_.bias != nullptr) std::copy_n(p_.bias + column_, result_.columns, biases_);
    result_.multipliers = multipliers_;
    result_.biases = biases_;
    result_.addend_ld = p_.addend_ld;
    result_.addend_grid = p_.addend_grid;
    if (bounds_) result_.bounds = *bounds_;
    result_.ldc = p_.ldc;
    result_.c_grid = p_.c_grid;
  }

  /// What the columns' sums begin with: the zero point's part.
  const int32_t* starts() const { return starts_; }

  /// Writes what `rows` rows from `row` on, at most kMostInt8Height, have come to.
  void Write(int64_t row, int64_t rows, const int32_t* sums) const {
    Int8Result result = result_;
    const int64_t addend = row * p_.addend_ld + column_;
    if (p_.addend != nullptr && p_.addend_type == RuntimeDataType::kTypeUInt8) {
      result.addend_bytes = static_cast<const uint8_t*>(p_.addend) + addend;
    } else if (p_.addend != nullptr) {
      result.addend = static_cast<const float*>(p_.addend) + addend;
    }
    const int64_t place = row * p_.ldc + column_;
    if (p_.c_type == RuntimeDataType::kTypeFloat32) {
      result.c = static_cast<float*>(p_.c) + place;
      WriteInt8Result(result, rows, sums, width_);
      if (!bounds_) p_.activation.ApplyRows(result.c, rows, result.columns, p_.ldc);
    } else if (bounds_) {
      result.c_bytes = static_cast<uint8_t*>(p_.c) + place;
      WriteInt8Result(result, rows, sums, width_);
    } else {
      WriteActivated(result, rows, sums, static_cast<uint8_t*>(p_.c) + place);
    }
  }

 private:
  /// Writes bytes by way of floats.
  void WriteActivated(Int8Result& result, int64_t rows, const int32_t* sums, uint8_t* c) const {
    float floats[kMostInt8Height * kInt8Columns];
    result.c = floats;
    result.ldc = kInt8Columns;
    WriteInt8Result(result, rows, sums, width_);
    p_.activation.ApplyRows(floats, rows, result.columns, kInt8Columns);
    for (int64_t r = 0; r < rows; ++r) {
      RoundToBytes(p_.c_grid, result.columns, floats + r * kInt8Columns, c + r * p_.ldc);
    }
  }

  const Int8Product& p_;
  int64_t column_;
  int64_t width_;
  std::optional<ActivationBounds> bounds_ = p_.activation.Bounds();
  int32_t starts_[kInt8Columns];
  float multipliers_[kInt8Columns] = {};
  float biases_[kInt8Columns] = {};
  Int8Result result_;
};

}  // namespace kuiper_infer::kernel
