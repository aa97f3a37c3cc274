// SPDX-License-Identifier: MIT
#include "operators/loss/loss.hpp"

#include "operation/operation.hpp"
#include "operators/elementwise/elementwise_table.hpp"
#include "utils/numbers_string.hpp"

namespace kuiper_infer {
namespace {

/// Plans a loss of each pair of elements, perhaps weighted, then reduced.
OperationPlan PlanLoss(const Arguments& arguments, const Formula& formula) {
  Composition composition(arguments);
  const TensorArgument values =
      ApplyFormula(composition, arguments.Has("weight") ? "mul(" + formula.text() + ", weight)" : formula);
  return composition.Finish({Reduced(composition, ReadLossReduction(arguments), values)});
}

/// The formula of Huber's loss: m (|input - target| - m / 2) with m = min(|input - target|, bound).
std::string HuberFormula(const std::string& bound) {
  const std::string error = "abs(sub(input, target))";
  const std::string m = "minimum(" + error + ", " + bound + ")";
  return "mul(" + m + ", sub(" + error + ", mul(" + m + ", 0.5)))";
}

OperationPlan PlanHuber(const Arguments& arguments, const Formula& formula) {
  const double delta = arguments.Tensor("delta").known_number().value_or(1);
  arguments.Require(!(delta <= 0), "delta is " + NumberString(delta) + ", expected more than 0");
  return PlanLoss(arguments, formula);
}

OperationPlan PlanSmoothL1(const Arguments& arguments, const Formula& formula) {
  const double beta = arguments.Tensor("beta").known_number().value_or(1);
  arguments.Require(!(beta < 0), "beta is " + NumberString(beta) + ", expected 0 or more");
  const bool smooth = beta != 0;
  return PlanLoss(arguments, smooth ? formula : "abs(sub(input, target))");
}

OperationPlan PlanBinaryCrossEntropyWithLogits(const Arguments& arguments, const Formula& formula) {
  const char* weighted =
      "sub(mul(sub(1.0, target), input), mul(add(1.0, mul(sub(pos_weight, 1), target)), logsigmoid(input)))";
  return PlanLoss(arguments, arguments.Has("pos_weight") ? weighted : formula);
}

OperationPlan PlanKlDivergence(const Arguments& arguments, const Formula& formula) {
  return PlanLoss(arguments, arguments.Bool("log_target") ? "mul(exp(target), sub(target, input))" : formula);
}

/// Plans the Poisson loss. The full one adds Stirling's approximation of log target!, which is y log y - y + log(2 pi
/// y) / 2 for y > 1, and 0 otherwise.
OperationPlan PlanPoisson(const Arguments& arguments, const Formula& formula) {
  const std::string loss =
      arguments.Bool("log_input") ? formula.text() : "sub(input, mul(target, log(add(input, eps))))";
  if (!arguments.Bool("full")) return PlanLoss(arguments, loss);
  const std::string y = "maximum(target, 1)";
  return PlanLoss(arguments, "add(" + loss + ", mul(add(sub(mul(" + y + ", log(" + y + ")), " + y + "), mul(log(mul(" +
                                 y + ", 6.283185307179586)), 0.5)), gt(target, 1)))");
}

/// Plans the input where the target is not -1, plus the formula where it is not 1.
OperationPlan PlanHingeEmbedding(const Arguments& arguments, const Formula& formula) {
  Composition composition(arguments);
  const auto unless = [&](const char* masked, const TensorArgument& values) {
    const TensorArgument zero = composition.Constant(ArrayFromNumber(Value(0)).To(values.spec.type));
    return composition.Call("torch.where",
                            {{"condition", ApplyFormula(composition, masked)}, {"input", zero}, {"other", values}});
  };
  const TensorArgument values = ApplyFormula(composition, "add(alike, apart)",
                                             {{"alike", unless("eq(target, -1)", arguments.Tensor("input"))},
                                              {"apart", unless("eq(target, 1)", ApplyFormula(composition, formula))}});
  return composition.Finish({Reduced(composition, ReadLossReduction(arguments), values)});
}

}  // namespace

LossReduction ReadLossReduction(const Arguments& arguments) {
  const int64_t reduction = arguments.Int("reduction");
  arguments.Require(reduction >= 0 && reduction <= 2,
                    "reduction is " + std::to_string(reduction) + ", expected 0 (none), 1 (mean) or 2 (sum)");
  return static_cast<LossReduction>(reduction);
}

TensorArgument Reduced(Composition& composition, LossReduction reduction, const TensorArgument& values) {
  if (reduction == LossReduction::kNone) return values;
  return composition.Call(reduction == LossReduction::kMean ? "torch.mean" : "torch.sum", {{"input", values}});
}

std::vector<ElementwiseRow> LossRows() {
  const std::string pair = "Tensor input|self, Tensor target";
  const std::string reduction = ", int reduction=1";
  return {
      {{"aten::l1_loss"}, pair + reduction, "abs(sub(input, target))", PlanLoss},
      {{"aten::mse_loss"}, pair + reduction, "square(sub(input, target))", PlanLoss},
      {{"aten::soft_margin_loss"}, pair + reduction, "neg(logsigmoid(mul(input, target)))", PlanLoss},
      {{"aten::huber_loss"}, pair + reduction + ", Tensor delta=1.0", HuberFormula("delta"), PlanHuber},
      {{"aten::smooth_l1_loss"},
       pair + reduction + ", Tensor beta=1.0",
       "div(" + HuberFormula("beta") + ", beta)",
       PlanSmoothL1},
      {{"aten::kl_div"},
       pair + reduction + ", bool log_target=False",
       "sub(xlogy(target, target), mul(target, input))",
       PlanKlDivergence},
      // Logarithms are cut off at -100, so that a sure wrong answer does not give infinity.
      {{"aten::binary_cross_entropy"},
       pair + ", Tensor? weight=None" + reduction,
       "neg(add(mul(target, maximum(log(input), -100)), "
       "mul(sub(1.0, target), maximum(log(sub(1.0, input)), -100))))",
       PlanLoss},
      {{"aten::binary_cross_entropy_with_logits"},
       pair + ", Tensor? weight=None, Tensor? pos_weight=None" + reduction,
       "sub(mul(sub(1.0, target), input), logsigmoid(input))",
       PlanBinaryCrossEntropyWithLogits},
      {{"aten::poisson_nll_loss"},
       pair + ", bool log_input=True, bool full=False, Tensor eps=1e-8" + reduction,
       "sub(exp(input), mul(target, input))",
       PlanPoisson},
      {{"aten::hinge_embedding_loss"},
       pair + ", Tensor margin=1.0" + reduction,
       "maximum(sub(margin, input), 0)",
       PlanHingeEmbedding},
      {{"aten::margin_ranking_loss"},
       "Tensor input1, Tensor input2, Tensor target, Tensor margin=0.0" + reduction,
       "maximum(add(mul(neg(target), sub(input1, input2)), margin), 0)",
       PlanLoss},
  };
}

void RegisterLoss(OperationTable& table) { AddRows(LossRows(), table); }

}  // namespace kuiper_infer
