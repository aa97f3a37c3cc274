// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include "kernel/channels_last.hpp"
#include "kernel/weight_product.hpp"
#include "kernel/winograd.hpp"
#include "utils/cpu_info.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer::kernel {
namespace {

/// The number of positions for each thread below which threads share a product by its columns instead.
constexpr int64_t kLeastTile = 24;
constexpr int64_t kTileMultiple = 8;
/// The number of output channels for each position from which on the weight is what has to be read once only.
constexpr int64_t kManyColumns = 4;
/// Multiply-adds below which starting threads costs more than it saves.
constexpr double kWorthThreads = 64 * 1024;

}  // namespace

const char* MethodName(ConvolutionMethod method) {
  switch (method) {
    case ConvolutionMethod::kDirect:
      return "direct";
    case ConvolutionMethod::kSegments:
      return "segments";
    case ConvolutionMethod::kDepthwise:
      return "depthwise";
    case ConvolutionMethod::kGrouped:
      return "groups";
    case ConvolutionMethod::kWinograd2:
      return "Winograd F(2,3)";
    case ConvolutionMethod::kWinograd4:
      return "Winograd F(4,3)";
    case ConvolutionMethod::kWinograd6:
      return "Winograd F(6,3)";
    case ConvolutionMethod::kRows:
      break;
  }
  return "rows";
}

int64_t ChannelsLastConvolution::row_pitch() const {
  // Rows a multiple of 2 KiB apart would share few sets of the first-level cache.
  constexpr int64_t kCrowded = 512;
  const int64_t depth = geometry.group_depth();
  return depth % kCrowded == 0 ? depth + kCacheLine / static_cast<int64_t>(sizeof(float)) : depth;
}

ChannelsLastConvolution PlanChannelsLast(const ConvolutionGeometry& geometry, const ImageSteps& input, int threads,
                                         ConvolutionMethod method) {
  ChannelsLastConvolution plan;
  plan.geometry = geometry;
  plan.input = input;
  plan.method = method;
  const WindowGrid& grid = geometry.grid;
  if (WinogradTile(method) > 0) ScheduleWinograd(plan, threads);
  if (method == ConvolutionMethod::kSegments) {
    plan.pads = grid.pads() || input.channel != 1;
    plan.workspace_bytes = plan.pads ? FloatBytes(plan.padded().size()) : 0;
  }
  if (method != ConvolutionMethod::kRows) return plan;
  const int64_t positions = grid.position_count();
  const int64_t items = geometry.batch * geometry.groups;
  // A piece of the window matrix takes half of the second-level cache, beside the weight's panels.
  const int64_t half_cache = SecondLevelCacheBytes() / 2 / static_cast<int64_t>(sizeof(float));
  const int64_t cached = RoundUp(half_cache / (plan.row_pitch() + 1) + 1, kTileMultiple);
  plan.tile = std::clamp<int64_t>(cached, 1, std::max<int64_t>(positions, 1));
  // Each piece reads the whole weight; where that is the larger matrix by far, there is one piece, whose columns the
  // threads share.
  const bool much_weight = geometry.channels_out / geometry.groups >= kManyColumns * positions;
  if (much_weight) plan.tile = std::max<int64_t>(positions, 1);
  const bool cut =
      threads > 1 && geometry.multiply_adds() >= kWorthThreads && items * positions >= threads * kLeastTile;
  if (cut && !much_weight) {
    int64_t pieces = DivideUp(positions, plan.tile);
    while (items * pieces % threads != 0 && positions / (pieces + 1) >= kLeastTile) ++pieces;
    plan.tile = DivideUp(positions, pieces);
    if (items * pieces >= threads) plan.slots = threads;
  }
  plan.slot_bytes = AlignedBytes(FloatBytes(plan.row_pitch() * plan.tile));
  plan.workspace_bytes = plan.slots * plan.slot_bytes;
  return plan;
}

