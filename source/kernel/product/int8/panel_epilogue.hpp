// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "kernel/product/int8/panels.hpp"
#include "kernel/product/int8/tile_epilogue.hpp"
#include "kernel/product/product.hpp"

namespace kuiper_infer::kernel {

/// The epilogue of one panel of an int8 product: what its sums begin with, and how they become results. At() gives the
/// epilogue of the tile that begins at a row.
class Int8PanelEpilogue {
 public:
  /// `offset` is what the kernel subtracts from each byte of the rows (Int8Tiles::offset).
  Int8PanelEpilogue(const Product& product, int64_t panel, int32_t offset)
      : Int8PanelEpilogue(product, panel, offset, Int8PanelEnd(product, panel)) {}

  /// For a weight whose column sums are not stored behind its panels: `column_sums` are those of this panel.
  Int8PanelEpilogue(const Product& product, int64_t panel, int32_t offset, const int8_t* column_sums);

  /// Prefetches what the constructor reads of a panel.
  static void Prefetch(const Product& product, int64_t panel);

  /// What each column's sum begins with: a term that makes up for the zero point and the offset of the rows' bytes.
  const int32_t* starts() const { return starts_; }

  /// Whether the results are bytes that are computed in units of their scale, and the columns are a multiple of
  /// `columns`.
  bool GivesPlainBytes(int64_t columns) const { return result_.in_steps && result_.columns % columns == 0; }

  /// The epilogue of the rows from `row` on: where they are written, and which residual is added.
  Int8TileEpilogue At(int64_t row) const {
    Int8TileEpilogue result = result_;
    const ProductMatrix<const void*>& added = p_.epilogue.residual;
    const int64_t offset = row * added.ld + column_;
    if (added.data != nullptr && AddsBytes()) {
      result.residual_bytes = static_cast<const uint8_t*>(added.data) + offset;
    } else if (added.data != nullptr) {
      result.residual = static_cast<const float*>(added.data) + offset;
    }
    const int64_t place = row * p_.c.ld + column_;
    if (p_.c.type == RuntimeDataType::kTypeFloat32) {
      result.c = static_cast<float*>(p_.c.data) + place;
    } else {
      result.c_bytes = static_cast<uint8_t*>(p_.c.data) + place;
    }
    return result;
  }

  /// Writes what `rows` rows from `row` on, at most kMostInt8Height, have come to.
  void Write(int64_t row, int64_t rows, const int32_t* sums) const {
    Int8TileEpilogue result = At(row);
    const bool in_tile = bounds_ || result.function != TileFunction::kNone;
    if (result.c == nullptr && !in_tile) return WriteActivated(result, rows, sums);
    WriteInt8Sums(result, rows, sums, width_);
    if (result.c != nullptr && !bounds_) p_.epilogue.activation.ApplyRows(result.c, rows, result.columns, p_.c.ld);
  }

 private:
  /// Has the bytes counted in steps where they need neither bounds of their own, nor a function, nor a residual of
  /// floats, and where the steps fit 32 bits before they are limited, whatever the sums.
  void CountSteps();

  bool AddsBytes() const { return p_.epilogue.residual.type == RuntimeDataType::kTypeUInt8; }

  /// Whether all numbers of the result's grid lie within the bounds, as those with zero point 0 do in a ReLU's.
  bool GridKeeps(const ActivationBounds& bounds) const {
    const auto number = [&](int32_t q) { return static_cast<float>(q - p_.c.grid.zero_point) * p_.c.grid.scale; };
    return p_.c.type == RuntimeDataType::kTypeUInt8 && bounds.least <= number(p_.c.grid.least) &&
           number(p_.c.grid.most) <= bounds.most;
  }

  /// Writes bytes by way of floats.
  void WriteActivated(Int8TileEpilogue& result, int64_t rows, const int32_t* sums) const {
    float floats[kMostInt8Height * kInt8Columns];
    uint8_t* const c = result.c_bytes;
    result.c = floats;
    result.ldc = kInt8Columns;
    WriteInt8Sums(result, rows, sums, width_);
    p_.epilogue.activation.ApplyRows(floats, rows, result.columns, kInt8Columns);
    for (int64_t r = 0; r < rows; ++r) {
      RoundToBytes(p_.c.grid, result.columns, floats + r * kInt8Columns, c + r * p_.c.ld);
    }
  }

  const Product& p_;
  int64_t column_;
  int64_t width_;
  std::optional<ActivationBounds> bounds_ = p_.epilogue.activation.Bounds();
  alignas(kCacheLine) int32_t starts_[kInt8Columns];
  alignas(kCacheLine) float multipliers_[kInt8Columns] = {};
  alignas(kCacheLine) float biases_[kInt8Columns] = {};
  Int8TileEpilogue result_;
};

}  // namespace kuiper_infer::kernel
