// SPDX-License-Identifier: MIT
#include "operators/convolution/channels_last_arrays.hpp"

#include <algorithm>

#include "kernel/product/bfloat16/kernel.hpp"
#include "kernel/product/float32/kernel.hpp"
#include "shape/layout.hpp"

namespace kuiper_infer {

kernel::MethodChoice ChoiceOf(const PlanningContext& context) {
  kernel::MethodChoice choice{context.threads, context.measurements.get(), context.convolution_method, {}};
  if (context.pieces > 0) {
    choice.products.push_back(&kernel::BFloat16KernelOf(context.units.bfloat16, context.pieces));
  }
  choice.products.push_back(&kernel::Float32Kernel(context.units.isa));
  return choice;
}

kernel::ImageStrides ImageStridesOf(const TensorSpec& spec, int64_t channel_axis) {
  const auto stride = [&](int64_t axis) { return axis >= 0 ? spec.strides[static_cast<std::size_t>(axis)] : 0; };
  const int64_t rank = spec.rank();
  kernel::ImageStrides strides;
  strides.image = channel_axis == 1 ? stride(0) : 0;
  strides.channel = stride(channel_axis);
  strides.pixel = stride(rank - 1);
  if (rank - channel_axis > 2) strides.row = stride(rank - 2);
  if (rank - channel_axis > 3) strides.plane = stride(rank - 3);
  if (const auto pixels = FindPixelStrides(spec, channel_axis)) {
    strides.image = pixels->image;
    strides.pixel = pixels->pixel;
    strides.row = pixels->pixel * spec.shape.back();
    strides.channel = 1;
  }
  return strides;
}

bool IsChannelFactor(const TensorSpec& factor, const TensorSpec& image, int64_t channel_axis) {
  Shape shape = image.shape;
  std::fill(shape.begin() + channel_axis + 1, shape.end(), 1);
  return factor.shape == shape && factor.contiguous();
}

bool CanAdd(const Fusion& fusion, int64_t channel_axis) {
  return fusion.residual < 0 || FindPixelStrides(fusion.residual_spec, channel_axis).has_value();
}

void SetResult(const RunContext& c, const Fusion& fusion, int64_t channel_axis, kernel::ChannelsLastArrays& arrays) {
  if (fusion.residual >= 0) {
    arrays.residual = c.inputs[fusion.residual].data;
    arrays.residual_type = fusion.InputStorage(fusion.residual).type;
    arrays.residual_strides = *FindPixelStrides(fusion.residual_spec, channel_axis);
  }
  arrays.activation = fusion.activation;
  arrays.output = c.outputs[0].data;
  arrays.output_type = fusion.result.type;
  arrays.output_strides = *FindPixelStrides(c.outputs[0].spec, channel_axis);
}

void RoundResult(const kernel::QuantizationGrid& grid, const kernel::ConvolutionGeometry& geometry,
                 const PixelStrides& strides, float* output) {
  const int64_t positions = geometry.grid.position_count();
  for (int64_t n = 0; n < geometry.batch; ++n) {
    float* const image = output + n * strides.image;
    if (strides.pixel == geometry.channels_out) {
      kernel::RoundToGrid(grid, positions * strides.pixel, image, image);
      continue;
    }
    for (int64_t i = 0; i < positions; ++i) {
      float* const pixel = image + i * strides.pixel;
      kernel::RoundToGrid(grid, geometry.channels_out, pixel, pixel);
    }
  }
}

}  // namespace kuiper_infer
