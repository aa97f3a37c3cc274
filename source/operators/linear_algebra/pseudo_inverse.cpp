// SPDX-License-Identifier: MIT
#include <limits>

#include "operators/elementwise/formula.hpp"
#include "operators/linear_algebra/matrix_batch.hpp"
#include "operators/product/matrix_product.hpp"

namespace kuiper_infer {
namespace {

/// What a singular value has to exceed to count; null: the operation's default.
struct Tolerances {
  const TensorArgument* atol = nullptr;
  const TensorArgument* rtol = nullptr;  ///< times the largest singular value
};

/// Reads the tolerances of any form of an operation. A form may have only one of them.
Tolerances ReadTolerances(const Arguments& arguments) {
  const auto read = [&](const char* name) {
    return arguments.schema().Find(name) >= 0 ? arguments.OptionalTensor(name) : nullptr;
  };
  return {read("atol"), read("rtol")};
}

/// A tolerance as a factor for the values along the last axis: one number, or one for each matrix of a batch.
TensorArgument PerMatrix(const TensorArgument& tolerance) {
  return tolerance.spec.rank() == 0 ? tolerance : WithLastAxis(tolerance);
}

/// Which magnitudes of singular values or eigenvalues exceed max(atol, rtol * the largest one).
TensorArgument Counting(Composition& composition, const MatrixBatch& a, const Tolerances& tolerances,
                        const TensorArgument& magnitudes) {
  const TensorArgument largest =
      composition.Call("torch.amax", {{"input", magnitudes}, {"dim", -1}, {"keepdim", true}});
  const bool wide = a.type() == RuntimeDataType::kTypeFloat64;
  const double epsilon = wide ? std::numeric_limits<double>::epsilon() : double{std::numeric_limits<float>::epsilon()};
  const double usual = epsilon * static_cast<double>(std::max(a.rows, a.columns));
  if (tolerances.atol == nullptr) {
    const CallArgument rtol = tolerances.rtol == nullptr ? CallArgument(usual) : PerMatrix(*tolerances.rtol);
    return ApplyFormula(composition, "gt(s, maximum(mul(largest, rtol), 0))",
                        {{"s", magnitudes}, {"largest", largest}, {"rtol", rtol}});
  }
  const TensorArgument atol = PerMatrix(*tolerances.atol);
  if (tolerances.rtol != nullptr) {
    return ApplyFormula(
        composition, "gt(s, maximum(mul(largest, rtol), atol))",
        {{"s", magnitudes}, {"largest", largest}, {"atol", atol}, {"rtol", PerMatrix(*tolerances.rtol)}});
  }
  // Without rtol an atol above 0 counts alone.
  return ApplyFormula(composition, "gt(s, maximum(mul(largest, mul(le(atol, 0), rtol)), atol))",
                      {{"s", magnitudes}, {"largest", largest}, {"atol", atol}, {"rtol", usual}});
}

TensorArgument Magnitudes(Composition& composition, const TensorArgument& values) {
  return ApplyFormula(composition, "abs(x)", {{"x", values}});
}

OperationPlan PlanPseudoInverse(const Arguments& arguments) {
  Composition composition(arguments);
  const bool symmetric = arguments.Bool("hermitian");
  const MatrixBatch a = symmetric ? ReadSquareMatrices(arguments) : ReadMatrices(arguments);
  if (a.tensor.spec.size() == 0) {
    return composition.Finish(
        {composition.Call("torch.zeros", {{"size", a.With({a.columns, a.rows})}, {"dtype", a.type()}})});
  }
  // A = U diag(s) V', and the pseudo-inverse is V diag(1 / s) U'. A symmetric matrix has its eigenvectors for U and V.
  std::vector<TensorArgument> parts =
      symmetric ? composition.CallAll("torch.linalg.eigh", {{"input", a.tensor}}, 2)
                : composition.CallAll("torch.linalg.svd", {{"input", a.tensor}, {"full_matrices", false}}, 3);
  const TensorArgument& values = parts[symmetric ? 0 : 1];
  const TensorArgument& u = parts[symmetric ? 1 : 0];
  const TensorArgument v = symmetric ? parts[1] : Transposed(parts[2]);
  const TensorArgument counting = Counting(composition, a, ReadTolerances(arguments), Magnitudes(composition, values));
  const TensorArgument inverses =
      composition.Call("torch.where", {{"condition", counting},
                                       {"input", ApplyFormula(composition, "reciprocal(s)", {{"s", values}})},
                                       {"other", 0.0}});
  Shape row = inverses.spec.shape;
  row.insert(row.end() - 1, 1);
  const TensorArgument scaled = ApplyFormula(composition, "mul(v, s)", {{"v", v}, {"s", Reshaped(inverses, row)}});
  return composition.Finish({composition.Call("torch.matmul", {{"input", scaled}, {"other", Transposed(u)}})});
}

OperationPlan PlanMatrixRank(const Arguments& arguments) {
  Composition composition(arguments);
  const bool symmetric = arguments.Bool("hermitian");
  const MatrixBatch a = symmetric ? ReadSquareMatrices(arguments) : ReadMatrices(arguments);
  if (a.tensor.spec.size() == 0) {
    return composition.Finish(
        {composition.Call("torch.zeros", {{"size", a.batch}, {"dtype", RuntimeDataType::kTypeInt64}})});
  }
  const TensorArgument values =
      composition.Call(symmetric ? "torch.linalg.eigvalsh" : "torch.linalg.svdvals", {{"input", a.tensor}});
  const TensorArgument counting = Counting(composition, a, ReadTolerances(arguments), Magnitudes(composition, values));
  return composition.Finish({composition.Call("torch.sum", {{"input", counting}, {"dim", -1}})});
}

}  // namespace

void RegisterPseudoInverse(OperationTable& table) {
  // Forms with one tolerance come first: the form with both would also take their arguments, in another meaning.
  const std::string a = "Tensor input|self|A, ";
  const std::string both = a + "Tensor? atol=None, Tensor? rtol=None, bool hermitian=False";
  const std::vector<std::string> inverse = {"torch.linalg.pinv", "aten::linalg_pinv"};
  const std::vector<std::string> rank = {"torch.linalg.matrix_rank", "aten::linalg_matrix_rank"};
  table.Add(inverse, a + "Tensor rtol|rcond, bool hermitian=False", PlanPseudoInverse);
  table.Add(inverse, both, PlanPseudoInverse);
  table.Add({"torch.pinverse", "aten::pinverse"}, a + "Tensor rtol|rcond=1e-15, bool hermitian=False",
            PlanPseudoInverse);
  table.Add(rank, a + "Tensor atol|tol, bool hermitian=False", PlanMatrixRank);
  table.Add(rank, both, PlanMatrixRank);
}

}  // namespace kuiper_infer
