// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

#include "operation/composition.hpp"
#include "operators/elementwise/formula.hpp"
#include "operators/linear_algebra/matrix_batch.hpp"

namespace kuiper_infer {
namespace {

/// The largest singular value divided by the smallest one, or the other way round.
TensorArgument OfSingularValues(Composition& composition, const MatrixBatch& a, bool inverted) {
  const TensorArgument values = composition.Call("torch.linalg.svdvals", {{"input", a.tensor}});
  const auto select = [&](int64_t index) {
    return composition.Call("torch.select", {{"input", values}, {"dim", -1}, {"index", index}});
  };
  const int64_t last = a.least() - 1;
  return ApplyFormula(composition, "div(a, b)",
                      {{"a", select(inverted ? last : 0)}, {"b", select(inverted ? 0 : last)}});
}

/// The nuclear norm of the matrix times that of its inverse.
TensorArgument OfNuclearNorms(Composition& composition, const MatrixBatch& a) {
  const TensorArgument values = composition.Call("torch.linalg.svdvals", {{"input", a.tensor}});
  const auto sum = [&](const TensorArgument& x) { return composition.Call("torch.sum", {{"input", x}, {"dim", -1}}); };
  return ApplyFormula(composition, "mul(a, b)",
                      {{"a", sum(values)}, {"b", sum(ApplyFormula(composition, "reciprocal(s)", {{"s", values}}))}});
}

/// The norm of the matrix times that of its inverse, which is infinite for a singular matrix. A number that is
/// undefined, such as that of zeros, counts as infinite.
TensorArgument OfNorms(Composition& composition, const MatrixBatch& a, const Value& order) {
  const std::vector<TensorArgument> inverse = composition.CallAll("torch.linalg.inv_ex", {{"input", a.tensor}}, 2);
  const auto norm = [&](const TensorArgument& x) {
    return composition.Call("torch.linalg.matrix_norm", {{"input", x}, {"ord", order}});
  };
  const TensorArgument singular = ApplyFormula(composition, "gt(info, 0)", {{"info", inverse[1]}});
  const TensorArgument inverse_norm = composition.Call(
      "torch.where",
      {{"condition", singular}, {"input", std::numeric_limits<double>::infinity()}, {"other", norm(inverse[0])}});
  const TensorArgument product = ApplyFormula(composition, "mul(a, b)", {{"a", norm(a.tensor)}, {"b", inverse_norm}});
  return composition.Call("torch.where", {{"condition", ApplyFormula(composition, "ne(x, x)", {{"x", product}})},
                                          {"input", std::numeric_limits<double>::infinity()},
                                          {"other", product}});
}

OperationPlan PlanConditionNumber(const Arguments& arguments) {
  Composition composition(arguments);
  const Value order = arguments.Has("p") ? arguments.Known("p", "a number or the name of a norm") : Value(2.0);
  const bool nuclear = order.Is<std::string>() && order.Get<std::string>() == "nuc";
  const bool named = nuclear || (order.Is<std::string>() && order.Get<std::string>() == "fro");
  const double p = named || !arguments.Has("p") ? 2 : arguments.Float("p");
  const bool spectral = !named && std::abs(p) == 2;
  const MatrixBatch a = spectral ? ReadMatrices(arguments) : ReadSquareMatrices(arguments);
  if (a.tensor.spec.size() == 0) {
    return composition.Finish({composition.Call("torch.zeros", {{"size", a.batch}, {"dtype", a.type()}})});
  }
  if (spectral) return composition.Finish({OfSingularValues(composition, a, p < 0)});
  return composition.Finish({nuclear ? OfNuclearNorms(composition, a) : OfNorms(composition, a, order)});
}

}  // namespace

void RegisterConditionNumber(OperationTable& table) {
  table.Add({"torch.linalg.cond", "aten::linalg_cond"}, "Tensor input|self|A, any p=None", PlanConditionNumber);
}

}  // namespace kuiper_infer
