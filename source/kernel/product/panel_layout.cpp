// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <string>

#include "kernel/product/packed_layout.hpp"

namespace kuiper_infer::kernel {
namespace {

/// Holds the text of a layout's name. As a base it is made before the layout and destroyed after it.
struct LayoutName {
  std::string text;
};

/// The matrices of a weight's groups one behind the other, each in panels. A weight of one group is packed in parts of
/// whole panels, one of several groups group by group.
class Panels final : private LayoutName, public PackedLayout {
 public:
  Panels(const WeightPanels& panels, const WeightFormat& format, Arrangement arrangement)
      : LayoutName{std::string(panels.Name()) + kEndings[static_cast<int>(arrangement)]},
        PackedLayout(text.c_str(), format),
        panels_(panels),
        arrangement_(arrangement) {}

  int64_t Bytes(const WeightShape& shape) const override { return shape.groups * GroupBytes(shape, shape.outputs); }

  int64_t Rows(const WeightShape& shape) const override {
    return arrangement_ == Arrangement::kMatrix ? shape.inputs : PackedLayout::Rows(shape);
  }

  int64_t RowsTogether(const WeightShape& shape) const override {
    if (arrangement_ == Arrangement::kMatrix) return panels_.RowsTogether();
    return shape.groups == 1 ? panels_.Columns() : std::max<int64_t>(1, shape.outputs);
  }

  void Pack(const WeightShape& shape, const WeightRows& rows, const float* part, void* packed) const override {
    if (arrangement_ == Arrangement::kMatrix) {
      return panels_.PackRows({shape.outputs, shape.inputs, rows.first, rows.count, part, shape.outputs}, packed);
    }
    const int64_t together = shape.groups == 1 ? rows.count : shape.outputs;
    for (int64_t row = 0; row < rows.count; row += together) {
      const int64_t group = shape.groups == 1 ? 0 : (rows.first + row) / shape.outputs;
      const int64_t before = rows.first + row - group * shape.outputs;
      const int64_t place = group * GroupBytes(shape, shape.outputs) + GroupBytes(shape, before);
      panels_.Pack(GroupOf(shape, together, part + row * shape.depth()), static_cast<std::byte*>(packed) + place);
    }
  }

  bool Reversible() const override { return panels_.Reversible(); }

  void Unpack(const WeightShape& shape, const void* packed, float* weight) const override {
    if (arrangement_ == Arrangement::kMatrix) return UnpackMatrix(shape, packed, weight);
    for (int64_t group = 0; group < shape.groups; ++group) {
      panels_.Unpack(GroupOf(shape, shape.outputs, nullptr),
                     static_cast<const std::byte*>(packed) + group * GroupBytes(shape, shape.outputs),
                     weight + group * shape.outputs * shape.depth());
    }
  }

  bool UnpacksRows() const override { return arrangement_ == Arrangement::kWindows && panels_.UnpacksColumns(); }
  void UnpackRow(const WeightShape& shape, int64_t row, const void* packed, float* numbers) const override {
    panels_.UnpackColumn(GroupOf(shape, shape.outputs, nullptr), row, packed, numbers);
  }

 private:
  static constexpr const char* kEndings[] = {"", " of window rows", " of matrices"};

  int64_t Segments(const WeightShape& shape) const {
    return arrangement_ == Arrangement::kWindowRows ? std::lround(std::sqrt(static_cast<double>(shape.taps))) : 1;
  }

  TransposedWeight GroupOf(const WeightShape& shape, int64_t columns, const float* numbers) const {
    return {columns, shape.inputs, shape.taps, numbers, shape.depth(), Segments(shape)};
  }

  int64_t GroupBytes(const WeightShape& shape, int64_t columns) const {
    const int64_t segments = Segments(shape);
    return panels_.Bytes(columns, shape.depth() / segments, segments);
  }

  void UnpackMatrix(const WeightShape& shape, const void* packed, float* weight) const {
    const std::unique_ptr<float[]> transposed(new float[static_cast<std::size_t>(shape.size())]);
    panels_.Unpack({shape.outputs, shape.inputs}, packed, transposed.get());
    for (int64_t i = 0; i < shape.inputs; ++i) {
      for (int64_t o = 0; o < shape.outputs; ++o) weight[i * shape.outputs + o] = transposed[o * shape.inputs + i];
    }
  }

  const WeightPanels& panels_;
  const Arrangement arrangement_;
};

}  // namespace

std::unique_ptr<const PackedLayout> MakePanelLayout(const WeightPanels& panels, const WeightFormat& format,
                                                    Arrangement arrangement) {
  return std::make_unique<const Panels>(panels, format, arrangement);
}

}  // namespace kuiper_infer::kernel
