// SPDX-License-Identifier: MIT
#include "layer/details/formula.hpp"
#include "layer/details/loss.hpp"

namespace kuiper_infer {
namespace {

/// 1 - cos of pairs that belong together (target 1), max(0, cos - margin) of those that don't (target -1).
OperationPlan PlanCosineEmbedding(const Arguments& arguments) {
  const TensorArgument& a = arguments.Tensor("input1");
  const TensorArgument& b = arguments.Tensor("input2");
  Composition composition(arguments);
  const auto sum_of_products = [&](const TensorArgument& x, const TensorArgument& y) {
    const TensorArgument products = ApplyFormula(composition, "0 1 mul", {x, y});
    return composition.Call("torch.sum", {{"input", products}, {"dim", -1}});
  };
  // 1e-12 under both roots, as in PyTorch.
  const TensorArgument cosine = ApplyFormula(composition, "0 1 #1e-12 add 2 #1e-12 add mul sqrt div",
                                             {sum_of_products(a, b), sum_of_products(a, a), sum_of_products(b, b)});
  const TensorArgument values = ApplyFormula(composition, "#1 0 sub 1 #1 eq mul #0 0 2 sub maximum 1 #-1 eq mul add",
                                             {cosine, arguments.Tensor("target"), arguments.Tensor("margin")});
  return composition.Finish({Reduced(composition, ReadLossReduction(arguments), values)});
}

/// max(0, margin + |anchor - positive| - |anchor - negative|); with swap, the negative's distance is the smaller one to
/// anchor and positive.
OperationPlan PlanTripletMargin(const Arguments& arguments) {
  Composition composition(arguments);
  const auto distance = [&](const char* from, const char* to) {
    return composition.Call("F.pairwise_distance", {{"x1", arguments.Tensor(from)},
                                                    {"x2", arguments.Tensor(to)},
                                                    {"p", arguments.Float("p")},
                                                    {"eps", arguments.Float("eps")}});
  };
  const TensorArgument near = distance("anchor", "positive");
  TensorArgument far = distance("anchor", "negative");
  if (arguments.Bool("swap")) {
    far = ApplyFormula(composition, "0 1 minimum", {far, distance("positive", "negative")});
  }
  const TensorArgument values =
      ApplyFormula(composition, "2 0 add 1 sub #0 maximum", {near, far, arguments.Tensor("margin")});
  return composition.Finish({Reduced(composition, ReadLossReduction(arguments), values)});
}

}  // namespace

void RegisterEmbeddingLoss(OperationTable& table) {
  table.Add({"aten::cosine_embedding_loss"},
            "Tensor input1, Tensor input2, Tensor target, Tensor margin=0.0, int reduction=1", PlanCosineEmbedding);
  table.Add({"aten::triplet_margin_loss"},
            "Tensor anchor, Tensor positive, Tensor negative, Tensor margin=1.0, float p=2.0, float eps=1e-6, bool "
            "swap=False, int reduction=1",
            PlanTripletMargin);
}

}  // namespace kuiper_infer
