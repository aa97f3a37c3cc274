// SPDX-License-Identifier: MIT
#include "kernel/elementwise/activation.hpp"

#include "kernel/elementwise/functions.hpp"

namespace kuiper_infer::kernel {

std::optional<ActivationBounds> Activation::Bounds() const {
  if (function == nullptr) return ActivationBounds{};
  if (function->bounds == nullptr) return std::nullopt;
  return function->bounds(parameters.data());
}

TileFunction Activation::InByteTile() const { return function == nullptr ? TileFunction::kNone : function->in_tile; }

TileFunction Activation::InFloatTile() const {
  return AppliesToFloats(InByteTile()) ? InByteTile() : TileFunction::kNone;
}

void Activation::Apply(float* x, int64_t count) const {
  if (function != nullptr) function->f32(x, x, count, parameters.data());
}

void Activation::Apply(double* x, int64_t count) const {
  if (function != nullptr) function->f64(x, x, count, parameters.data());
}

void Activation::ApplyRows(float* x, int64_t rows, int64_t count, int64_t pitch) const {
  if (function == nullptr) return;
  if (function->f32_rows != nullptr) return function->f32_rows(x, rows, count, pitch);
  for (int64_t row = 0; row < rows; ++row) Apply(x + row * pitch, count);
}

void Activation::ApplyRows(double* x, int64_t rows, int64_t count, int64_t pitch) const {
  if (function == nullptr) return;
  for (int64_t row = 0; row < rows; ++row) Apply(x + row * pitch, count);
}

}  // namespace kuiper_infer::kernel
