// SPDX-License-Identifier: MIT
#include "kernel/product/packed_layout.hpp"

#include <algorithm>
#include <memory>

#include "kernel/product/packed_gemm.hpp"
#include "utils/rounding.hpp"
#include "utils/threads/first_error.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

class LeftPanels final : public PackedLayout {
 public:
  LeftPanels() : PackedLayout("left panels", kFloat32Format) {}

  int64_t Bytes(const WeightShape& shape) const override {
    return FloatBytes(shape.groups * PackedLeftSize(shape.outputs, shape.depth()));
  }
  int64_t RowsTogether(const WeightShape& shape) const override { return AllTogether(shape); }
  void Pack(const WeightShape& shape, const WeightRows& /*all*/, const float* part, void* packed) const override {
    const int64_t depth = shape.depth();
    for (int64_t group = 0; group < shape.groups; ++group) {
      PackLeft(shape.outputs, depth, part + group * shape.outputs * depth, depth,
               static_cast<float*>(packed) + group * PackedLeftSize(shape.outputs, depth));
    }
  }
};

/// A weight's rows cut into parts of a quarter of a MiB, or as many as have to be together.
struct Parts {
  Parts(const PackedLayout& layout, const WeightShape& shape) : rows(layout.Rows(shape)) {
    if (rows == 0) return;
    constexpr int64_t kFloats = int64_t{64} << 10;
    width = shape.size() / rows;
    const int64_t together = layout.RowsTogether(shape);
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

int64_t PackedLayout::AllTogether(const WeightShape& shape) {
  return std::max<int64_t>(1, shape.groups * shape.outputs);
}

const PackedLayout& LeftPanelLayout() {
  static const LeftPanels kLayout;
  return kLayout;
}

void PackInParts(const PackedLayout& layout, const WeightShape& shape, WeightReader read, void* packed) {
  const Parts parts(layout, shape);
  const int64_t workers = std::min<int64_t>(parts.count, MaxThreads());
  const int64_t floats = parts.height * parts.width;
  const std::unique_ptr<float[]> scratch(new float[static_cast<std::size_t>(workers * floats)]);
  FirstError error;
  ParallelItems(parts.count, workers, [&](int64_t worker, int64_t i) {
    error.Guard([&] {
      const WeightRows rows = parts.At(i);
      float* const part = scratch.get() + worker * floats;
      read(rows.first * parts.width, rows.count * parts.width, part);
      layout.Pack(shape, rows, part, packed);
    });
  });
  error.Rethrow();
}

void PackWhole(const PackedLayout& layout, const WeightShape& shape, const float* weight, void* packed) {
  const Parts parts(layout, shape);
  ParallelFor(parts.count, 1, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      const WeightRows rows = parts.At(i);
      layout.Pack(shape, rows, weight + rows.first * parts.width, packed);
    }
  });
}

}  // namespace kuiper_infer::kernel
