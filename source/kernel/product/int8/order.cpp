// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "kernel/product/int8/product.hpp"
#include "kernel/product/weight_order.hpp"

namespace kuiper_infer::kernel {
namespace {

int64_t OneSegment(const WeightShape& /*shape*/) { return 1; }

/// The rows of a square window.
int64_t WindowRows(const WeightShape& shape) { return std::lround(std::sqrt(static_cast<double>(shape.taps))); }

/// The functions of the order in so many segments.
template <int64_t (*kSegments)(const WeightShape& shape)>
struct Order {
  static int64_t GroupBytes(const WeightShape& shape, int64_t outputs) {
    const int64_t segments = kSegments(shape);
    return PackedInt8Bytes(outputs, shape.inputs * (shape.taps / segments), segments);
  }

  static int64_t Bytes(const WeightShape& shape) { return shape.groups * GroupBytes(shape, shape.outputs); }

  static int64_t RowsTogether(const WeightShape& shape) {
    return shape.groups == 1 ? Int8PanelColumns() : std::max<int64_t>(1, shape.outputs);
  }

  static void Pack(const WeightShape& shape, const WeightRows& rows, const float* part, void* packed) {
    const int64_t depth = shape.depth();
    const int64_t together = shape.groups == 1 ? rows.count : shape.outputs;
    for (int64_t row = 0; row < rows.count; row += together) {
      const int64_t group = shape.groups == 1 ? 0 : (rows.first + row) / shape.outputs;
      const int64_t before = rows.first + row - group * shape.outputs;
      const int64_t place = group * GroupBytes(shape, shape.outputs) + GroupBytes(shape, before);
      PackInt8Window(together, shape.inputs, shape.taps, kSegments(shape), part + row * depth, depth,
                     static_cast<std::byte*>(packed) + place);
    }
  }

  static void Unpack(const WeightShape& shape, const void* packed, float* weight) {
    const int64_t depth = shape.depth();
    for (int64_t group = 0; group < shape.groups; ++group) {
      UnpackInt8Window(shape.outputs, shape.inputs, shape.taps, kSegments(shape),
                       static_cast<const std::byte*>(packed) + group * GroupBytes(shape, shape.outputs),
                       weight + group * shape.outputs * depth, depth);
    }
  }

  static WeightOrder Make(const char* name) {
    return {name, Bytes, OutputRows, RowsTogether, Pack, Unpack, RuntimeDataType::kTypeInt8};
  }
};

}  // namespace

const WeightOrder& Int8PanelOrder() {
  static const WeightOrder kOrder = Order<OneSegment>::Make("int8 panels");
  return kOrder;
}

const WeightOrder& Int8WindowRowOrder() {
  static const WeightOrder kOrder = Order<WindowRows>::Make("int8 panels of window rows");
  return kOrder;
}

}  // namespace kuiper_infer::kernel
