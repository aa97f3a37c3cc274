// SPDX-License-Identifier: MIT
#include "kernel/product/quantized/product.hpp"

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

const WeightOrder kInt8{"weights-only int8 panels", Bytes<8>, OutputRows, PanelRows, Pack<8>, Unpack<8>,
                        RuntimeDataType::kTypeInt8};
const WeightOrder kInt4{"weights-only int4 panels", Bytes<4>, OutputRows, PanelRows, Pack<4>, Unpack<4>,
                        RuntimeDataType::kTypeUInt8};

}  // namespace

const WeightOrder& QuantizedPanelOrder(int bits) { return bits == 8 ? kInt8 : kInt4; }

}  // namespace kuiper_infer::kernel
