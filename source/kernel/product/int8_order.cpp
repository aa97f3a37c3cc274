// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "kernel/product/int8_product.hpp"
#include "kernel/product/weight_order.hpp"

namespace kuiper_infer::kernel {
namespace {

/// The functions of the order for rows in kSegments segments.
template <int64_t kSegments>
struct Order {
  static int64_t GroupBytes(const WeightShape& shape, int64_t outputs) {
    return PackedInt8Bytes(outputs, shape.inputs * (shape.taps / kSegments), kSegments);
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
      PackInt8Window(together, shape.inputs, shape.taps, kSegments, part + row * depth, depth,
                     static_cast<std::byte*>(packed) + place);
    }
  }

  static void Unpack(const WeightShape& shape, const void* packed, float* weight) {
    const int64_t depth = shape.depth();
    for (int64_t group = 0; group < shape.groups; ++group) {
      UnpackInt8Window(shape.outputs, shape.inputs, shape.taps, kSegments,
                       static_cast<const std::byte*>(packed) + group * GroupBytes(shape, shape.outputs),
                       weight + group * shape.outputs * depth, depth);
    }
  }

  static WeightOrder Make() {
    static const std::string kName =
        kSegments == 1 ? "int8 panels" : "int8 panels of " + std::to_string(kSegments) + " segments";
    return {kName.c_str(), Bytes, OutputRows, RowsTogether, Pack, Unpack, RuntimeDataType::kTypeInt8};
  }
};

template <std::size_t... kIndices>
std::array<WeightOrder, sizeof...(kIndices)> MakeOrders(std::index_sequence<kIndices...> /*all*/) {
  return {Order<static_cast<int64_t>(kIndices) + 1>::Make()...};
}

}  // namespace

const WeightOrder& Int8PanelOrder(int64_t segments) {
  static const auto kOrders = MakeOrders(std::make_index_sequence<kMostInt8Segments>());
  return kOrders.at(static_cast<std::size_t>(segments - 1));
}

}  // namespace kuiper_infer::kernel
