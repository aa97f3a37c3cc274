// SPDX-License-Identifier: MIT
#include <limits>

#include "kernel/normalization/row_normalization.hpp"
#include "operation/parameters.hpp"
#include "utils/dispatch.hpp"
#include "utils/numbers_string.hpp"

namespace kuiper_infer {
namespace {

/// Reads eps; None stands for the machine epsilon of the input's type.
double ReadEpsilon(const Arguments& arguments, RuntimeDataType type) {
  if (arguments.Has("eps")) return arguments.Float("eps");
  return type == RuntimeDataType::kTypeFloat64 ? std::numeric_limits<double>::epsilon()
                                               : std::numeric_limits<float>::epsilon();
}

template <kernel::NormalizationKind kKind>
OperationPlan PlanTrailingNorm(const Arguments& arguments) {
  const TensorArgument x = arguments.Tensor("input");
  RequireFloating(arguments, x);
  const RuntimeDataType type = x.spec.type;
  const Shape& shape = x.spec.shape;
  const Shape normalized = arguments.Ints("normalized_shape");
  const auto axes = static_cast<int64_t>(normalized.size());
  arguments.Require(axes >= 1 && axes <= x.spec.rank() && Shape(shape.end() - axes, shape.end()) == normalized,
                    "input is " + ShapeString(shape) + ", expected normalized_shape " + NumbersString(normalized) +
                        " as its last extents");
  const int weight = ParameterInput(arguments, "weight", normalized, type);
  const int bias = ParameterInput(arguments, "bias", normalized, type);
  RequireAffineWeight(arguments, "elementwise_affine");
  kernel::NormalizationGeometry geometry;
  geometry.rows = ElementCount(Shape(shape.begin(), shape.end() - axes));
  geometry.channels = ElementCount(normalized);
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(type, shape)};
  plan.run = [geometry, eps = ReadEpsilon(arguments, type), input = x.input, weight, bias](const RunContext& c) {
    DispatchFloating(c.inputs[input].type(), [&](auto tag) {
      using T = typename decltype(tag)::type;
      kernel::NormalizeRows(kKind, geometry, eps, c.inputs[input].as<T>(), DataOrNull<T>(c, weight),
                            DataOrNull<T>(c, bias), c.outputs[0].as<T>());
    });
  };
  return plan;
}

}  // namespace

void RegisterLayerNorm(OperationTable& table) {
  table.Add({"nn.LayerNorm", "F.layer_norm", "aten::layer_norm"},
            "Tensor input, int[] normalized_shape, Tensor? weight=None, Tensor? bias=None, float eps=1e-5, "
            "bool cudnn_enable=True, bool? elementwise_affine=None",
            PlanTrailingNorm<kernel::NormalizationKind::kVariance>);
  table.Add({"nn.RMSNorm", "F.rms_norm", "aten::rms_norm"},
            "Tensor input, int[] normalized_shape, Tensor? weight=None, float? eps=None, "
            "bool? elementwise_affine=None",
            PlanTrailingNorm<kernel::NormalizationKind::kRootMeanSquare>);
}

}  // namespace kuiper_infer
