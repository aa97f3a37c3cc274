// SPDX-License-Identifier: MIT
#include "operators/normalization/batch_norm.hpp"

#include <algorithm>
#include <cmath>

#include "kernel/normalization/batch_statistics.hpp"
#include "kernel/normalization/channels_last_norm.hpp"
#include "kernel/normalization/scale_shift.hpp"
#include "operation/computation.hpp"
#include "operation/parameters.hpp"
#include "operation/strided_operand.hpp"
#include "utils/dispatch.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer {

namespace {

/// The statistics, weights and biases, checked against the number of channels.
struct BatchNormArguments {
  TensorArgument input;
  int64_t channel_axis;
  AxisGeometry geometry;
  Shape channels;
  int weight;
  int bias;
  double eps;
};

BatchNormArguments ReadBatchNorm(const Arguments& arguments, int64_t channel_axis) {
  BatchNormArguments read;
  read.input = arguments.Tensor("input");
  RequireFloating(arguments, read.input);
  const RuntimeDataType type = read.input.spec.type;
  const Shape& shape = read.input.spec.shape;
  arguments.Require(read.input.spec.rank() > channel_axis,
                    "input is " + ShapeString(shape) + ", expected at least rank " + std::to_string(channel_axis + 1));
  read.channels = {shape[channel_axis]};
  read.weight = ParameterInput(arguments, "weight", read.channels, type);
  read.bias = ParameterInput(arguments, "bias", read.channels, type);
  RequireAffineWeight(arguments, "affine");
  read.geometry.outer = ElementCount(Shape(shape.begin(), shape.begin() + channel_axis));
  read.geometry.extent = shape[channel_axis];
  read.geometry.inner = ElementCount(Shape(shape.begin() + channel_axis + 1, shape.end()));
  read.channel_axis = channel_axis;
  read.eps = arguments.Float("eps");
  return read;
}

/// `mean` and `variance` are RunContext inputs; -1 means the statistics of the batch itself.
OperationPlan PlanScaleShift(const BatchNormArguments& read, int mean, int variance) {
  const RuntimeDataType type = read.input.spec.type;
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(type, read.input.spec.shape)};
  plan.workspace_bytes = AlignedBytes(4 * ByteCount(type, read.channels));
  const StridedOperand input = MakeRowMajorOperand(read.input, plan.workspace_bytes);
  plan.run = [geometry = read.geometry, eps = read.eps, type, input, weight = read.weight, bias = read.bias, mean,
              variance](const RunContext& c) {
    DispatchFloating(type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      T* scale = reinterpret_cast<T*>(c.workspace);
      T* shift = scale + geometry.extent;
      T* center = shift + geometry.extent;
      T* spread = center + geometry.extent;
      const T* x = static_cast<const T*>(OperandData(input, c));
      if (mean < 0) kernel::BatchStatistics(geometry, x, center, spread);
      // Without eps, channels that do not vary become 0, as in PyTorch.
      if (mean < 0 && eps == 0) std::replace(spread, spread + geometry.extent, T(0), T(HUGE_VAL));
      kernel::FoldStatistics(geometry.extent, eps, mean < 0 ? center : c.inputs[mean].as<T>(),
                             mean < 0 ? spread : c.inputs[variance].as<T>(), DataOrNull<T>(c, weight),
                             DataOrNull<T>(c, bias), scale, shift);
      kernel::ScaleShift(geometry, x, scale, shift, c.outputs[0].as<T>());
    });
  };
  return plan;
}

