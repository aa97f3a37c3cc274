// SPDX-License-Identifier: MIT
#include <numeric>

#include "operators/elementwise/formula.hpp"

namespace kuiper_infer {
namespace {

/// The norm of the elements that lie at one place of an axis, for each place; all other axes stay with extent 1. The
/// axis -1 gives the norm of all elements, a single number.
TensorArgument NormExcept(Composition& composition, const TensorArgument& x, double p, int64_t axis) {
  const int64_t rank = x.spec.rank();
  composition.outer().Require(axis >= -1 && axis < rank, "dim is " + std::to_string(axis) + ", expected -1 to " +
                                                             std::to_string(rank - 1) + " for " +
                                                             ShapeString(x.spec.shape));
  std::vector<int64_t> axes;
  for (int64_t other = 0; other < rank; ++other) {
    if (other != axis) axes.push_back(other);
  }
  // A list without axes would mean all of them; the norm of single elements is their magnitude.
  if (axes.empty() && axis >= 0) return composition.Call("torch.abs", {{"input", x}});
  return composition.Call("torch.norm", {{"input", x}, {"p", p}, {"dim", axes}, {"keepdim", axis >= 0}});
}

OperationPlan PlanNormExcept(const Arguments& arguments) {
  Composition composition(arguments);
  return composition.Finish({NormExcept(composition, arguments.Tensor("v"), static_cast<double>(arguments.Int("pow")),
                                        arguments.Int("dim"))});
}

/// Plans a weight from a direction `v` and magnitudes `g`: v * (g / |v|). The interface form gives |v|, too.
OperationPlan PlanWeightNorm(const Arguments& arguments) {
  const TensorArgument& v = arguments.Tensor("v");
  const TensorArgument& g = arguments.Tensor("g");
  Composition composition(arguments);
  const TensorArgument norm = NormExcept(composition, v, 2, arguments.Int("dim"));
  const TensorArgument weight = ApplyFormula(composition, "mul(v, div(g, norm))", {{"v", v}, {"g", g}, {"norm", norm}});
  arguments.Require(weight.spec.shape == v.spec.shape, "g is " + ShapeString(g.spec.shape) + ", expected " +
                                                           ShapeString(norm.spec.shape) + " for v of " +
                                                           ShapeString(v.spec.shape));
  if (arguments.output_count() == 1) return composition.Finish({weight});
  return composition.Finish({weight, norm});
}

}  // namespace

void RegisterWeightNorm(OperationTable& table) {
  table.Add({"torch._weight_norm", "aten::_weight_norm", "aten::_weight_norm_interface"},
            "Tensor v, Tensor g, int dim=0", PlanWeightNorm);
  table.Add({"torch.norm_except_dim", "aten::norm_except_dim"}, "Tensor v, int pow=2, int dim=0", PlanNormExcept);
}

}  // namespace kuiper_infer
