// SPDX-License-Identifier: MIT
#include "kernel/channels_last.hpp"

#include <algorithm>
#include <vector>

#include "kernel/channels_last_depthwise.hpp"
#include "kernel/convolution_method.hpp"
#include "kernel/weight_product.hpp"
#include "kernel/window_rows.hpp"
#include "kernel/winograd.hpp"
#include "utils/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

/// A piece of the window matrix should stay in the second-level cache beside the weight's panels.
constexpr int64_t kTileFloats = 160 * 1024;
/// With fewer positions for each thread, threads share a product by its columns instead.
constexpr int64_t kLeastTile = 24;
constexpr int64_t kTileMultiple = 8;
constexpr int64_t kAlignment = 64;
/// Multiply-adds below which starting threads costs more than it saves.
constexpr double kWorthThreads = 64 * 1024;

int64_t DivideUp(int64_t a, int64_t b) { return (a + b - 1) / b; }
int64_t RoundUp(int64_t a, int64_t b) { return DivideUp(a, b) * b; }

int64_t GroupDepth(const ConvolutionGeometry& geometry) {
  return geometry.channels_in / geometry.groups * geometry.grid.taps();
}

/// A product's part for rows of positions [first, first + rows) of image n and for one group.
WeightProduct MakeProduct(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays, int64_t n,
                          int64_t group, int64_t first, int64_t rows) {
  const ConvolutionGeometry& geometry = convolution.geometry;
  WeightProduct product;
  product.rows = rows;
  product.columns = geometry.channels_out / geometry.groups;
  product.depth = GroupDepth(geometry);
  const int64_t channel = group * product.columns;
  product.weight = arrays.weight + group * PackedWeightSize(product.columns, product.depth);
  product.c = arrays.output + n * arrays.output_steps.image + first * arrays.output_steps.pixel + channel;
  product.ldc = arrays.output_steps.pixel;
  if (arrays.bias != nullptr) product.bias = arrays.bias + channel;
  if (arrays.addend != nullptr) {
    product.addend = arrays.addend + n * arrays.addend_steps.image + first * arrays.addend_steps.pixel + channel;
    product.addend_ld = arrays.addend_steps.pixel;
  }
  product.activation = arrays.activation;
  return product;
}

void MultiplyPixels(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays) {
  const ConvolutionGeometry& geometry = convolution.geometry;
  const int64_t positions = geometry.grid.position_count();
  const auto follows = [&](const auto& steps) { return steps.image == positions * steps.pixel; };
  const bool together = follows(convolution.input) && follows(arrays.output_steps) &&
                        (arrays.addend == nullptr || follows(arrays.addend_steps));
  for (int64_t n = 0; n < (together ? 1 : geometry.batch); ++n) {
    for (int64_t group = 0; group < geometry.groups; ++group) {
      WeightProduct product =
          MakeProduct(convolution, arrays, n, group, 0, together ? geometry.batch * positions : positions);
      product.a = arrays.input + n * convolution.input.image + group * product.depth;
      product.lda = convolution.input.pixel;
      MultiplyByWeight(product);
    }
  }
}

/// The rows of one piece, copied by all threads where they share it, then their product.
void MultiplyPiece(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays, int64_t item,
                   float* rows) {
  const ConvolutionGeometry& geometry = convolution.geometry;
  const WindowGrid& grid = geometry.grid;
  const int64_t channels = geometry.channels_in / geometry.groups;
  const int64_t pieces = DivideUp(grid.position_count(), convolution.tile);
  const int64_t n = item / pieces / geometry.groups;
  const int64_t group = item / pieces % geometry.groups;
  const int64_t first = item % pieces * convolution.tile;
  const int64_t count = std::min(convolution.tile, grid.position_count() - first);
  WeightProduct product = MakeProduct(convolution, arrays, n, group, first, count);
  product.a = rows;
  product.lda = convolution.row_pitch();
  const float* image = arrays.input + n * convolution.input.image + group * channels;
  ParallelFor(count, GrainFor(product.depth / 8), [&](int64_t begin, int64_t end) {
    CopyWindowRows(grid, channels, first + begin, first + end, image, convolution.input.pixel,
                   rows + begin * product.lda, product.lda);
  });
  MultiplyByWeight(product);
}

PaddedImages MakePadded(const ChannelsLastConvolution& convolution) {
  const ConvolutionGeometry& geometry = convolution.geometry;
  return {geometry.batch, geometry.channels_in, geometry.grid};
}

/// Each row of outputs is a product: its windows lie a stride apart, the rows under a window follow in segments.
void MultiplySegments(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays) {
  const ConvolutionGeometry& geometry = convolution.geometry;
  const auto& [depth, height, width] = geometry.grid.window;
  const float* input = arrays.input;
  ImageSteps steps = convolution.input;
  if (convolution.pads) {
    const PaddedImages padded = MakePadded(convolution);
    auto* copy = reinterpret_cast<float*>(arrays.workspace);
    CopyPadded(padded, arrays.input, convolution.input, copy);
    input = copy;
    steps = padded.steps();
  }
  const auto [planes, rows, columns] = geometry.grid.positions;
  const int64_t row_cost = columns * geometry.channels_out * GroupDepth(geometry) / 16;
  ParallelFor(geometry.batch * rows, GrainFor(row_cost),
              [&, rows = rows, columns = columns, h = height, w = width](int64_t first, int64_t last) {
                for (int64_t row = first; row < last; ++row) {
                  const int64_t n = row / rows;
                  const int64_t y = row % rows;
                  WeightProduct product = MakeProduct(convolution, arrays, n, 0, y * columns, columns);
                  product.segments = h.kernel;
                  product.depth = w.kernel * geometry.channels_in;
                  product.segment_step = h.dilation * steps.row;
                  product.a = input + n * steps.image + y * h.stride * steps.row;
                  product.lda = w.stride * steps.pixel;
                  MultiplyByWeight(product);
                }
              });
}

}  // namespace

