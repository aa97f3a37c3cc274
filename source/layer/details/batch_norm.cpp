// SPDX-License-Identifier: MIT
#include "layer/details/batch_norm.hpp"

#include "kernel/normalization.hpp"
#include "layer/details/parameters.hpp"
#include "utils/dispatch.hpp"

namespace kuiper_infer {

OperationPlan PlanKnownStatistics(const Arguments& arguments, int64_t channel_axis) {
  const TensorArgument x = arguments.Tensor("input");
  RequireFloating(arguments, x);
  const RuntimeDataType type = x.spec.type;
  const Shape& shape = x.spec.shape;
  arguments.Require(x.spec.rank() > channel_axis,
                    "input is " + ShapeString(shape) + ", expected at least rank " + std::to_string(channel_axis + 1));
  const int64_t channels = shape[channel_axis];
  const Shape expected{channels};
  arguments.Tensor("running_mean");
  arguments.Tensor("running_var");
  const int mean = ParameterInput(arguments, "running_mean", expected, type);
  const int variance = ParameterInput(arguments, "running_var", expected, type);
  const int weight = ParameterInput(arguments, "weight", expected, type);
  const int bias = ParameterInput(arguments, "bias", expected, type);
  RequireAffineWeight(arguments, "affine");

  kernel::AxisGeometry geometry;
  geometry.outer = ElementCount(Shape(shape.begin(), shape.begin() + channel_axis));
  geometry.extent = channels;
  geometry.inner = ElementCount(Shape(shape.begin() + channel_axis + 1, shape.end()));
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(type, shape)};
  plan.workspace_bytes = 2 * ByteCount(type, expected);
  plan.run = [geometry, eps = arguments.Float("eps"), input = x.input, mean, variance, weight,
              bias](const RunContext& c) {
    DispatchFloating(c.inputs[input].type(), [&](auto tag) {
      using T = typename decltype(tag)::type;
      T* scale = reinterpret_cast<T*>(c.workspace);
      T* shift = scale + geometry.extent;
      kernel::FoldStatistics(geometry.extent, eps, c.inputs[mean].as<T>(), c.inputs[variance].as<T>(),
                             DataOrNull<T>(c, weight), DataOrNull<T>(c, bias), scale, shift);
      kernel::ScaleShift(geometry, c.inputs[input].as<T>(), scale, shift, c.outputs[0].as<T>());
    });
  };
  return plan;
}

namespace {

OperationPlan PlanBatchNorm(const Arguments& arguments) {
  if (arguments.Bool("training")) {
    arguments.Fail(ErrorCode::kUnsupported, "training=True: statistics of the batch are not supported");
  }
  return PlanKnownStatistics(arguments, 1);
}

}  // namespace

void RegisterBatchNorm(OperationTable& table) {
  table.Add({"nn.BatchNorm1d", "nn.BatchNorm2d", "nn.BatchNorm3d", "F.batch_norm"},
            "Tensor input, Tensor? running_mean=None, Tensor? running_var=None, Tensor? weight=None, "
            "Tensor? bias=None, bool training=False, float eps=1e-5, int? num_features=None, bool? affine=None",
            PlanBatchNorm);
  table.Add({"aten::batch_norm"},
            "Tensor input, Tensor? weight=None, Tensor? bias=None, Tensor? running_mean=None, "
            "Tensor? running_var=None, bool training=False, float momentum=0.1, float eps=1e-5, "
            "bool cudnn_enabled=True",
            PlanBatchNorm);
}

}  // namespace kuiper_infer
