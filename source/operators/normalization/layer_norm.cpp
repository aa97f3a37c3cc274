// SPDX-License-Identifier: MIT
#include <limits>
#include <memory>

#include "kernel/normalization/row_normalization.hpp"
#include "operation/computation.hpp"
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

/// Normalises the last axes of an array.
class TrailingNorm : public Computation {
 public:
  struct Inputs {
    int x;
    int weight;  ///< -1: none
    int bias;
  };
  TrailingNorm(kernel::NormalizationKind kind, const kernel::NormalizationGeometry& geometry, double eps,
               const Inputs& inputs, bool writes_bfloat16)
      : kind_(kind), geometry_(geometry), eps_(eps), inputs_(inputs), writes_bfloat16_(writes_bfloat16) {}

  bool Writes(RuntimeDataType stored, const Fusion& /*fusion*/) const override {
    return stored == RuntimeDataType::kTypeBFloat16 && writes_bfloat16_;
  }

  KernelCall MakeCall(const Fusion& fusion, const PlanningContext& /*context*/) const override {
    KernelCall call;
    if (fusion.result.type == RuntimeDataType::kTypeBFloat16) {
      call.run = [kind = kind_, geometry = geometry_, eps = eps_, inputs = inputs_](const RunContext& c) {
        kernel::NormalizeRowsToBFloat16(kind, geometry, eps, c.inputs[inputs.x].as<float>(),
                                        DataOrNull<float>(c, inputs.weight), DataOrNull<float>(c, inputs.bias),
                                        static_cast<uint16_t*>(c.outputs[0].data));
      };
      return call;
    }
    call.run = [kind = kind_, geometry = geometry_, eps = eps_, inputs = inputs_](const RunContext& c) {
      DispatchFloating(c.inputs[inputs.x].type(), [&](auto tag) {
        using T = typename decltype(tag)::type;
        kernel::NormalizeRows(kind, geometry, eps, c.inputs[inputs.x].as<T>(), DataOrNull<T>(c, inputs.weight),
                              DataOrNull<T>(c, inputs.bias), c.outputs[0].as<T>());
      });
    };
    return call;
  }

 private:
  kernel::NormalizationKind kind_;
  kernel::NormalizationGeometry geometry_;
  double eps_;
  Inputs inputs_;
  bool writes_bfloat16_;
};

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
  const bool writes_bfloat16 = type == RuntimeDataType::kTypeFloat32 && arguments.context().StoresBFloat16();
  plan.computation = std::make_shared<const TrailingNorm>(kKind, geometry, ReadEpsilon(arguments, type),
                                                          TrailingNorm::Inputs{x.input, weight, bias}, writes_bfloat16);
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
