// SPDX-License-Identifier: MIT
#include "kernel/convolution/convolution_method.hpp"
#include "kernel/convolution/cost.hpp"
#include "kernel/convolution/winograd/int8_run.hpp"
#include "kernel/convolution/winograd/int8_weight.hpp"
#include "kernel/convolution/winograd/schedule.hpp"
#include "kernel/product/int8/product.hpp"

namespace kuiper_infer::kernel {
namespace {

/// Results are made of sums that are four times as large.
bool Suits(const ConvolutionGeometry& geometry) {
  return SuitsWinograd(geometry) && SuitsInt8(4 * geometry.group_depth());
}

void Schedule(ChannelsLastConvolution& convolution, int threads) {
  // Odd numbers of inputs are filled up, and outputs to whole panels.
  ChannelsLastConvolution filled = convolution;
  filled.geometry.channels_in = WordDepth(convolution.geometry.channels_in);
  filled.geometry.channels_out = WordColumns(convolution.geometry.channels_out);
  const int64_t weight_bytes = Int8WinogradOrder().bytes(WeightShapeOf(convolution.geometry));
  ScheduleWinograd(filled, threads, {2, sizeof(int16_t), sizeof(int32_t), weight_bytes});
  filled.geometry = convolution.geometry;
  convolution = filled;
}

/// A unit for dot products of bytes multiplies twice as many of them as of words.
double Cost(const ConvolutionGeometry& geometry, bool, int threads, double product_time) {
  constexpr double kTransform = 2.5;
  constexpr double kWeightRead = 4;  // two bytes, which come while others are multiplied
  if (UsedInt8Unit() != Int8Unit::kAvx2) return kNotWorthwhile;
  ChannelsLastConvolution convolution;
  convolution.geometry = geometry;
  Schedule(convolution, threads);
  MatrixWork work = WinogradWork(convolution, 2, kTransform);
  work.weight_read = kWeightRead;
  return EstimateTime(work, threads, product_time);
}

}  // namespace

ConvolutionMethod Int8WinogradMethod() {
  ConvolutionMethod method;
  method.name = "winograd2_int8";
  method.formats = kInt8;
  method.weight_order = &Int8WinogradOrder();
  method.suits = Suits;
  method.cost = Cost;
  method.schedule = Schedule;
  method.run = RunInt8Winograd;
  return method;
}

}  // namespace kuiper_infer::kernel
