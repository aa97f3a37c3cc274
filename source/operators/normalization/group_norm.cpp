// SPDX-License-Identifier: MIT
#include "kernel/normalization/channels_last_norm.hpp"
#include "kernel/normalization/row_normalization.hpp"
#include "operation/computation.hpp"
#include "operation/parameters.hpp"
#include "operation/strided_operand.hpp"
#include "operators/normalization/batch_norm.hpp"
#include "shape/layout.hpp"
#include "utils/dispatch.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer {
namespace {

/// Plans channels-last images; the output is channels-last, too. `weight` and `bias` are RunContext inputs; -1: none.
OperationPlan PlanChannelsLastGroups(const TensorArgument& x, int64_t channel_axis,
                                     const kernel::ChannelsLastNorm& norm, int weight, int bias) {
  OperationPlan plan;
  const AxisOrder order = ChannelsLastOrder(x.spec.rank(), channel_axis);
  plan.outputs = {OutputPlan::NewWithGaps(OrderedSpec(x.spec.type, x.spec.shape, order))};
  plan.workspace_bytes = FloatBytes(norm.workspace());
  SetActivatedCall(plan, [=, input = x.input](const kernel::Activation& activation) {
    return [=](const RunContext& c) {
      kernel::NormalizeChannelsLast(norm, c.inputs[input].as<float>(), DataOrNull<float>(c, weight),
                                    DataOrNull<float>(c, bias), activation, c.outputs[0].as<float>(),
                                    *FindPixelStrides(c.outputs[0].spec, channel_axis),
                                    reinterpret_cast<float*>(c.workspace));
    };
  });
  return plan;
}

/// Plans statistics over `channels / groups` channels and all axes after the channels.
OperationPlan PlanGroups(const Arguments& arguments, int64_t channel_axis, int64_t groups) {
  const TensorArgument x = arguments.Tensor("input");
  RequireFloating(arguments, x);
  const RuntimeDataType type = x.spec.type;
  const Shape& shape = x.spec.shape;
  const int64_t channels = shape[channel_axis];
  arguments.Require(groups >= 1 && channels % groups == 0, "input has " + std::to_string(channels) +
                                                               " channels, expected a multiple of the " +
                                                               std::to_string(groups) + " groups");
  const int weight = ParameterInput(arguments, "weight", {channels}, type);
  const int bias = ParameterInput(arguments, "bias", {channels}, type);
  RequireAffineWeight(arguments, "affine");
  kernel::NormalizationGeometry geometry;
  geometry.rows = ElementCount(Shape(shape.begin(), shape.begin() + channel_axis)) * groups;
  geometry.groups = groups;
  geometry.channels = channels / groups;
  geometry.inner = ElementCount(Shape(shape.begin() + channel_axis + 1, shape.end()));
  const double eps = arguments.Float("eps");
  const auto strides = FindPixelStrides(x.spec, channel_axis);
  if (type == RuntimeDataType::kTypeFloat32 && !x.spec.contiguous() && strides) {
    const int64_t images = channel_axis == 1 ? shape[0] : 1;
    return PlanChannelsLastGroups(x, channel_axis, {images, geometry.inner, channels, groups, eps, *strides}, weight,
                                  bias);
  }
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(type, shape)};
  const StridedOperand input = MakeRowMajorOperand(x, plan.workspace_bytes);
  plan.run = [geometry, eps, type, input, weight, bias](const RunContext& c) {
    DispatchFloating(type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      kernel::NormalizeRows(kernel::NormalizationKind::kVariance, geometry, eps,
                            static_cast<const T*>(OperandData(input, c)), DataOrNull<T>(c, weight),
                            DataOrNull<T>(c, bias), c.outputs[0].as<T>());
    });
  };
  return plan;
}

void RequireRank(const Arguments& arguments, int64_t least) {
  const TensorSpec& spec = arguments.Tensor("input").spec;
  arguments.Require(spec.rank() >= least,
                    "input is " + ShapeString(spec.shape) + ", expected at least rank " + std::to_string(least));
}

OperationPlan PlanGroupNorm(const Arguments& arguments) {
  RequireRank(arguments, 2);
  return PlanGroups(arguments, 1, arguments.Int("num_groups"));
}

/// If kDimensions is not 0, the input has that many axes after the channels, and may lack the batch. If it is 0, the
/// input has any number of axes after batch and channels.
template <int64_t kDimensions>
OperationPlan PlanInstanceNorm(const Arguments& arguments) {
  const int64_t rank = arguments.Tensor("input").spec.rank();
  RequireRank(arguments, kDimensions == 0 ? 3 : kDimensions + 1);
  const int64_t channel_axis = rank == kDimensions + 1 ? 0 : 1;
  if (arguments.Bool("track_running_stats")) return PlanKnownStatistics(arguments, channel_axis);
  return PlanGroups(arguments, channel_axis, arguments.Tensor("input").spec.shape[channel_axis]);
}

OperationPlan PlanRawInstanceNorm(const Arguments& arguments) {
  RequireRank(arguments, 3);
  if (!arguments.Bool("use_input_stats")) return PlanKnownStatistics(arguments, 1);
  return PlanGroups(arguments, 1, arguments.Tensor("input").spec.shape[1]);
}

}  // namespace

void RegisterGroupNorm(OperationTable& table) {
  table.Add({"nn.GroupNorm", "F.group_norm", "aten::group_norm"},
            "Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None, float eps=1e-5, "
            "bool cudnn_enabled=True, int? num_channels=None, bool? affine=None",
            PlanGroupNorm, InputLayout::kStridedFirst);
  const std::string instance =
      "Tensor input, Tensor? running_mean=None, Tensor? running_var=None, Tensor? weight=None, Tensor? bias=None, "
      "float eps=1e-5, bool track_running_stats=False, int? num_features=None, bool? affine=None";
  table.Add({"nn.InstanceNorm1d"}, instance, PlanInstanceNorm<1>, InputLayout::kStridedFirst);
  table.Add({"nn.InstanceNorm2d"}, instance, PlanInstanceNorm<2>, InputLayout::kStridedFirst);
  table.Add({"nn.InstanceNorm3d"}, instance, PlanInstanceNorm<3>, InputLayout::kStridedFirst);
  table.Add({"F.instance_norm"}, instance, PlanInstanceNorm<0>, InputLayout::kStridedFirst);
  table.Add({"aten::instance_norm"},
            "Tensor input, Tensor? weight=None, Tensor? bias=None, Tensor? running_mean=None, "
            "Tensor? running_var=None, bool use_input_stats=True, float momentum=0.1, float eps=1e-5, "
            "bool cudnn_enabled=True",
            PlanRawInstanceNorm, InputLayout::kStridedFirst);
}

}  // namespace kuiper_infer
