// SPDX-License-Identifier: MIT
#include "kernel/movement/copy.hpp"
#include "operation/strided_copy.hpp"
#include "operation/views.hpp"

namespace kuiper_infer {
namespace {

/// Plans the array in another element type; the array itself if it has that type already.
OperationPlan PlanConversion(const TensorArgument& input, RuntimeDataType type) {
  if (type == RuntimeDataType::kTypeUnknown || type == input.spec.type) return PlanForward(Argument{input});
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(type, input.spec.shape)};
  plan.run = [index = input.input](const RunContext& c) { kernel::Copy(c.inputs[index], c.outputs[0]); };
  return plan;
}

OperationPlan PlanTo(const Arguments& arguments) {
  return PlanConversion(arguments.Tensor("input"), arguments.Type("dtype"));
}

OperationPlan PlanTypeAs(const Arguments& arguments) {
  return PlanConversion(arguments.Tensor("input"), arguments.Tensor("other").spec.type);
}

bool KeepsType(const Arguments& arguments) { return !arguments.Has("dtype"); }

template <RuntimeDataType kType>
OperationPlan PlanToType(const Arguments& arguments) {
  return PlanConversion(arguments.Tensor("input"), kType);
}

/// Plans operations that change nothing here, such as copies (values are never written in place) and dropout (which
/// acts only in training).
OperationPlan PlanIdentity(const Arguments& arguments) { return PlanForward(Argument{arguments.Tensor("input")}); }

/// Plans dropout that gives the mask of the elements that it keeps: all of them.
OperationPlan PlanNativeDropout(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  OperationPlan plan = PlanIdentity(arguments);
  const Shape& shape = input.spec.shape;
  if (arguments.output_count() > 1) {
    plan.outputs.push_back(OutputPlan::Known(ArrayFromNumber(true).AsStrided(shape, Strides(shape.size(), 0))));
  }
  return plan;
}

OperationPlan PlanCopyOf(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(input.spec.type, input.spec.shape)};
  const StridedCopy copy(arguments.Tensor("src"), StridedView(plan.outputs.front().spec));
  plan.run = [copy](const RunContext& c) { copy.Run(c); };
  return plan;
}

}  // namespace

void RegisterCast(OperationTable& table) {
  const InputLayout strided = InputLayout::kStrided;
  const OutputValues moved = Preserves({"input"});
  using Type = RuntimeDataType;
  const std::string options = "bool? non_blocking=False, bool? copy=False, any memory_format=None";
  table.Add({"Tensor.to"}, "Tensor input|self, dtype? dtype=None, any device=None, " + options, PlanTo, strided,
            Preserves({"input"}, KeepsType));
  table.Add({"aten::_to_copy"},
            "Tensor input|self, dtype? dtype=None, any layout=None, any device=None, any pin_memory=None, "
            "any non_blocking=None, any memory_format=None",
            PlanTo, strided, Preserves({"input"}, KeepsType));
  // PyTorch's overloads: element type; device and element type; an array whose type is taken.
  table.Add({"aten::to"}, "Tensor input|self, dtype? dtype, " + options, PlanTo, strided,
            Preserves({"input"}, KeepsType));
  table.Add({"aten::to"}, "Tensor input|self, str? device, dtype? dtype=None, " + options, PlanTo, strided,
            Preserves({"input"}, KeepsType));
  table.Add({"aten::to", "Tensor.type_as", "aten::type_as"}, "Tensor input|self, Tensor other, " + options, PlanTypeAs,
            strided);
  table.Add({"Tensor.float"}, "Tensor input|self", PlanToType<Type::kTypeFloat32>, strided);
  table.Add({"Tensor.double"}, "Tensor input|self", PlanToType<Type::kTypeFloat64>, strided);
  table.Add({"Tensor.long"}, "Tensor input|self", PlanToType<Type::kTypeInt64>, strided);
  table.Add({"Tensor.int"}, "Tensor input|self", PlanToType<Type::kTypeInt32>, strided);
  table.Add({"Tensor.bool"}, "Tensor input|self", PlanToType<Type::kTypeBool>, strided);
  table.Add({"Tensor.clone", "torch.clone", "aten::clone", "Tensor.contiguous", "aten::contiguous", "Tensor.detach",
             "aten::detach", "aten::alias", "aten::alias_copy", "aten::lift", "aten::lift_fresh",
             "aten::lift_fresh_copy", "aten::resolve_conj", "aten::resolve_neg", "nn.Identity"},
            "Tensor input|self, any memory_format=None", PlanIdentity, strided, moved);
  table.Add({"nn.Dropout", "nn.Dropout1d", "nn.Dropout2d", "nn.Dropout3d", "nn.AlphaDropout", "nn.FeatureAlphaDropout",
             "F.dropout", "F.dropout1d", "F.dropout2d", "F.dropout3d", "F.dropoutnd", "F.alpha_dropout",
             "F.feature_alpha_dropout", "aten::dropout", "aten::feature_dropout", "aten::alpha_dropout",
             "aten::feature_alpha_dropout"},
            "Tensor input|self, float p=0.5, bool training|train=False, bool inplace=False", PlanIdentity, strided,
            moved);
  table.Add({"aten::native_dropout"}, "Tensor input, float p=0.5, bool? train=False", PlanNativeDropout, strided);
  table.Add({"Tensor.copy", "aten::copy"}, "Tensor input|self, Tensor src, bool non_blocking=False", PlanCopyOf,
            strided);
}

}  // namespace kuiper_infer
