// SPDX-License-Identifier: MIT
#include <algorithm>

#include "kernel/product/bfloat16/product.hpp"
#include "kernel/product/weight_order.hpp"

namespace kuiper_infer::kernel {
namespace {

template <int kPieces>
int64_t Bytes(const WeightShape& shape) {
  return shape.groups * PackedBFloat16Bytes(shape.outputs, shape.depth(), kPieces);
}

int64_t RowsTogether(const WeightShape& shape) {
  return shape.groups == 1 ? BFloat16PanelColumns() : std::max<int64_t>(1, shape.outputs);
}

/// Where output `first` lies: at the beginning of a panel, or of a group.
uint16_t* PlaceOf(const WeightShape& shape, int64_t first, int pieces, void* packed) {
  const int64_t group = shape.groups == 1 ? 0 : first / shape.outputs;
  const int64_t bytes = group * PackedBFloat16Bytes(shape.outputs, shape.depth(), pieces) +
                        PackedBFloat16Bytes(first - group * shape.outputs, shape.depth(), pieces);
  return reinterpret_cast<uint16_t*>(static_cast<std::byte*>(packed) + bytes);
}

template <int kPieces>
void PackPanels(const WeightShape& shape, const WeightRows& rows, const float* part, void* packed) {
  const int64_t depth = shape.depth();
  const int64_t together = shape.groups == 1 ? rows.count : shape.outputs;
  for (int64_t row = 0; row < rows.count; row += together) {
    PackBFloat16Window(together, shape.inputs, shape.taps, part + row * depth, depth,
                       PlaceOf(shape, rows.first + row, kPieces, packed), kPieces);
  }
}

int64_t MatrixRows(const WeightShape& shape) { return shape.inputs; }

int64_t Pair(const WeightShape& /*shape*/) { return 2; }

template <int kPieces>
void PackMatrix(const WeightShape& shape, const WeightRows& rows, const float* part, void* packed) {
  PackBFloat16Rows(shape.outputs, shape.inputs, rows.first, rows.count, part, shape.outputs,
                   static_cast<uint16_t*>(packed), kPieces);
}

constexpr RuntimeDataType kType = RuntimeDataType::kTypeBFloat16;

template <int kPieces>
WeightOrder Panels(const char* name) {
  return {name, Bytes<kPieces>, OutputRows, RowsTogether, PackPanels<kPieces>, nullptr, {kType, kPieces}};
}

template <int kPieces>
WeightOrder MatrixPanels(const char* name) {
  return {name, Bytes<kPieces>, MatrixRows, Pair, PackMatrix<kPieces>, nullptr, {kType, kPieces}};
}

}  // namespace

const WeightOrder& BFloat16PanelOrder(int pieces) {
  static const WeightOrder kOrders[] = {Panels<1>("bfloat16 panels"), Panels<2>("bfloat16 panels in 2 pieces"),
                                        Panels<3>("bfloat16 panels in 3 pieces")};
  return kOrders[pieces - 1];
}

const WeightOrder& BFloat16MatrixOrder(int pieces) {
  static const WeightOrder kOrders[] = {MatrixPanels<1>("bfloat16 matrix panels"),
                                        MatrixPanels<2>("bfloat16 matrix panels in 2 pieces"),
                                        MatrixPanels<3>("bfloat16 matrix panels in 3 pieces")};
  return kOrders[pieces - 1];
}

}  // namespace kuiper_infer::kernel
