// SPDX-License-Identifier: MIT
// Depthwise convolutions of bytes: the numbers under a column of a window's taps, from up to four rows of the image,
// are brought side by side, so that one dot product of four bytes adds them for each channel.
#include <algorithm>

#include "kernel/convolution/channelwise/int8_depthwise_layout.hpp"
#include "kernel/convolution/channelwise/int8_depthwise_panel.hpp"
#include "kernel/convolution/convolution_method.hpp"
#include "kernel/convolution/convolution_product.hpp"
#include "kernel/product/int8/tile.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

/// Plane images and square windows, from whose number of taps the weight's order follows.
bool Suits(const ConvolutionGeometry& geometry, const ProductKernel& product) {
  const auto& [depth, height, width] = geometry.grid.window;
  const bool depthwise =
      geometry.groups > 1 && geometry.groups == geometry.channels_in && geometry.groups == geometry.channels_out;
  return product.left == RuntimeDataType::kTypeUInt8 && depthwise && depth.kernel == 1 && geometry.grid.image[0] == 1 &&
         geometry.grid.positions[0] == 1 && depth.padding_begin == 0 && height.kernel == width.kernel &&
         SuitsInt8(width.kernel, height.kernel);
}

/// `tile` counts windows that lie side by side, whose quads take a part of the first-level cache.
void Schedule(ChannelsLastConvolution& convolution, int threads) {
  constexpr int64_t kMostBytes = int64_t{24} << 10;
  const WindowGrid& grid = convolution.geometry.grid;
  const int64_t row = std::max<int64_t>(grid.positions[2], 1);
  int64_t tile = std::min(row, kMostInt8Height);
  while (tile > 1 && QuadBytes(grid, tile) > kMostBytes) --tile;
  convolution.tile = DivideUp(row, DivideUp(row, tile));
  convolution.workers = threads;
  convolution.worker_bytes = AlignedBytes(QuadBytes(grid, convolution.tile));
  convolution.workspace_bytes = convolution.workers * convolution.worker_bytes;
}

void Run(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays) {
  const ConvolutionGeometry& geometry = convolution.geometry;
  const int64_t rows = geometry.grid.positions[1];
  const int64_t positions = geometry.grid.position_count();
  const int64_t panels = DivideUp(geometry.channels_out, kInt8Columns);
  const int64_t row_cost = geometry.channels_out * geometry.grid.positions[2] * geometry.grid.taps() / 32;
  ParallelWorkers(geometry.batch * rows, GrainFor(row_cost), convolution.workers,
                  [&](int64_t worker, WorkerPieces pieces) {
                    std::byte* const quads = arrays.workspace + worker * convolution.worker_bytes;
                    int64_t first = 0;
                    int64_t last = 0;
                    while (pieces.Take(first, last)) {
                      for (int64_t end = first; first < last; first = end) {
                        const int64_t n = first / rows;
                        end = std::min(last, (n + 1) * rows);
                        Product product = MakeProduct(convolution, arrays, n, 0, 0, positions);
                        product.columns = geometry.channels_out;
                        for (int64_t panel = 0; panel < panels; ++panel) {
                          const Int8DepthwisePanel channels(convolution, arrays, product, n, panel, quads);
                          channels.ComputeRows(first - n * rows, end - n * rows);
                        }
                      }
                    }
                  });
}

}  // namespace

ConvolutionMethod Int8DepthwiseMethod() {
  ConvolutionMethod method;
  method.name = "depthwise";
  method.suits = Suits;
  method.layout = LayoutInt8Depthwise;
  method.schedule = Schedule;
  method.run = Run;
  method.along_channels = true;
  return method;
}

}  // namespace kuiper_infer::kernel