const char* MethodName(ConvolutionMethod method) {
  switch (method) {
    case ConvolutionMethod::kDirect:
      return "direct";
    case ConvolutionMethod::kSegments:
      return "segments";
    case ConvolutionMethod::kDepthwise:
      return "depthwise";
    case ConvolutionMethod::kWinograd2:
      return "Winograd F(2,3)";
    case ConvolutionMethod::kWinograd4:
      return "Winograd F(4,3)";
    case ConvolutionMethod::kRows:
      break;
  }
  return "rows";
}

int64_t ChannelsLastConvolution::row_pitch() const {
  // Rows a multiple of 2 KiB apart would share few sets of the first-level cache.
  constexpr int64_t kCrowded = 512;
  const int64_t depth = GroupDepth(geometry);
  return depth % kCrowded == 0 ? depth + kAlignment / static_cast<int64_t>(sizeof(float)) : depth;
}

ChannelsLastConvolution PlanChannelsLast(const ConvolutionGeometry& geometry, const ImageSteps& input, int threads) {
  return PlanChannelsLast(geometry, input, threads, ChooseMethod(geometry, input.channel == 1, threads));
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
    const PaddedImages padded = MakePadded(plan);
    plan.pads = padded.extents() != grid.image || input.channel != 1;
    plan.workspace_bytes = plan.pads ? padded.size() * static_cast<int64_t>(sizeof(float)) : 0;
  }
  if (method != ConvolutionMethod::kRows) return plan;
  const int64_t positions = grid.position_count();
  const int64_t items = geometry.batch * geometry.groups;
  const int64_t cached = RoundUp(kTileFloats / (plan.row_pitch() + 1) + 1, kTileMultiple);
  plan.tile = std::clamp<int64_t>(cached, 1, std::max<int64_t>(positions, 1));
  if (threads > 1 && geometry.multiply_adds() >= kWorthThreads && items * positions >= threads * kLeastTile) {
    int64_t pieces = DivideUp(positions, plan.tile);
    while (items * pieces % threads != 0 && positions / (pieces + 1) >= kLeastTile) ++pieces;
    plan.tile = DivideUp(positions, pieces);
    if (items * pieces >= threads) plan.slots = threads;
  }
  plan.slot_bytes = RoundUp(plan.row_pitch() * plan.tile * static_cast<int64_t>(sizeof(float)), kAlignment);
  plan.workspace_bytes = plan.slots * plan.slot_bytes;
  return plan;
}

int64_t PackedConvolutionSize(const ConvolutionGeometry& geometry, ConvolutionMethod method) {
  if (method == ConvolutionMethod::kDepthwise) return geometry.channels_out * geometry.grid.taps();
  if (WinogradTile(method) > 0) return WinogradWeightSize(geometry, WinogradTile(method));
  return geometry.groups * PackedWeightSize(geometry.channels_out / geometry.groups, GroupDepth(geometry));
}

void PackConvolution(const ConvolutionGeometry& geometry, ConvolutionMethod method, const float* weight,
                     float* packed) {
  const int64_t taps = geometry.grid.taps();
  if (method == ConvolutionMethod::kDepthwise) {
    for (int64_t o = 0; o < geometry.channels_out; ++o) {
      for (int64_t t = 0; t < taps; ++t) packed[t * geometry.channels_out + o] = weight[o * taps + t];
    }
    return;
  }
  if (WinogradTile(method) > 0) return TransformWinogradWeight(geometry, WinogradTile(method), weight, packed);
  const int64_t channels = geometry.channels_in / geometry.groups;
  const int64_t outputs = geometry.channels_out / geometry.groups;
  const int64_t depth = GroupDepth(geometry);
  std::vector<float> tap_major;  // (outputs, taps, channels), the order of the rows
  if (taps > 1) tap_major.resize(static_cast<std::size_t>(outputs * depth));
  for (int64_t group = 0; group < geometry.groups; ++group) {
    const float* source = weight + group * outputs * depth;
    for (int64_t o = 0; o < outputs && taps > 1; ++o) {
      for (int64_t t = 0; t < taps; ++t) {
        for (int64_t c = 0; c < channels; ++c) {
          tap_major[(o * taps + t) * channels + c] = source[(o * channels + c) * taps + t];
        }
      }
    }
    PackWeight(outputs, depth, taps > 1 ? tap_major.data() : source, depth,
               packed + group * PackedWeightSize(outputs, depth));
  }
}

void ConvolveChannelsLast(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays) {
  if (convolution.method == ConvolutionMethod::kDepthwise) return ConvolveDepthwise(convolution, arrays);
  if (convolution.method == ConvolutionMethod::kDirect) return MultiplyPixels(convolution, arrays);
  if (convolution.method == ConvolutionMethod::kSegments) return MultiplySegments(convolution, arrays);
  if (WinogradTile(convolution.method) > 0) return ConvolveWinograd(convolution, arrays);
  const ConvolutionGeometry& geometry = convolution.geometry;
  const int64_t items = geometry.batch * geometry.groups * DivideUp(geometry.grid.position_count(), convolution.tile);
  const int64_t slots = convolution.slots;
  ParallelFor(slots, 1, [&](int64_t begin, int64_t end) {
    for (int64_t slot = begin; slot < end; ++slot) {
      auto* rows = reinterpret_cast<float*>(arrays.workspace + slot * convolution.slot_bytes);
      for (int64_t item = items * slot / slots; item < items * (slot + 1) / slots; ++item) {
        MultiplyPiece(convolution, arrays, item, rows);
      }
    }
  });
}

}  // namespace kuiper_infer::kernel
