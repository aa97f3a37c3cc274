// SPDX-License-Identifier: MIT
#include "operators/elementwise/formula.hpp"
#include "utils/numbers_string.hpp"

namespace kuiper_infer {
namespace {

/// Plans the norm of the difference of two arrays.
OperationPlan PlanDist(const Arguments& arguments) {
  Composition composition(arguments);
  const TensorArgument difference = ApplyFormula(composition, "sub(input, other)");
  return composition.Finish(
      {composition.Call("torch.linalg.vector_norm", {{"input", difference}, {"p", arguments.Float("p")}})});
}

/// Plans the array with the slices along an axis whose p-norm is above maxnorm scaled down to it.
OperationPlan PlanRenorm(const Arguments& arguments) {
  const TensorArgument& x = arguments.Tensor("input");
  const int64_t axis = arguments.Axis("dim", x.spec.rank());
  Shape others;
  for (int64_t i = 0; i < x.spec.rank(); ++i) {
    if (i != axis) others.push_back(i);
  }
  arguments.Require(!others.empty(), "input is " + ShapeString(x.spec.shape) + ", expected rank 2 or more");
  const TensorArgument& most = arguments.Tensor("maxnorm");
  const double bound = most.known_number().value_or(0);
  arguments.Require(arguments.Float("p") > 0 && !(bound < 0), "p is " + NumberString(arguments.Float("p")) +
                                                                  " and maxnorm " + NumberString(bound) +
                                                                  ", expected p above 0 and maxnorm 0 or more");
  Composition composition(arguments);
  const TensorArgument norms = composition.Call(
      "torch.linalg.vector_norm", {{"input", x}, {"p", arguments.Float("p")}, {"dim", others}, {"keepdim", true}});
  const TensorArgument factor = composition.Call(
      "torch.where", {{"condition", ApplyFormula(composition, "gt(norm, most)", {{"norm", norms}, {"most", most}})},
                      {"input", ApplyFormula(composition, "div(most, add(norm, 1e-7))",  // as PyTorch divides
                                             {{"norm", norms}, {"most", most}})},
                      {"other", 1.0}});  // also where the norm is NaN
  return composition.Finish({ApplyFormula(composition, "mul(x, factor)", {{"x", x}, {"factor", factor}})});
}

}  // namespace

void RegisterRenorm(OperationTable& table) {
  table.Add({"torch.dist", "aten::dist"}, "Tensor input|self, Tensor other, float p=2", PlanDist);
  table.Add({"torch.renorm", "aten::renorm"}, "Tensor input|self, float p, int dim, Tensor maxnorm", PlanRenorm);
}

}  // namespace kuiper_infer
