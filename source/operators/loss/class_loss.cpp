// SPDX-License-Identifier: MIT
#include "kernel/loss/class_loss.hpp"

#include <algorithm>

#include "operators/elementwise/formula.hpp"
#include "operators/loss/class_loss.hpp"
#include "utils/numbers_string.hpp"

namespace kuiper_infer {
namespace {

/// Plans the negative log likelihood: log_probabilities (classes) or (batch, classes, ...) against targets without the
/// class axis.
OperationPlan PlanNll(const Arguments& arguments, double smoothing = 0) {
  const TensorArgument& input = arguments.Tensor("input");
  RequireFloating(arguments, input);
  arguments.Require(input.spec.rank() >= 1, "input is a single number, expected rank 1 or more");
  const Shape& shape = input.spec.shape;
  const std::size_t axis = shape.size() == 1 ? 0 : 1;
  Shape losses = shape;
  losses.erase(losses.begin() + static_cast<std::ptrdiff_t>(axis));
  const TensorArgument& target = ReadTargets(arguments, losses);
  AxisGeometry geometry{axis == 0 ? 1 : shape[0], shape[axis], 1};
  for (std::size_t i = axis + 1; i < shape.size(); ++i) geometry.inner *= shape[i];
  const int weight = ParameterInput(arguments, "weight", {geometry.extent}, input.spec.type);
  const kernel::NllOptions options{arguments.Int("ignore_index"), smoothing};
  return PlanReducedLoss(arguments, input.spec.type, losses,
                         [=, x = input.input, y = target.input](const RunContext& c, auto* each) {
                           using T = std::remove_reference_t<decltype(*each)>;
                           return kernel::NllLoss<T>(options, geometry, c.inputs[x].as<T>(), c.inputs[y].as<int64_t>(),
                                                     DataOrNull<T>(c, weight), each);
                         });
}

/// Plans the loss of these log probabilities and of class numbers as int64; PyTorch takes uint8, too.
OperationPlan PlanNllOf(Composition& composition, const TensorArgument& logs) {
  const Arguments& arguments = composition.outer();
  const TensorArgument target = composition.Convert(arguments.Tensor("target"), RuntimeDataType::kTypeInt64);
  CallArguments call = {{"input", logs}, {"target", target}};
  for (const char* name : {"weight", "reduction", "ignore_index", "label_smoothing"}) {
    if (arguments.Has(name)) call[name] = arguments.Get(name);
  }
  return composition.Finish({composition.Call("aten::nll_loss_nd", call)});
}

OperationPlan PlanNllLoss(const Arguments& arguments) {
  if (arguments.Tensor("target").spec.type == RuntimeDataType::kTypeUInt8) {
    Composition composition(arguments);
    return PlanNllOf(composition, arguments.Tensor("input"));
  }
  const double smoothing = arguments.schema().Find("label_smoothing") >= 0 ? arguments.Float("label_smoothing") : 0;
  return PlanNll(arguments, smoothing);
}

/// Plans the cross entropy: the logarithm of softmax over the classes, then the loss of class numbers or of
/// probabilities.
OperationPlan PlanCrossEntropy(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  const TensorArgument& target = arguments.Tensor("target");
  RequireFloating(arguments, input);
  arguments.Require(input.spec.rank() >= 1, "input is a single number, expected rank 1 or more");
  const int64_t axis = input.spec.rank() == 1 ? 0 : 1;
  const double smoothing = arguments.Float("label_smoothing");
  arguments.Require(smoothing >= 0 && smoothing <= 1,
                    "label_smoothing is " + NumberString(smoothing) + ", expected 0 to 1");
  Composition composition(arguments);
  const TensorArgument logs = composition.Call("F.log_softmax", {{"input", input}, {"dim", axis}});
  const RuntimeDataType kind = target.spec.type;
  if (kind == RuntimeDataType::kTypeInt64 || kind == RuntimeDataType::kTypeUInt8) return PlanNllOf(composition, logs);
  arguments.Require(
      target.spec.shape == input.spec.shape,
      "target is " + ShapeString(target.spec.shape) + ", expected class numbers or " + ShapeString(input.spec.shape));
  const int64_t classes = input.spec.shape[static_cast<std::size_t>(axis)];
  std::string formula = "neg(mul(add(mul(target, kept), spread), logs))";
  CallArguments operands = {{"logs", logs},
                            {"target", target},
                            {"kept", 1 - smoothing},
                            {"spread", smoothing / static_cast<double>(std::max<int64_t>(classes, 1))}};
  if (const TensorArgument* weight = arguments.OptionalTensor("weight"); weight != nullptr) {
    TensorArgument aligned = *weight;  // along the class axis
    aligned.spec.shape.resize(static_cast<std::size_t>(input.spec.rank() - axis), 1);
    aligned.spec.strides.resize(aligned.spec.shape.size(), 1);
    operands["weight"] = aligned;
    formula = "mul(" + formula + ", weight)";
  }
  const TensorArgument terms = ApplyFormula(composition, formula, operands);
  const TensorArgument losses = composition.Call("torch.sum", {{"input", terms}, {"dim", axis}});
  return composition.Finish({Reduced(composition, ReadLossReduction(arguments), losses)});
}

}  // namespace

void RegisterClassLoss(OperationTable& table) {
  const std::string pair = "Tensor input|self, Tensor target, ";
  const std::string rest = "Tensor? weight=None, int reduction=1, int ignore_index=-100";
  table.Add({"aten::nll_loss", "aten::nll_loss2d", "aten::nll_loss_nd"}, pair + rest + ", float label_smoothing=0.0",
            PlanNllLoss);
  table.Add({"aten::cross_entropy_loss"}, pair + rest + ", float label_smoothing=0.0", PlanCrossEntropy);
}

}  // namespace kuiper_infer
