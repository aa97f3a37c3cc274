// SPDX-License-Identifier: MIT
#include <algorithm>

#include "kernel/convolution/convolution_method.hpp"
#include "kernel/convolution/convolution_product.hpp"
#include "kernel/convolution/cost.hpp"
#include "kernel/convolution/winograd/int8_run.hpp"
#include "kernel/convolution/winograd/int8_weight.hpp"
#include "kernel/convolution/winograd/schedule.hpp"
#include "kernel/product/int8/kernel.hpp"
#include "kernel/product/int8/tile.hpp"

namespace kuiper_infer::kernel {
namespace {

/// Whether the method suits. F(2,3) computes four times each sum (int8_weight.hpp), which has to fit 32 bits.
bool Suits(const ConvolutionGeometry& geometry, const ProductKernel& product) {
  return product.left == RuntimeDataType::kTypeUInt8 && SuitsWinograd(geometry) &&
         SuitsInt8(4 * geometry.group_depth());
}

template <int m>
void Schedule(ChannelsLastConvolution& convolution, int threads) {
  // An odd number of inputs is filled up to an even one, and outputs to whole panels; the sums of a few panels are in
  // memory at a time.
  ChannelsLastConvolution filled = convolution;
  filled.geometry.channels_in = WordDepth(convolution.geometry.channels_in);
  filled.geometry.channels_out = std::min(WordColumns(convolution.geometry.channels_out), kInt8Columns);
  constexpr int64_t kNoTime = 0;  // reading the weight takes no time, because it is prefetched during the product
  constexpr int64_t kLeastTiles = 4;
  ScheduleWinograd(filled, threads, {m, sizeof(int16_t), sizeof(int32_t), kNoTime, kLeastTiles});
  filled.geometry = convolution.geometry;
  convolution = filled;
}

/// The times of a unit's products of words relative to products of bytes.
struct WordTime {
  double product;    ///< of a multiply-add, in multiply-adds of bytes
  double transform;  ///< of a number, in float multiply-adds
  double read;       ///< of a number of the weight from outside of the cache, prefetched during the product
};

WordTime TimeOf(Int8Unit unit) {
  if (unit == Int8Unit::kAvx2) return {1, 2.5, 2};
  if (unit == Int8Unit::kAvx512Vnni) return {2, 5, 7};
  if (unit == Int8Unit::kAvxVnni) return {2, 5, 3.5};
  return {kNotWorthwhile, 0, 0};
}

template <int m>
double Cost(const ConvolutionGeometry& geometry, bool /*channels_last*/, int threads, const ProductKernel& product) {
  const WordTime time = TimeOf(product.units.int8);
  if (time.product == kNotWorthwhile) return kNotWorthwhile;
  ChannelsLastConvolution convolution;
  convolution.geometry = geometry;
  Schedule<m>(convolution, threads);
  MatrixWork work = WinogradWork(convolution, m, time.transform);
  work.weight_read = time.read;
  return EstimateTime(work, threads, time.product * product.Time(ProductShapeOf(geometry)));
}

template <int m>
ConvolutionMethod MakeMethod(const char* name, decltype(ConvolutionMethod::run) run) {
  ConvolutionMethod method;
  method.name = name;
  method.suits = Suits;
  method.layout = LayoutInt8Winograd<m>;
  method.cost = Cost<m>;
  method.schedule = Schedule<m>;
  method.run = run;
  return method;
}

}  // namespace

ConvolutionMethod Int8Winograd2Method() { return MakeMethod<2>("winograd2", RunInt8Winograd2); }
ConvolutionMethod Int8Winograd4Method() { return MakeMethod<4>("winograd4", RunInt8Winograd4); }

}  // namespace kuiper_infer::kernel
