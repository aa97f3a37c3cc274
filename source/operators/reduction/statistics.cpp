// SPDX-License-Identifier: MIT
#include "operators/elementwise/formula.hpp"
#include "operators/product/matrix_product.hpp"

namespace kuiper_infer {
namespace {

/// Covariance of variables (rows) over observations (columns), which may count several times (fweights) or be worth
/// more (aweights): sum w (x - mean) (y - mean)* / (sum w - correction sum w a / sum w).
TensorArgument Covariance(Composition& composition, const TensorArgument& input, const TensorArgument* frequencies,
                          const TensorArgument* importance, double correction) {
  const Arguments& arguments = composition.outer();
  const int64_t rank = input.spec.rank();
  arguments.Require(rank <= 2, "input is " + ShapeString(input.spec.shape) + ", expected rank 2 or less");
  const int64_t count = rank == 0 ? 1 : input.spec.shape.back();
  const Shape rows = {rank == 2 ? input.spec.shape[0] : 1, count};
  const TensorArgument x = Reshaped(input, rows);
  for (const TensorArgument* weights : {frequencies, importance}) {
    arguments.Require(
        weights == nullptr || weights->spec.shape == Shape{count},
        "weights have another shape than (" + std::to_string(count) + "), one number for each observation");
  }
  const auto sum = [&](const TensorArgument& values) {
    return composition.Call("torch.sum", {{"input", values}, {"dim", -1}, {"keepdim", true}});
  };
  TensorArgument weights = composition.Constant(ArrayFromNumber(Value(1.0)));
  TensorArgument total = composition.Constant(ArrayFromNumber(Value(static_cast<double>(count))));
  if (frequencies != nullptr && importance != nullptr) {
    weights = ApplyFormula(composition, "mul(a, b)", {{"a", *frequencies}, {"b", *importance}});
  } else if (frequencies != nullptr || importance != nullptr) {
    weights = frequencies != nullptr ? *frequencies : *importance;
  }
  if (frequencies != nullptr || importance != nullptr) total = sum(weights);
  const TensorArgument mean = ApplyFormula(
      composition, "div(sum, total)",
      {{"sum", sum(ApplyFormula(composition, "mul(x, weight)", {{"x", x}, {"weight", weights}}))}, {"total", total}});
  const TensorArgument centred = ApplyFormula(composition, "sub(x, mean)", {{"x", x}, {"mean", mean}});
  const TensorArgument norm =
      importance == nullptr
          ? ApplyFormula(composition, "maximum(sub(total, correction), 0)",
                         {{"total", total}, {"correction", correction}})
          : ApplyFormula(
                composition, "maximum(sub(total, div(mul(correction, squares), total)), 0)",
                {{"total", total},
                 {"correction", correction},
                 {"squares", sum(ApplyFormula(composition, "mul(a, b)", {{"a", weights}, {"b", *importance}}))}});
  const TensorArgument weighted = ApplyFormula(composition, "mul(x, weight)", {{"x", centred}, {"weight", weights}});
  const TensorArgument product = composition.Call(
      "torch.mm", {{"input", weighted}, {"mat2", Transposed(ApplyFormula(composition, "conj(x)", {{"x", centred}}))}});
  const TensorArgument covariance =
      ApplyFormula(composition, "div(product, norm)", {{"product", product}, {"norm", norm}});
  return rank == 2 && rows[0] != 1 ? covariance : Reshaped(covariance, {});
}

OperationPlan PlanCovariance(const Arguments& arguments) {
  Composition composition(arguments);
  return composition.Finish({Covariance(composition, arguments.Tensor("input"), arguments.OptionalTensor("fweights"),
                                        arguments.OptionalTensor("aweights"), arguments.Float("correction"))});
}

/// Plans covariances divided by the deviations of both variables, cut off at -1 and 1.
OperationPlan PlanCorrelation(const Arguments& arguments) {
  Composition composition(arguments);
  const TensorArgument covariance = Covariance(composition, arguments.Tensor("input"), nullptr, nullptr, 1);
  if (covariance.spec.rank() == 0) {
    return composition.Finish({ApplyFormula(composition, "div(x, x)", {{"x", covariance}})});
  }
  const TensorArgument variance = composition.Call("torch.diag", {{"input", covariance}});
  return composition.Finish({ApplyFormula(composition, "minimum(maximum(div(div(x, sqrt(row)), sqrt(column)), -1), 1)",
                                          {{"x", covariance}, {"row", AsColumn(variance)}, {"column", variance}})});
}

}  // namespace

void RegisterStatistics(OperationTable& table) {
  table.Add({"torch.cov", "aten::cov"},
            "Tensor input|self, float correction=1, Tensor? fweights=None, Tensor? aweights=None", PlanCovariance);
  table.Add({"torch.corrcoef", "aten::corrcoef"}, "Tensor input|self", PlanCorrelation);
}

}  // namespace kuiper_infer
