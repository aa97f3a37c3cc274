// SPDX-License-Identifier: MIT
#include "kernel/product/weight_order.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "kernel/product/packed_gemm.hpp"
#include "kernel/product/weight_product.hpp"
#include "utils/first_error.hpp"
#include "utils/parallel.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer::kernel {
namespace {

int64_t PanelFloats(const WeightShape& shape) { return PackedWeightSize(shape.outputs, shape.depth()); }

int64_t PanelBytes(const WeightShape& shape) { return FloatBytes(shape.groups * PanelFloats(shape)); }

void PackPanels(const WeightShape& shape, const WeightRows& rows, const float* part, void* packed) {
  const int64_t depth = shape.depth();
  auto* const panels = static_cast<float*>(packed);
  if (shape.groups == 1) {
    PackWindowWeight(rows.count, shape.inputs, shape.taps, part, depth, panels + rows.first * depth);
    return;
  }
  for (int64_t row = 0; row < rows.count; row += shape.outputs) {
    PackWindowWeight(shape.outputs, shape.inputs, shape.taps, part + row * depth, depth,
                     panels + (rows.first + row) / shape.outputs * PanelFloats(shape));
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
    if (rows.empty()) continue;
    const float* from = rows.data();
    for (int64_t o = 0; o < shape.outputs; ++o) {
      for (int64_t t = 0; t < shape.taps; ++t) {
        for (int64_t i = 0; i < shape.inputs; ++i) target[(o * shape.inputs + i) * shape.taps + t] = *from++;
      }
    }
  }
}

int64_t MatrixRows(const WeightShape& shape) { return shape.inputs; }

int64_t Single(const WeightShape& /*shape*/) { return 1; }

void PackMatrixPanels(const WeightShape& shape, const WeightRows& rows, const float* part, void* packed) {
  PackWeightRows(shape.outputs, shape.inputs, rows.first, rows.count, part, shape.outputs, static_cast<float*>(packed));
}

void UnpackMatrixPanels(const WeightShape& shape, const void* packed, float* weight) {
  UnpackWeight(shape.outputs, shape.inputs, static_cast<const float*>(packed), weight, shape.outputs, 1);
}

int64_t LeftPanelBytes(const WeightShape& shape) {
  return FloatBytes(shape.groups * PackedLeftSize(shape.outputs, shape.depth()));
}

void PackLeftPanels(const WeightShape& shape, const WeightRows& /*all*/, const float* part, void* packed) {
  const int64_t depth = shape.depth();
  for (int64_t group = 0; group < shape.groups; ++group) {
    PackLeft(shape.outputs, depth, part + group * shape.outputs * depth, depth,
             static_cast<float*>(packed) + group * PackedLeftSize(shape.outputs, depth));
  }
}

/// A weight's rows cut into parts of a quarter of a MiB, or as many as have to be together.
struct Parts {
  Parts(const WeightOrder& order, const WeightShape& shape) : rows(order.rows(shape)) {
    if (rows == 0) return;
    constexpr int64_t kFloats = int64_t{64} << 10;
    width = shape.size() / rows;
    const int64_t together = order.rows_together(shape);
    height = std::min(rows, std::max<int64_t>(1, kFloats / (width * together + 1)) * together);
    count = DivideUp(rows, height);
  }
  WeightRows At(int64_t part) const { return {part * height, std::min(height, rows - part * height)}; }

  int64_t rows;
  int64_t width = 0;   ///< numbers of a row
  int64_t height = 0;  ///< rows of a part
  int64_t count = 0;
};

}  // namespace

int64_t OutputRows(const WeightShape& shape) { return shape.groups * shape.outputs; }

int64_t AllTogether(const WeightShape& shape) { return std::max<int64_t>(1, OutputRows(shape)); }

int64_t PanelRows(const WeightShape& shape) {
  return shape.groups == 1 ? WeightPanelColumns() : std::max<int64_t>(1, shape.outputs);
}

void PackInParts(const WeightOrder& order, const WeightShape& shape, WeightReader read, void* packed) {
  const Parts parts(order, shape);
  const int64_t workers = std::min<int64_t>(parts.count, MaxThreads());
  const int64_t floats = parts.height * parts.width;
  const std::unique_ptr<float[]> scratch(new float[static_cast<std::size_t>(workers * floats)]);
  FirstError error;
  ParallelItems(parts.count, workers, [&](int64_t worker, int64_t i) {
    error.Guard([&] {
      const WeightRows rows = parts.At(i);
      float* const part = scratch.get() + worker * floats;
      read(rows.first * parts.width, rows.count * parts.width, part);
      order.pack(shape, rows, part, packed);
    });
  });
  error.Rethrow();
}

void PackWhole(const WeightOrder& order, const WeightShape& shape, const float* weight, void* packed) {
  const Parts parts(order, shape);
  ParallelFor(parts.count, 1, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      const WeightRows rows = parts.At(i);
      order.pack(shape, rows, weight + rows.first * parts.width, packed);
    }
  });
}

const WeightOrder kPanelOrder{"panels", PanelBytes, OutputRows, PanelRows, PackPanels, UnpackPanels};
const WeightOrder kMatrixPanelOrder{"matrix panels", PanelBytes,       MatrixRows,
                                    Single,          PackMatrixPanels, UnpackMatrixPanels};
const WeightOrder kLeftPanelOrder{"left panels", LeftPanelBytes, OutputRows, AllTogether, PackLeftPanels};

const WeightOrder& PanelOrderOf(const WeightType& type) {
  return type.element == RuntimeDataType::kTypeBFloat16 ? BFloat16PanelOrder(type.pieces) : kPanelOrder;
}

const WeightOrder& MatrixPanelOrderOf(const WeightType& type) {
  return type.element == RuntimeDataType::kTypeBFloat16 ? BFloat16MatrixOrder(type.pieces) : kMatrixPanelOrder;
}

}  // namespace kuiper_infer::kernel