/// Plans channels-last float images with known statistics; the output is channels-last, too. Nothing for other inputs.
std::optional<OperationPlan> ScheduleChannelsLast(const BatchNormArguments& read, int mean, int variance) {
  const TensorSpec& spec = read.input.spec;
  const auto strides = FindPixelStrides(spec, read.channel_axis);
  if (spec.type != RuntimeDataType::kTypeFloat32 || spec.contiguous() || !strides || mean < 0) return {};
  OperationPlan plan;
  const AxisOrder order = ChannelsLastOrder(spec.rank(), read.channel_axis);
  plan.outputs = {OutputPlan::NewWithGaps(OrderedSpec(spec.type, spec.shape, order))};
  plan.workspace_bytes = 3 * ByteCount(spec.type, read.channels);
  const int64_t images = read.channel_axis == 1 ? spec.shape[0] : 1;
  const kernel::ChannelsLastNorm norm{images, read.geometry.inner, read.geometry.extent, 1, read.eps, *strides};
  SetActivatedCall(plan, [=, input = read.input.input, weight = read.weight, bias = read.bias,
                          channel_axis = read.channel_axis](const kernel::Activation& activation) {
    return [=](const RunContext& c) {
      const auto* w = DataOrNull<float>(c, weight);
      const auto* b = DataOrNull<float>(c, bias);
      const auto* spread = c.inputs[variance].as<float>();
      auto* rows = reinterpret_cast<float*>(c.workspace);
      std::copy_n(c.inputs[mean].as<float>(), norm.channels, rows);
      for (int64_t i = 0; i < norm.channels; ++i) {
        const double scale = 1.0 / std::sqrt(static_cast<double>(spread[i]) + norm.eps);
        rows[norm.channels + i] = static_cast<float>(w != nullptr ? w[i] * scale : scale);
        rows[2 * norm.channels + i] = b != nullptr ? b[i] : 0.0F;
      }
      kernel::ScaleChannelsLast(norm, c.inputs[input].as<float>(), rows, 0, activation, c.outputs[0].as<float>(),
                                *FindPixelStrides(c.outputs[0].spec, channel_axis));
    };
  });
  return plan;
}

OperationPlan PlanBatchNorm(const Arguments& arguments) {
  if (!arguments.Bool("training")) return PlanKnownStatistics(arguments, 1);
  return PlanScaleShift(ReadBatchNorm(arguments, 1), -1, -1);
}

/// The converter doesn't write `training`. If the file has no statistics, those of the batch are used.
OperationPlan PlanFunctional(const Arguments& arguments) {
  const bool known = arguments.Has("running_mean") || arguments.Has("running_var");
  return known ? PlanBatchNorm(arguments) : PlanScaleShift(ReadBatchNorm(arguments, 1), -1, -1);
}

}  // namespace

OperationPlan PlanKnownStatistics(const Arguments& arguments, int64_t channel_axis) {
  const BatchNormArguments read = ReadBatchNorm(arguments, channel_axis);
  arguments.Tensor("running_mean");
  arguments.Tensor("running_var");
  const RuntimeDataType type = read.input.spec.type;
  const int mean = ParameterInput(arguments, "running_mean", read.channels, type);
  const int variance = ParameterInput(arguments, "running_var", read.channels, type);
  if (auto plan = ScheduleChannelsLast(read, mean, variance)) return *std::move(plan);
  return PlanScaleShift(read, mean, variance);
}

void RegisterBatchNorm(OperationTable& table) {
  const std::string schema =
      "Tensor input, Tensor? running_mean=None, Tensor? running_var=None, Tensor? weight=None, Tensor? bias=None, "
      "bool training=False, float eps=1e-5, int? num_features=None, bool? affine=None";
  table.Add({"nn.BatchNorm1d", "nn.BatchNorm2d", "nn.BatchNorm3d"}, schema, PlanBatchNorm, InputLayout::kStridedFirst);
  table.Add({"F.batch_norm"}, schema, PlanFunctional, InputLayout::kStridedFirst);
  table.Add({"aten::batch_norm"},
            "Tensor input, Tensor? weight=None, Tensor? bias=None, Tensor? running_mean=None, "
            "Tensor? running_var=None, bool training=False, float momentum=0.1, float eps=1e-5, "
            "bool cudnn_enabled=True",
            PlanBatchNorm);
}

}  // namespace kuiper_infer
