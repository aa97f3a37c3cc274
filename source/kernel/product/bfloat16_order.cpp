// SPDX-License-Identifier: MIT
#include <algorithm>

#include "kernel/product/bfloat16_product.hpp"
#include "kernel/product/weight_order.hpp"

namespace kuiper_infer::kernel {
namespace {

int64_t Bytes(const WeightShape& shape) { return shape.groups * PackedBFloat16Bytes(shape.outputs, shape.depth()); }

int64_t RowsTogether(const WeightShape& shape) {
  return shape.groups == 1 ? BFloat16PanelColumns() : std::max<int64_t>(1, shape.outputs);
}

/// Where output `first` lies: at the beginning of a panel, or of a group.
uint16_t* PlaceOf(const WeightShape& shape, int64_t first, void* packed) {
  const int64_t group = shape.groups == 1 ? 0 : first / shape.outputs;
  const int64_t bytes = group * PackedBFloat16Bytes(shape.outputs, shape.depth()) +
                        PackedBFloat16Bytes(first - group * shape.outputs, shape.depth());
  return reinterpret_cast<uint16_t*>(static_cast<std::byte*>(packed) + bytes);
}

void PackPanels(const WeightShape& shape, const WeightRows& rows, const float* part, void* packed) {
  const int64_t depth = shape.depth();
  const int64_t together = shape.groups == 1 ? rows.count : shape.outputs;
  for (int64_t row = 0; row < rows.count; row += together) {
    PackBFloat16Window(together, shape.inputs, shape.taps, part + row * depth, depth,
                       PlaceOf(shape, rows.first + row, packed));
  }
}

int64_t MatrixRows(const WeightShape& shape) { return shape.inputs; }

int64_t Pair(const WeightShape& /*shape*/) { return 2; }

void PackMatrix(const WeightShape& shape, const WeightRows& rows, const float* part, void* packed) {
  PackBFloat16Rows(shape.outputs, shape.inputs, rows.first, rows.count, part, shape.outputs,
                   static_cast<uint16_t*>(packed));
}

}  // namespace

constexpr RuntimeDataType kType = RuntimeDataType::kTypeBFloat16;
const WeightOrder kBFloat16PanelOrder{"bfloat16 panels", Bytes, OutputRows, RowsTogether, PackPanels, nullptr, kType};
const WeightOrder kBFloat16MatrixOrder{"bfloat16 matrix panels", Bytes, MatrixRows, Pair, PackMatrix, nullptr, kType};

}  // namespace kuiper_infer::kernel
