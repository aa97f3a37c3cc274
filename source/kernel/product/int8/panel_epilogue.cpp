// SPDX-License-Identifier: MIT
#include "kernel/product/int8/panel_epilogue.hpp"

#include <algorithm>
#include <cmath>

namespace kuiper_infer::kernel {

Int8PanelEpilogue::Int8PanelEpilogue(const Product& product, int64_t panel, int32_t offset, const int8_t* column_sums)
    : p_(product), column_(panel * kInt8Columns) {
  width_ = Int8PanelVectors(p_.columns, panel) * kInt8Lanes;
  result_.columns = std::min(p_.columns - column_, width_);
  const auto* const sums = reinterpret_cast<const int32_t*>(column_sums);
  for (int64_t j = 0; j < width_; ++j) starts_[j] = (offset - p_.a.grid.zero_point) * sums[j];
  const float* const scales = p_.weight.ColumnScales() + column_;
  for (int64_t j = 0; j < result_.columns; ++j) multipliers_[j] = p_.a.grid.scale * scales[j];
  if (p_.epilogue.bias != nullptr) std::copy_n(p_.epilogue.bias + column_, result_.columns, biases_);
  result_.multipliers = multipliers_;
  result_.biases = biases_;
  result_.residual_ld = p_.epilogue.residual.ld;
  result_.residual_grid = p_.epilogue.residual.grid;
  const bool plain = bounds_ && GridKeeps(*bounds_);
  if (bounds_ && !plain) result_.bounds = *bounds_;
  result_.function = p_.epilogue.activation.InByteTile();
  result_.ldc = p_.c.ld;
  result_.c_grid = p_.c.grid;
  if (plain && (p_.epilogue.residual.data == nullptr || AddsBytes())) CountSteps();
}

void Int8PanelEpilogue::Prefetch(const Product& product, int64_t panel) {
  constexpr int64_t kLine = kCacheLine / sizeof(float);
  const int64_t column = panel * kInt8Columns;
  const auto* const sums = reinterpret_cast<const int32_t*>(Int8PanelEnd(product, panel));
  for (int64_t j = 0; j < std::min(product.columns - column, kInt8Columns); j += kLine) {
    __builtin_prefetch(sums + j);
    __builtin_prefetch(product.weight.ColumnScales() + column + j);
    if (product.epilogue.bias != nullptr) __builtin_prefetch(product.epilogue.bias + column + j);
  }
}

void Int8PanelEpilogue::CountSteps() {
  constexpr float kMostSum = 2147483648.0F;
  constexpr float kMostByte = 255;
  const float inverse = 1.0F / p_.c.grid.scale;
  const float residual_step = p_.epilogue.residual.data != nullptr ? p_.epilogue.residual.grid.scale * inverse : 0;
  const float residual_zero = static_cast<float>(p_.epilogue.residual.grid.zero_point) * residual_step;
  float multipliers[kInt8Columns];
  float biases[kInt8Columns];
  int fits = 1;
  for (int64_t j = 0; j < kInt8Columns; ++j) {
    multipliers[j] = multipliers_[j] * inverse;
    biases[j] = biases_[j] * inverse - residual_zero;
    const float most = kMostSum * multipliers[j] + std::abs(biases[j]) + kMostByte * residual_step;
    fits &= static_cast<int>(most < kMostSum / 2);  // not if one is no number
  }
  if (fits == 0) return;
  std::copy_n(multipliers, kInt8Columns, multipliers_);
  std::copy_n(biases, kInt8Columns, biases_);
  result_.in_steps = true;
  result_.residual_step = residual_step;
}

}  // namespace kuiper_infer::kernel
