// SPDX-License-Identifier: MIT
#include "kernel/convolution/convolution_method.hpp"
#include "kernel/convolution/convolution_product.hpp"
#include "kernel/convolution/cost.hpp"
#include "kernel/convolution/winograd/run.hpp"
#include "kernel/convolution/winograd/schedule.hpp"
#include "kernel/convolution/winograd/weight.hpp"

namespace kuiper_infer::kernel {
namespace {

template <int m>
void Schedule(ChannelsLastConvolution& convolution, int threads) {
  const int64_t weight_bytes = LayoutWinograd<m>(*convolution.product).Bytes(WeightShapeOf(convolution.geometry));
  constexpr int64_t kLeastTiles = 20;
  ScheduleWinograd(convolution, threads, {m, sizeof(float), sizeof(float), weight_bytes, kLeastTiles});
}

/// Larger tiles magnify errors too much for factors that are rounded to bfloat16.
template <int m>
bool Suits(const ConvolutionGeometry& geometry, const ProductKernel& product) {
  const bool rounded = m == 2 && product.RoundsToBFloat16();
  return (&product.format == &kFloat32Format || rounded) && SuitsWinograd(geometry);
}

template <int m>
double Cost(const ConvolutionGeometry& geometry, bool /*channels_last*/, int threads, const ProductKernel& product) {
  constexpr double kTransform = 10;
  ChannelsLastConvolution convolution;
  convolution.geometry = geometry;
  convolution.product = &product;
  Schedule<m>(convolution, threads);
  MatrixWork work = WinogradWork(convolution, m, kTransform);
  work.weight_read = product.format.bits;  // as long as eight multiply-adds for each byte
  return EstimateTime(work, threads, product.Time(ProductShapeOf(geometry)));
}

template <int m>
ConvolutionMethod MakeMethod(const char* name, decltype(ConvolutionMethod::run) run, double rounding) {
  ConvolutionMethod method;
  method.name = name;
  method.suits = Suits<m>;
  method.layout = LayoutWinograd<m>;
  method.cost = Cost<m>;
  method.schedule = Schedule<m>;
  method.run = run;
  method.rounding = rounding;
  method.stores_bfloat16 = true;
  return method;
}

}  // namespace

ConvolutionMethod Winograd2Method() { return MakeMethod<2>("winograd2", RunWinograd2, 2); }
ConvolutionMethod Winograd4Method() { return MakeMethod<4>("winograd4", RunWinograd4, 4); }
ConvolutionMethod Winograd6Method() { return MakeMethod<6>("winograd6", RunWinograd6, 32); }

}  // namespace kuiper_infer::kernel