int64_t PackedConvolutionSize(const ConvolutionGeometry& geometry, ConvolutionMethod method) {
  if (IsChannelwise(method)) return geometry.channels_out * geometry.group_depth();
  if (WinogradTile(method) > 0) return WinogradWeightSize(geometry, WinogradTile(method));
  return geometry.groups * PackedWeightSize(geometry.channels_out / geometry.groups, geometry.group_depth());
}

namespace {

/// Calls visit(at, packed_at) for the numbers of a weight (outputs, inputs, taps): their places there and in the order
/// of kDepthwise and kGrouped, (taps, inputs, outputs).
template <class Visit>
void ForEachChannelwise(int64_t outputs, int64_t inputs, int64_t taps, const Visit& visit) {
  for (int64_t o = 0; o < outputs; ++o) {
    for (int64_t i = 0; i < inputs; ++i) {
      for (int64_t t = 0; t < taps; ++t) visit((o * inputs + i) * taps + t, (t * inputs + i) * outputs + o);
    }
  }
}

/// Calls visit(at, packed_at) for the numbers of a weight (outputs, inputs, taps): their places there and in the order
/// of the window matrix's rows, (outputs, taps, inputs).
template <class Visit>
void ForEachTapMajor(int64_t outputs, int64_t inputs, int64_t taps, const Visit& visit) {
  for (int64_t o = 0; o < outputs; ++o) {
    for (int64_t t = 0; t < taps; ++t) {
      for (int64_t i = 0; i < inputs; ++i) visit((o * inputs + i) * taps + t, (o * taps + t) * inputs + i);
    }
  }
}

}  // namespace

void PackConvolution(const ConvolutionGeometry& geometry, ConvolutionMethod method, const float* weight,
                     float* packed) {
  const int64_t taps = geometry.grid.taps();
  const int64_t inputs = geometry.channels_in / geometry.groups;
  if (IsChannelwise(method)) {
    ForEachChannelwise(geometry.channels_out, inputs, taps,
                       [&](int64_t at, int64_t packed_at) { packed[packed_at] = weight[at]; });
    return;
  }
  if (WinogradTile(method) > 0) return TransformWinogradWeight(geometry, WinogradTile(method), weight, packed);
  const int64_t outputs = geometry.channels_out / geometry.groups;
  const int64_t depth = geometry.group_depth();
  std::vector<float> rows;
  if (taps > 1) rows.resize(static_cast<std::size_t>(outputs * depth));
  for (int64_t group = 0; group < geometry.groups; ++group) {
    const float* source = weight + group * outputs * depth;
    if (taps > 1) {
      ForEachTapMajor(outputs, inputs, taps, [&](int64_t at, int64_t row_at) { rows[row_at] = source[at]; });
    }
    PackWeight(outputs, depth, taps > 1 ? rows.data() : source, depth,
               packed + group * PackedWeightSize(outputs, depth));
  }
}

bool CanUnpack(ConvolutionMethod method) { return WinogradTile(method) == 0; }

void UnpackConvolution(const ConvolutionGeometry& geometry, ConvolutionMethod method, const float* packed,
                       float* weight) {
  const int64_t taps = geometry.grid.taps();
  const int64_t inputs = geometry.channels_in / geometry.groups;
  if (IsChannelwise(method)) {
    ForEachChannelwise(geometry.channels_out, inputs, taps,
                       [&](int64_t at, int64_t packed_at) { weight[at] = packed[packed_at]; });
    return;
  }
  const int64_t outputs = geometry.channels_out / geometry.groups;
  const int64_t depth = geometry.group_depth();
  std::vector<float> rows(static_cast<std::size_t>(outputs * depth));
  for (int64_t group = 0; group < geometry.groups; ++group) {
    UnpackWeight(outputs, depth, packed + group * PackedWeightSize(outputs, depth), rows.data(), 1, depth);
    float* target = weight + group * outputs * depth;
    ForEachTapMajor(outputs, inputs, taps, [&](int64_t at, int64_t row_at) { target[at] = rows[row_at]; });
  }
}

}  // namespace kuiper_infer::kernel
