// SPDX-License-Identifier: MIT
#include "kernel/convolution_method.hpp"

#include <algorithm>
#include <vector>

#include "kernel/channels_last_depthwise.hpp"
#include "kernel/method_measurement.hpp"
#include "kernel/winograd.hpp"
#include "kernel/winograd_tiles.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer::kernel {
namespace {

/// Estimated time of a thread, in multiply-adds of one number: the products or the reading of the weight by each piece,
/// whichever takes longer, and what is done with every number of the image and of the output.
double Cost(const ConvolutionGeometry& geometry, ConvolutionMethod method, int threads) {
  constexpr double kWeightRead = 32;  // a number from beyond the second-level cache
  constexpr double kTransform = 10;   // a number transformed and kept for the product
  constexpr double kWindowCopy = 4;   // a number copied into the rows
  constexpr double kCachedWeight = 256 * 1024;
  const auto in = static_cast<double>(geometry.channels_in);
  const auto out = static_cast<double>(geometry.channels_out);
  const int64_t m = WinogradTile(method);
  const auto size = static_cast<double>(m > 0 ? (m + 2) * (m + 2) : geometry.grid.taps());
  ChannelsLastConvolution plan;
  plan.geometry = geometry;
  plan.method = method;
  if (m > 0) ScheduleWinograd(plan, threads);
  const int64_t count = m > 0 ? WinogradTiles(plan).count() : geometry.batch * geometry.grid.position_count();
  const auto rows = static_cast<double>(count);
  const auto pieces = static_cast<double>(m > 0 ? DivideUp(count, plan.tile) : 1);
  const double weight = size * in * out;
  // Products of few rows leave the tiles' registers partly empty.
  constexpr double kTileRows = 6;
  const double products = std::max(rows, kTileRows) * weight / threads;
  const double reading = weight > kCachedWeight ? pieces * weight * kWeightRead / threads : 0;
  const double others = m > 0 ? rows * size * (in + out) * kTransform : rows * size * in * kWindowCopy;
  return std::max(products, reading) + others / threads;
}

}  // namespace

bool SuitsSegments(const ConvolutionGeometry& geometry) {
  const auto& [depth, height, width] = geometry.grid.window;
  return geometry.groups == 1 && width.dilation == 1 && depth.kernel == 1 && geometry.grid.image[0] == 1 &&
         geometry.grid.positions[0] == 1 && depth.padding_begin == 0;
}

ConvolutionMethod ChooseMethod(const ConvolutionGeometry& geometry, bool channels_last, const MethodChoice& choice) {
  // Shorter rows of outputs don't fill the registers' tiles evenly.
  constexpr int64_t kLongRow = 24;
  const bool depthwise = geometry.groups > 1 && geometry.groups == geometry.channels_in;
  if (depthwise && geometry.channels_out == geometry.channels_in) return ConvolutionMethod::kDepthwise;
  if (SuitsGroupedVectors(geometry)) return ConvolutionMethod::kGrouped;
  if (geometry.grid.pointwise() && channels_last) return ConvolutionMethod::kDirect;
  const std::string_view forced = choice.forced;
  // A padded copy only pays where the image has to be copied anyway, and is not mostly padding.
  constexpr int64_t kMostGrowth = 4;
  const auto [depth, height, width] = geometry.grid.padded_image();
  const bool fits = depth * height * width <= kMostGrowth * geometry.grid.image_size();
  const bool long_rows =
      geometry.grid.positions[2] >= kLongRow && !(geometry.grid.pads() && channels_last) && forced != "rows";
  const bool segments = SuitsSegments(geometry) && fits && (long_rows || forced == "segments");
  const ConvolutionMethod plain = segments ? ConvolutionMethod::kSegments : ConvolutionMethod::kRows;
  if (!SuitsWinograd(geometry) || forced == "rows" || forced == "segments") return plain;
  if (forced == "winograd2") return ConvolutionMethod::kWinograd2;
  if (forced == "winograd4") return ConvolutionMethod::kWinograd4;
  if (forced == "winograd6") return ConvolutionMethod::kWinograd6;
  if (choice.measure && channels_last) {
    const std::vector<ConvolutionMethod> candidates{plain, ConvolutionMethod::kWinograd2, ConvolutionMethod::kWinograd4,
                                                    ConvolutionMethod::kWinograd6};
    return FastestMethod(geometry, candidates, choice.threads);
  }
  // F(6,3), the least exact, is left to those who ask for it or for a measurement.
  const auto cost = [&](ConvolutionMethod method) { return Cost(geometry, method, choice.threads); };
  return std::min({plain, ConvolutionMethod::kWinograd2, ConvolutionMethod::kWinograd4},
                  [&](ConvolutionMethod a, ConvolutionMethod b) { return cost(a) < cost(b); });
}

}  // namespace kuiper_infer::kernel
