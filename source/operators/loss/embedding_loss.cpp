// SPDX-License-Identifier: MIT
#include "operators/elementwise/formula.hpp"
#include "operators/loss/loss.hpp"

namespace kuiper_infer {
namespace {

/// Plans 1 - cos for pairs with target 1, and max(0, cos - margin) for pairs with target -1.
OperationPlan PlanCosineEmbedding(const Arguments& arguments) {
  const TensorArgument& a = arguments.Tensor("input1");
  const TensorArgument& b = arguments.Tensor("input2");
  Composition composition(arguments);
  const auto sum_of_products = [&](const TensorArgument& x, const TensorArgument& y) {
    const TensorArgument products = ApplyFormula(composition, "mul(x, y)", {{"x", x}, {"y", y}});
    return composition.Call("torch.sum", {{"input", products}, {"dim", -1}});
  };
  // 1e-12 under both roots, as in PyTorch.
  const TensorArgument cosine =
      ApplyFormula(composition, "div(ab, sqrt(mul(add(aa, 1e-12), add(bb, 1e-12))))",
                   {{"ab", sum_of_products(a, b)}, {"aa", sum_of_products(a, a)}, {"bb", sum_of_products(b, b)}});
  // Selected, not multiplied, because one of both may be NaN or infinite.
  const auto where = [&](const char* condition, const TensorArgument& values, const TensorArgument& other) {
    return composition.Call("torch.where",
                            {{"condition", ApplyFormula(composition, condition)}, {"input", values}, {"other", other}});
  };
  const TensorArgument zero = composition.Constant(ArrayFromNumber(Value(0)).To(cosine.spec.type));
  const TensorArgument apart = ApplyFormula(composition, "maximum(sub(cosine, margin), 0)",
                                            {{"cosine", cosine}, {"margin", arguments.Tensor("margin")}});
  const TensorArgument alike = ApplyFormula(composition, "sub(1.0, cosine)", {{"cosine", cosine}});
  const TensorArgument values = where("eq(target, 1)", alike, where("eq(target, -1)", apart, zero));
  return composition.Finish({Reduced(composition, ReadLossReduction(arguments), values)});
}

/// Plans max(0, margin + |anchor - positive| - |anchor - negative|); with swap, the negative's distance is the smaller
/// one to anchor and positive.
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
    far = ApplyFormula(composition, "minimum(far, other)", {{"far", far}, {"other", distance("positive", "negative")}});
  }
  const TensorArgument values = ApplyFormula(composition, "maximum(sub(add(margin, near), far), 0)",
                                             {{"near", near}, {"far", far}, {"margin", arguments.Tensor("margin")}});
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
