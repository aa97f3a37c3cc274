// SPDX-License-Identifier: MIT
#include "kernel/convolution/method_measurement.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include <hwy/cache_control.h>

#include "utils/memory_block.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer::kernel {
namespace {

/// What tells two convolutions apart, and the threads.
using Key = std::vector<int64_t>;

Key MakeKey(const ConvolutionGeometry& geometry, int threads) {
  Key key{geometry.batch, geometry.channels_in, geometry.channels_out, geometry.groups, threads};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const Window& window = geometry.grid.window[axis];
    for (const int64_t number : {geometry.grid.image[axis], geometry.grid.positions[axis], window.kernel, window.stride,
                                 window.dilation, window.padding_begin}) {
      key.push_back(number);
    }
  }
  return key;
}

/// Seconds of the fastest run; infinite where the arrays take too much memory.
double Measure(const ConvolutionGeometry& geometry, const ConvolutionMethod& method, int threads) {
  constexpr int64_t kMostBytes = int64_t{512} << 20;
  constexpr int kRuns = 4;  // the first fetches memory and wakes threads
  constexpr double kMostSeconds = 0.2;
  const int64_t image = geometry.grid.image_size() * geometry.channels_in;
  const int64_t row = geometry.grid.image[2] * geometry.channels_in;
  const ImageStrides strides{image, geometry.grid.image[1] * row, row, geometry.channels_in, 1};
  const ChannelsLastConvolution convolution = ScheduleChannelsLast(geometry, strides, threads, method);
  const int64_t result = geometry.grid.position_count() * geometry.channels_out;
  const std::array<int64_t, 4> sizes{FloatBytes(geometry.batch * image),
                                     method.weight_order->bytes(WeightShapeOf(geometry)),
                                     FloatBytes(geometry.batch * result), convolution.workspace_bytes};
  int64_t sum = 0;
  for (const int64_t size : sizes) sum += AlignedBytes(size);
  if (sum > kMostBytes) return std::numeric_limits<double>::infinity();
  const std::shared_ptr<void> memory = MapBlock(sum);
  if (memory == nullptr) return std::numeric_limits<double>::infinity();
  auto* at = static_cast<std::byte*>(memory.get());
  std::fill_n(at, sum, std::byte{0});
  ChannelsLastArrays arrays;
  arrays.input = reinterpret_cast<const float*>(at);
  at += AlignedBytes(sizes[0]);
  arrays.weight = at;
  at += AlignedBytes(sizes[1]);
  arrays.output = reinterpret_cast<float*>(at);
  arrays.output_strides = {geometry.channels_out, result};
  arrays.workspace = at + AlignedBytes(sizes[2]);
  double best = std::numeric_limits<double>::infinity();
  double spent = 0;
  for (int run = 0; run < kRuns && spent < kMostSeconds; ++run) {
    // In a network the other layers' weights drive this one's out of the caches.
    for (int64_t line = 0; line < sizes[1]; line += kCacheLine) {
      hwy::FlushCacheline(static_cast<const std::byte*>(arrays.weight) + line);
    }
    const auto start = std::chrono::steady_clock::now();
    ConvolveChannelsLast(convolution, arrays);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    best = std::min(best, seconds);
    spent += seconds;
  }
  return best;
}

}  // namespace

const ConvolutionMethod* FastestMethod(const ConvolutionGeometry& geometry,
                                       const std::vector<const ConvolutionMethod*>& candidates, int threads) {
  static std::mutex mutex;
  static std::map<std::pair<Key, std::vector<const ConvolutionMethod*>>, const ConvolutionMethod*> known;
  // Held while measuring: two measurements at once would disturb each other.
  const std::lock_guard<std::mutex> lock(mutex);
  const auto key = std::make_pair(MakeKey(geometry, threads), candidates);
  const auto found = known.find(key);
  if (found != known.end()) return found->second;
  const ConvolutionMethod* fastest = candidates.front();
  double least = std::numeric_limits<double>::infinity();
  for (const ConvolutionMethod* candidate : candidates) {
    const double seconds = Measure(geometry, *candidate, threads);
    if (seconds < least) {
      least = seconds;
      fastest = candidate;
    }
  }
  known.emplace(key, fastest);
  return fastest;
}

}  // namespace kuiper_infer::kernel
