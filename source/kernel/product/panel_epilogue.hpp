// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

#include "kernel/product/product_kernel.hpp"
#include "kernel/product/tile_epilogue.hpp"

namespace kuiper_infer::kernel {

/// The epilogue of a product in the columns of one panel. The depth is multiplied in parts: the first part adds bias
/// and residual, each further part adds to the results written so far, and the last part applies the activation.
class PanelEpilogue {
 public:
  /// `column` is the first column of the task's panel, `width` the number of columns of a panel.
  PanelEpilogue(const PanelTask& task, int64_t column, int64_t width)
      : product_(task.product),
        column_(column),
        columns_(std::min(task.product.columns - column, width)),
        first_part_(task.first_part),
        last_part_(task.last_part) {
    if (bounds_ && last_part_) {
      least_ = static_cast<float>(bounds_->least);
      most_ = static_cast<float>(bounds_->most);
    }
  }

  /// To be called by kernels whose tiles apply functions: leaves functions to them for which AppliesToFloats is true.
  void LetTilesApplyFunctions() {
    if (last_part_) function_ = product_.epilogue.activation.InFloatTile();
  }

  /// The epilogue of the tile that begins with row `row`. If results are not float32, `c` is null, and the kernel has
  /// to say where the tile writes (Into).
  TileEpilogue From(int64_t row) const {
    const ProductMatrix<void*>& c = product_.c;
    const bool floats = c.type == RuntimeDataType::kTypeFloat32;
    return Into(floats ? static_cast<float*>(c.data) + row * c.ld + column_ : nullptr, c.ld, row);
  }

  /// The epilogue of the tile that begins with row `row` and writes to `c`, in rows ldc apart, instead of the product's
  /// result. If the residual is not float32, the kernel has to add it.
  TileEpilogue Into(float* c, int64_t ldc, int64_t row) const {
    const Epilogue& epilogue = product_.epilogue;
    const ProductMatrix<const void*>& added = epilogue.residual;
    const float* residual = nullptr;
    if (added.data != nullptr && added.type == RuntimeDataType::kTypeFloat32) {
      residual = static_cast<const float*>(added.data) + row * added.ld + column_;
    }
    return {c,
            ldc,
            columns_,
            first_part_ && epilogue.bias != nullptr ? epilogue.bias + column_ : nullptr,
            first_part_ ? residual : c,
            first_part_ ? added.ld : product_.c.ld,
            least_,
            most_,
            function_};
  }

  /// Whether the tile does the whole epilogue.
  bool Finished() const { return !last_part_ || bounds_.has_value() || function_ != TileFunction::kNone; }

  /// Applies the activation to a tile's results if the tile couldn't: functions that don't just limit.
  void Finish(const TileEpilogue& result, int64_t rows) const {
    if (!Finished()) product_.epilogue.activation.ApplyRows(result.c, rows, result.columns, result.ldc);
  }

 private:
  const Product& product_;
  int64_t column_;
  int64_t columns_;
  bool first_part_;
  bool last_part_;
  std::optional<ActivationBounds> bounds_ = product_.epilogue.activation.Bounds();
  float least_ = -std::numeric_limits<float>::infinity();
  float most_ = std::numeric_limits<float>::infinity();
  TileFunction function_ = TileFunction::kNone;
};

}  // namespace kuiper_infer::kernel
