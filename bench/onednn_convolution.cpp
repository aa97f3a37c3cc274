// SPDX-License-Identifier: MIT
#include "onednn_convolution.hpp"

#include <algorithm>

#include <dnnl.hpp>

#include "bench_util.hpp"

namespace kuiper_infer::bench {
namespace {

dnnl::memory::desc AnyLayout(const dnnl::memory::dims& shape) {
  return {shape, dnnl::memory::data_type::f32, dnnl::memory::format_tag::any};
}

dnnl::memory Filled(const dnnl::memory::desc& description, const dnnl::engine& engine) {
  dnnl::memory memory(description, engine);
  auto* data = static_cast<float*>(memory.get_data_handle());
  std::fill_n(data, description.get_size() / sizeof(float), 0.5F);
  return memory;
}

}  // namespace

void RunOneDnn(benchmark::State& state, const kernel::ConvolutionGeometry& geometry, double ceiling) {
  const auto& [image, window, positions] = geometry.grid;
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  const int64_t inputs = geometry.channels_in / geometry.groups;
  const int64_t outputs = geometry.channels_out / geometry.groups;
  dnnl::memory::dims weight{outputs, inputs, window[1].kernel, window[2].kernel};
  if (geometry.groups > 1) weight.insert(weight.begin(), geometry.groups);
  // The padding after the image follows from the number of positions.
  const auto behind = [&, &image = image, &window = window, &positions = positions](int axis) {
    return (positions[axis] - 1) * window[axis].stride - window[axis].padding_begin + window[axis].kernel - image[axis];
  };
  const dnnl::convolution_forward::desc description(
      dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_auto,
      AnyLayout({geometry.batch, geometry.channels_in, image[1], image[2]}), AnyLayout(weight),
      AnyLayout({geometry.channels_out}),
      AnyLayout({geometry.batch, geometry.channels_out, positions[1], positions[2]}),
      {window[1].stride, window[2].stride}, {window[1].padding_begin, window[2].padding_begin}, {behind(1), behind(2)});
  const dnnl::convolution_forward::primitive_desc chosen(description, engine);
  const dnnl::convolution_forward convolution(chosen);
  dnnl::memory output(chosen.dst_desc(), engine);
  const std::unordered_map<int, dnnl::memory> arguments{{DNNL_ARG_SRC, Filled(chosen.src_desc(), engine)},
                                                        {DNNL_ARG_WEIGHTS, Filled(chosen.weights_desc(), engine)},
                                                        {DNNL_ARG_BIAS, Filled(chosen.bias_desc(), engine)},
                                                        {DNNL_ARG_DST, output}};
  for (auto _ : state) {
    convolution.execute(stream, arguments);
    stream.wait();
    benchmark::ClobberMemory();
  }
  ReportFlops(state, geometry.multiply_adds(), ceiling);
}

}  // namespace kuiper_infer::bench
