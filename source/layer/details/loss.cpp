// SPDX-License-Identifier: MIT
#include "layer/details/loss.hpp"

#include "layer/details/formula.hpp"

namespace kuiper_infer {
namespace {

/// max(y log y - y + log(2 pi y) / 2, 0 for y <= 1): Stirling's approximation of log y!.
const char* const kStirling =
    " 1 #1 maximum 1 #1 maximum log mul 1 #1 maximum sub 1 #1 maximum #6.283185307179586 mul log #0.5 mul add 1 #1 gt "
    "mul add";

/// A loss of each pair of elements, perhaps weighted, then reduced. Operands of the formula: 0 input, 1 target, then
/// `more` in their order.
OperationPlan PlanLoss(const Arguments& arguments, std::string formula, const std::vector<const char*>& more = {}) {
  std::vector<TensorArgument> operands = {arguments.Tensor("input"), arguments.Tensor("target")};
  for (const char* name : more) operands.push_back(arguments.Tensor(name));
  if (arguments.schema().Find("weight") >= 0 && arguments.Has("weight")) {
    formula += " " + std::to_string(operands.size()) + " mul";
    operands.push_back(arguments.Tensor("weight"));
  }
  Composition composition(arguments);
  const TensorArgument values = ApplyFormula(composition, formula, operands);
  return composition.Finish({Reduced(composition, ReadLossReduction(arguments), values)});
}

OperationPlan PlanL1(const Arguments& arguments) { return PlanLoss(arguments, "0 1 sub abs"); }
OperationPlan PlanMse(const Arguments& arguments) { return PlanLoss(arguments, "0 1 sub square"); }
OperationPlan PlanSoftMargin(const Arguments& arguments) { return PlanLoss(arguments, "0 1 mul logsigmoid neg"); }

/// With m = min(|x - y|, delta): m (|x - y| - m / 2).
const char* const kHuber = "0 1 sub abs 2 minimum 0 1 sub abs 0 1 sub abs 2 minimum #0.5 mul sub mul";

OperationPlan PlanHuber(const Arguments& arguments) { return PlanLoss(arguments, kHuber, {"delta"}); }

OperationPlan PlanSmoothL1(const Arguments& arguments) {
  if (arguments.Tensor("beta").known_number() == 0.0) return PlanL1(arguments);
  return PlanLoss(arguments, std::string(kHuber) + " 2 div", {"beta"});
}

/// Logarithms are cut off at -100, so that a sure wrong answer does not give infinity.
OperationPlan PlanBinaryCrossEntropy(const Arguments& arguments) {
  return PlanLoss(arguments, "1 0 log #-100 maximum mul #1 1 sub #1 0 sub log #-100 maximum mul add neg");
}

OperationPlan PlanBinaryCrossEntropyWithLogits(const Arguments& arguments) {
  if (!arguments.Has("pos_weight")) return PlanLoss(arguments, "#1 1 sub 0 mul 0 logsigmoid sub");
  return PlanLoss(arguments, "#1 1 sub 0 mul #1 2 #1 sub 1 mul add 0 logsigmoid mul sub", {"pos_weight"});
}

OperationPlan PlanKlDivergence(const Arguments& arguments) {
  return PlanLoss(arguments, arguments.Bool("log_target") ? "1 exp 1 0 sub mul" : "1 1 xlogy 1 0 mul sub");
}

OperationPlan PlanPoisson(const Arguments& arguments) {
  std::string formula = arguments.Bool("log_input") ? "0 exp 1 0 mul sub" : "0 1 0 2 add log mul sub";
  if (arguments.Bool("full")) formula += kStirling;
  return PlanLoss(arguments, formula, {"eps"});
}

OperationPlan PlanHingeEmbedding(const Arguments& arguments) {
  return PlanLoss(arguments, "0 1 #1 eq mul #0 2 0 sub maximum 1 #-1 eq mul add", {"margin"});
}

OperationPlan PlanMarginRanking(const Arguments& arguments) {
  Composition composition(arguments);
  const TensorArgument values = ApplyFormula(
      composition, "#0 2 neg 0 1 sub mul 3 add maximum",
      {arguments.Tensor("input1"), arguments.Tensor("input2"), arguments.Tensor("target"), arguments.Tensor("margin")});
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

void RegisterLoss(OperationTable& table) {
  const InputLayout strided = InputLayout::kStrided;
  const std::string pair = "Tensor input|self, Tensor target";
  const std::string reduction = ", int reduction=1";
  table.Add({"aten::l1_loss"}, pair + reduction, PlanL1, strided);
  table.Add({"aten::mse_loss"}, pair + reduction, PlanMse, strided);
  table.Add({"aten::soft_margin_loss"}, pair + reduction, PlanSoftMargin, strided);
  table.Add({"aten::huber_loss"}, pair + reduction + ", Tensor delta=1.0", PlanHuber, strided);
  table.Add({"aten::smooth_l1_loss"}, pair + reduction + ", Tensor beta=1.0", PlanSmoothL1, strided);
  table.Add({"aten::kl_div"}, pair + reduction + ", bool log_target=False", PlanKlDivergence, strided);
  table.Add({"aten::binary_cross_entropy"}, pair + ", Tensor? weight=None" + reduction, PlanBinaryCrossEntropy,
            strided);
  table.Add({"aten::binary_cross_entropy_with_logits"},
            pair + ", Tensor? weight=None, Tensor? pos_weight=None" + reduction, PlanBinaryCrossEntropyWithLogits,
            strided);
  table.Add({"aten::poisson_nll_loss"}, pair + ", bool log_input=True, bool full=False, Tensor eps=1e-8" + reduction,
            PlanPoisson, strided);
  table.Add({"aten::hinge_embedding_loss"}, pair + ", Tensor margin=1.0" + reduction, PlanHingeEmbedding, strided);
  table.Add({"aten::margin_ranking_loss"}, "Tensor input1, Tensor input2, Tensor target, Tensor margin=0.0" + reduction,
            PlanMarginRanking, strided);
}

}  // namespace kuiper_infer
