// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>

#include "kernel/convolution/channels_last.hpp"
#include "kernel/convolution/choose_method.hpp"
#include "kernel/movement/copy.hpp"
#include "operation/computation.hpp"
#include "operation/planning_context.hpp"
#include "operation/weights/packed_weight.hpp"
#include "operators/convolution/channels_last_arrays.hpp"
#include "operators/convolution/conv_transpose.hpp"
#include "operators/convolution/phase_taps.hpp"
#include "shape/layout.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer {
namespace {

/// An ordinary convolution that computes the outputs of one remainder along each axis.
struct Phase {
  kernel::ChannelsLastConvolution convolution;
  std::shared_ptr<const PackedWeight> weight;
  TensorSpec result;  ///< (batch, height, width, channels) without gaps
  TensorSpec target;  ///< its place in the output
  int64_t offset = 0;
};

bool Suits(const ConvolutionArguments& read) {
  const kernel::ConvolutionGeometry& geometry = read.geometry;
  const auto& [depth, height, width] = geometry.grid.window;
  constexpr int64_t kFewChannels = 8;  // would leave most of each vector empty
  const auto fits = [](const Window& w) {
    // Every remainder meets a tap, and what padding takes away is no more than the taps reach.
    return w.dilation == 1 && w.kernel >= w.stride && w.padding_begin < w.kernel;
  };
  return read.input.spec.type == RuntimeDataType::kTypeFloat32 && !read.input.is_constant() &&
         read.weight.is_constant() && read.weight.spec.contiguous() && geometry.groups == 1 && read.image.size() <= 2 &&
         geometry.channels_out >= kFewChannels && read.input.spec.size() > 0 &&
         ElementCount(ConvolutionOutputShape(read, geometry.grid.image)) > 0 && fits(height) && fits(width) &&
         (!read.bias.has_value() || read.bias->spec.contiguous());
}

/// Returns all phases, or none if one can't be made. They share scratch memory behind `offset` of the workspace: a
/// phase's result, then the result of its convolution.
std::vector<Phase> MakePhases(const PlanningContext& context, const ConvolutionArguments& read,
                              const kernel::ImageStrides& input, int64_t offset, int64_t& result_bytes,
                              int64_t& workspace_bytes) {
  const kernel::ConvolutionGeometry& given = read.geometry;
  const auto& [depth, height, width] = given.grid.window;
  const int64_t channels = given.channels_out;
  const int64_t row = given.grid.image[2] * channels;
  const NdArray values = read.weight.values().Contiguous();
  std::vector<Phase> phases;
  for (int64_t r = 0; r < std::min(height.stride, given.grid.image[1]); ++r) {
    for (int64_t s = 0; s < std::min(width.stride, given.grid.image[2]); ++s) {
      const PhaseAxis y = MakePhaseAxis(height, given.grid.positions[1], given.grid.image[1], r);
      const PhaseAxis x = MakePhaseAxis(width, given.grid.positions[2], given.grid.image[2], s);
      if (y.window.padding_begin < 0 || x.window.padding_begin < 0) return {};
      kernel::ConvolutionGeometry geometry = given;
      geometry.grid.image = given.grid.positions;
      geometry.grid.positions = {1, y.positions, x.positions};
      geometry.grid.window = {Window{}, y.window, x.window};
      Phase phase;
      const kernel::ConvolutionChoice choice = kernel::ChooseMethod(geometry, true, ChoiceOf(context));
      phase.convolution = kernel::ScheduleChannelsLast(geometry, input, context.threads, choice);
      phase.weight = PackConvolutionWeight(context, PhaseWeight(read, values, y, x), phase.convolution);
      if (phase.weight == nullptr) return {};
      const Shape shape{geometry.batch, y.positions, x.positions, channels};
      phase.result = TensorSpec(RuntimeDataType::kTypeFloat32, shape);
      phase.target = TensorSpec(RuntimeDataType::kTypeFloat32, shape,
                                {given.grid.image[1] * row, height.stride * row, width.stride * channels, 1});
      phase.offset = r * row + s * channels;
      result_bytes = std::max(result_bytes, AlignedBytes(ByteCount(phase.result.type, shape)));
      phases.push_back(std::move(phase));
    }
  }
  for (const Phase& phase : phases) {
    workspace_bytes = std::max(workspace_bytes, offset + result_bytes + phase.convolution.workspace_bytes);
  }
  return phases;
}

}  // namespace

std::optional<OperationPlan> PlanTransposedPhases(const PlanningContext& context, const ConvolutionArguments& read) {
  if (!Suits(read)) return {};
  OperationPlan plan;
  const kernel::ConvolutionGeometry& geometry = read.geometry;
  const int64_t channel_axis = read.batched ? 1 : 0;
  const AxisOrder order = ChannelsLastOrder(read.input.spec.rank(), channel_axis);
  const bool ready = FindPixelStrides(read.input.spec, channel_axis).has_value();
  const StridedOperand input = MakeOrderedOperand(read.input, order, ready, plan.workspace_bytes);
  const PixelStrides pixels = *FindPixelStrides(input.used, channel_axis);
  const kernel::ImageStrides strides{pixels.image, 0, pixels.pixel * geometry.grid.positions[2], pixels.pixel, 1};
  const int64_t offset = plan.workspace_bytes;
  int64_t result_bytes = 0;
  const std::vector<Phase> phases = MakePhases(context, read, strides, offset, result_bytes, plan.workspace_bytes);
  if (phases.empty()) return {};
  plan.multiply_adds = geometry.multiply_adds();
  plan.method = "phases";
  plan.outputs = {OutputPlan::New(
      OrderedSpec(RuntimeDataType::kTypeFloat32, ConvolutionOutputShape(read, geometry.grid.image), order))};
  const int bias = read.bias_input();
  SetActivatedCall(plan, [=](const kernel::Activation& activation) {
    return [=](const RunContext& c) {
      kernel::ChannelsLastArrays arrays;
      arrays.input = OperandData(input, c);
      arrays.bias = bias >= 0 ? c.inputs[bias].as<float>() : nullptr;
      arrays.activation = activation;
      arrays.workspace = c.workspace + offset + result_bytes;
      for (const Phase& phase : phases) {
        const bool whole = phases.size() == 1;
        float* target = c.outputs[0].as<float>() + phase.offset;
        arrays.weight = phase.weight->packed.raw();
        float* const result = whole ? target : reinterpret_cast<float*>(c.workspace + offset);
        arrays.output = result;
        arrays.output_strides = {phase.result.strides[2], phase.result.strides[0]};
        kernel::ConvolveChannelsLast(phase.convolution, arrays);
        if (!whole) kernel::Copy(result, phase.result, target, phase.target);
      }
    };
  });
  return plan;
}

}  // namespace kuiper_infer
