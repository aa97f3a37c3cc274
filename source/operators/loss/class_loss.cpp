// SPDX-License-Identifier: MIT
#include "kernel/loss/class_loss.hpp"

#include <algorithm>

#include "operation/parameters.hpp"
#include "operators/elementwise/formula.hpp"
#include "operators/loss/loss.hpp"
#include "utils/dispatch.hpp"
#include "utils/numbers_string.hpp"

namespace kuiper_infer {
namespace {

/// Plans losses of this shape and their reduction. `write(context, losses)` fills the losses and returns the divisor of
/// a mean.
template <class Write>
OperationPlan PlanReducedLoss(const Arguments& arguments, RuntimeDataType type, const Shape& losses, Write write) {
  const LossReduction reduction = ReadLossReduction(arguments);
  const int64_t count = ElementCount(losses);
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(type, reduction == LossReduction::kNone ? losses : Shape{})};
  plan.workspace_bytes = ByteCount(type, {count});
  plan.run = [=](const RunContext& c) {
    DispatchFloating(type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      T* out = c.outputs[0].template as<T>();
      T* each = reduction == LossReduction::kNone ? out : reinterpret_cast<T*>(c.workspace);
      const double divisor = write(c, each);
      if (reduction == LossReduction::kNone) return;
      double sum = 0;
      for (int64_t i = 0; i < count; ++i) sum += static_cast<double>(each[i]);
      *out = static_cast<T>(reduction == LossReduction::kMean ? sum / divisor : sum);
    });
  };
  return plan;
}

const TensorArgument& Targets(const Arguments& arguments, const Shape& shape) {
  const TensorArgument& target = arguments.Tensor("target");
  arguments.Require(target.spec.type == RuntimeDataType::kTypeInt64 && target.spec.shape == shape,
                    "target is " + SpecString(target.spec) + ", expected " +
                        SpecString(TensorSpec(RuntimeDataType::kTypeInt64, shape)));
  return target;
}

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
  const TensorArgument& target = Targets(arguments, losses);
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

OperationPlan PlanMultiMargin(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  RequireFloating(arguments, input);
  arguments.Require(input.spec.rank() == 1 || input.spec.rank() == 2,
                    "input is " + ShapeString(input.spec.shape) + ", expected rank 1 or 2");
  const bool batched = input.spec.rank() == 2;
  const int64_t rows = batched ? input.spec.shape[0] : 1;
  const int64_t classes = input.spec.shape.back();
  const bool lists = arguments.schema().Find("margin") < 0;  // multilabel_margin_loss: targets are lists
  const Shape losses = batched ? Shape{rows} : Shape{};
  const TensorArgument& target = Targets(arguments, lists ? input.spec.shape : losses);
  const int weight = lists ? -1 : ParameterInput(arguments, "weight", {classes}, input.spec.type);
  const double p = lists ? 1 : arguments.Float("p");
  const double margin = lists ? 1 : arguments.Float("margin");
  arguments.Require(p == 1 || p == 2, "p is " + std::to_string(p) + ", expected 1 or 2");
  return PlanReducedLoss(arguments, input.spec.type, losses,
                         [=, x = input.input, y = target.input](const RunContext& c, auto* each) {
                           using T = std::remove_reference_t<decltype(*each)>;
                           const auto* targets = c.inputs[y].as<int64_t>();
                           if (lists) {
                             kernel::MultilabelMarginLoss<T>(rows, classes, c.inputs[x].as<T>(), targets, each);
                           } else {
                             kernel::MultiMarginLoss<T>(rows, classes, p, margin, c.inputs[x].as<T>(), targets,
                                                        DataOrNull<T>(c, weight), each);
                           }
                           return static_cast<double>(rows);
                         });
}

}  // namespace

void RegisterClassLoss(OperationTable& table) {
  const std::string pair = "Tensor input|self, Tensor target, ";
  const std::string rest = "Tensor? weight=None, int reduction=1, int ignore_index=-100";
  table.Add({"aten::nll_loss", "aten::nll_loss2d", "aten::nll_loss_nd"}, pair + rest + ", float label_smoothing=0.0",
            PlanNllLoss);
  table.Add({"aten::cross_entropy_loss"}, pair + rest + ", float label_smoothing=0.0", PlanCrossEntropy);
  table.Add({"aten::multi_margin_loss"}, pair + "float p=1, float margin=1, Tensor? weight=None, int reduction=1",
            PlanMultiMargin);
  table.Add({"aten::multilabel_margin_loss"}, pair + "int reduction=1", PlanMultiMargin);
}

}  // namespace kuiper_infer
