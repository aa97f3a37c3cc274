// SPDX-License-Identifier: MIT
#include "kernel/product/weight_order.hpp"

#include <vector>

#include "kernel/product/packed_gemm.hpp"
#include "kernel/product/weight_product.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer::kernel {
namespace {

/// Calls visit(at, row_at) for the numbers of one group: their places there and in the order (outputs, taps, inputs).
template <class Visit>
void ForEachTapMajor(const WeightShape& shape, const Visit& visit) {
  for (int64_t o = 0; o < shape.outputs; ++o) {
    for (int64_t t = 0; t < shape.taps; ++t) {
      for (int64_t i = 0; i < shape.inputs; ++i) {
        visit((o * shape.inputs + i) * shape.taps + t, (o * shape.taps + t) * shape.inputs + i);
      }
    }
  }
}

int64_t PanelFloats(const WeightShape& shape) { return PackedWeightSize(shape.outputs, shape.depth()); }

int64_t PanelBytes(const WeightShape& shape) { return FloatBytes(shape.groups * PanelFloats(shape)); }

void PackPanels(const WeightShape& shape, const float* weight, void* packed) {
  const int64_t depth = shape.depth();
  std::vector<float> rows;
  if (shape.taps > 1) rows.resize(static_cast<std::size_t>(shape.outputs * depth));
  for (int64_t group = 0; group < shape.groups; ++group) {
    const float* source = weight + group * shape.outputs * depth;
    if (shape.taps > 1) ForEachTapMajor(shape, [&](int64_t at, int64_t row_at) { rows[row_at] = source[at]; });
    PackWeight(shape.outputs, depth, shape.taps > 1 ? rows.data() : source, depth,
               static_cast<float*>(packed) + group * PanelFloats(shape));
  }
}

void UnpackPanels(const WeightShape& shape, const void* packed, float* weight) {
  const int64_t depth = shape.depth();
  std::vector<float> rows;
  if (shape.taps > 1) rows.resize(static_cast<std::size_t>(shape.outputs * depth));
  for (int64_t group = 0; group < shape.groups; ++group) {
    float* target = weight + group * shape.outputs * depth;
    UnpackWeight(shape.outputs, depth, static_cast<const float*>(packed) + group * PanelFloats(shape),
                 shape.taps > 1 ? rows.data() : target, 1, depth);
    if (shape.taps > 1) ForEachTapMajor(shape, [&](int64_t at, int64_t row_at) { target[at] = rows[row_at]; });
  }
}

void PackMatrixPanels(const WeightShape& shape, const float* weight, void* packed) {
  PackWeightRows(shape.outputs, shape.inputs, weight, shape.outputs, static_cast<float*>(packed));
}

void UnpackMatrixPanels(const WeightShape& shape, const void* packed, float* weight) {
  UnpackWeight(shape.outputs, shape.inputs, static_cast<const float*>(packed), weight, shape.outputs, 1);
}

int64_t LeftPanelBytes(const WeightShape& shape) {
  return FloatBytes(shape.groups * PackedLeftSize(shape.outputs, shape.depth()));
}

void PackLeftPanels(const WeightShape& shape, const float* weight, void* packed) {
  const int64_t depth = shape.depth();
  for (int64_t group = 0; group < shape.groups; ++group) {
    PackLeft(shape.outputs, depth, weight + group * shape.outputs * depth, depth,
             static_cast<float*>(packed) + group * PackedLeftSize(shape.outputs, depth));
  }
}

}  // namespace

const WeightOrder kPanelOrder{PanelBytes, PackPanels, UnpackPanels};
const WeightOrder kMatrixPanelOrder{PanelBytes, PackMatrixPanels, UnpackMatrixPanels};
const WeightOrder kLeftPanelOrder{LeftPanelBytes, PackLeftPanels};

}  // namespace kuiper_infer::kernel
