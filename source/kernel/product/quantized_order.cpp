// SPDX-License-Identifier: MIT
#include "kernel/product/quantized_product.hpp"
#include "kernel/product/weight_order.hpp"

namespace kuiper_infer::kernel {
namespace {

template <int kBits>
int64_t Bytes(const WeightShape& shape) {
  return PackedIntegerBytes(kBits, shape.outputs, shape.inputs);
}

template <int kBits>
void Pack(const WeightShape& shape, const WeightRows& rows, const float* part, void* packed) {
  PackIntegers(kBits, rows.count, shape.inputs, part, shape.inputs,
               static_cast<uint8_t*>(packed) + PackedIntegerBytes(kBits, rows.first, shape.inputs));
}

template <int kBits>
void Unpack(const WeightShape& shape, const void* packed, float* weight) {
  UnpackIntegers(kBits, shape.outputs, shape.inputs, static_cast<const uint8_t*>(packed), weight);
}

}  // namespace

const WeightOrder kInt8NumberOrder{
    "int8 numbers", Bytes<8>, OutputRows, PanelRows, Pack<8>, Unpack<8>, RuntimeDataType::kTypeInt8};
const WeightOrder kInt4NumberOrder{
    "int4 numbers", Bytes<4>, OutputRows, PanelRows, Pack<4>, Unpack<4>, RuntimeDataType::kTypeUInt8};

}  // namespace kuiper_infer::kernel
