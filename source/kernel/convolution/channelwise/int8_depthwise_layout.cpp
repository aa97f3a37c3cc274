// SPDX-License-Identifier: MIT
#include "kernel/convolution/channelwise/int8_depthwise_layout.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "kernel/product/int8/panels.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer::kernel {
namespace {

int64_t WindowRows(const WeightShape& shape) { return std::lround(std::sqrt(static_cast<double>(shape.taps))); }

int64_t Channels(const WeightShape& shape) { return shape.groups * shape.outputs; }

/// Calls visit(tap, place) for each tap of a channel, with the tap's place in a panel relative to the channel's first
/// group of four.
template <class Visit>
void ForTaps(const WeightShape& shape, int64_t width, const Visit& visit) {
  const int64_t rows = WindowRows(shape);
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t tap = 0; tap < rows; ++tap) visit(row * rows + tap, (row / 4 * rows + tap) * width * 4 + row % 4);
  }
}

/// The size of the largest pair: of two taps one below the other.
int32_t LargestPair(const float* taps, int64_t rows) {
  float largest = 0;
  for (int64_t i = 0; i < (rows - 1) * rows; ++i) largest = std::max(largest, std::abs(taps[i] + taps[i + rows]));
  return static_cast<int32_t>(largest);
}

/// Calls visit(channel of the panel, its number, its quads' place, the panel's width and place) for some channels,
/// which begin at a panel's first one.
template <class Visit>
void ForChannels(const WeightShape& shape, const WeightRows& rows, const Visit& visit) {
  for (int64_t channel = rows.first; channel < rows.first + rows.count; ++channel) {
    const int64_t panel = channel / kInt8Columns;
    const int64_t width = Int8PanelVectors(Channels(shape), panel) * kInt8Lanes;
    visit(channel, channel % kInt8Columns, width, Int8DepthwiseBytes(panel * kInt8Columns, WindowRows(shape)));
  }
}

class DepthwiseLayout final : public PackedLayout {
 public:
  DepthwiseLayout() : PackedLayout("int8 depthwise", kInt8Format) {}

  int64_t Bytes(const WeightShape& shape) const override {
    return Int8DepthwiseBytes(Channels(shape), WindowRows(shape));
  }
  int64_t RowsTogether(const WeightShape& /*shape*/) const override { return kInt8Columns; }

  void Pack(const WeightShape& shape, const WeightRows& rows, const float* part, void* packed) const override {
    const int64_t before = Int8DepthwiseBytes(rows.first, WindowRows(shape));
    const int64_t behind = Int8DepthwiseBytes(rows.first + rows.count, WindowRows(shape));
    auto* const bytes = static_cast<int8_t*>(packed);
    std::fill(bytes + before, bytes + behind, int8_t{0});
    ForChannels(shape, rows, [&](int64_t channel, int64_t column, int64_t width, int64_t place) {
      const float* const taps = part + (channel - rows.first) * shape.taps;
      int8_t* const panel = bytes + place;
      int32_t sum = 0;
      ForTaps(shape, width, [&](int64_t tap, int64_t at) {
        panel[at + column * 4] = static_cast<int8_t>(taps[tap]);
        sum += panel[at + column * 4];
      });
      const int32_t pair = LargestPair(taps, WindowRows(shape));
      const int64_t quads = QuadGroups(WindowRows(shape)) * WindowRows(shape);
      std::memcpy(panel + (quads * width + column) * 4, &sum, sizeof(sum));
      std::memcpy(panel + (quads * width + width + column) * 4, &pair, sizeof(pair));
    });
  }

  bool Reversible() const override { return true; }
  void Unpack(const WeightShape& shape, const void* packed, float* weight) const override {
    ForChannels(shape, {0, Channels(shape)}, [&](int64_t channel, int64_t column, int64_t width, int64_t place) {
      const auto* const panel = static_cast<const int8_t*>(packed) + place;
      ForTaps(shape, width,
              [&](int64_t tap, int64_t at) { weight[channel * shape.taps + tap] = panel[at + column * 4]; });
    });
  }
};

}  // namespace

int64_t QuadGroups(int64_t window_rows) { return DivideUp(window_rows, 4); }

int64_t Int8DepthwiseBytes(int64_t columns, int64_t window_rows) {
  return RoundUp(columns, kInt8Lanes) * 4 * (QuadGroups(window_rows) * window_rows + 2);
}

const PackedLayout& LayoutInt8Depthwise(const ProductKernel& /*product*/) {
  static const DepthwiseLayout kLayout;
  return kLayout;
}

}  // namespace kuiper_infer::kernel
