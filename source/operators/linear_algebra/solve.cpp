// SPDX-License-Identifier: MIT
#include "operation/composition.hpp"
#include "operators/linear_algebra/complex_solve.hpp"
#include "operators/linear_algebra/matrix_batch.hpp"
#include "shape/broadcast.hpp"

namespace kuiper_infer {
namespace {

/// What a solver gives back beside the solution, and whether it refuses singular matrices.
struct Results {
  bool factors = false;
  bool info = false;
  bool checks = true;
};

/// LU, pivots and info of the matrices.
std::vector<TensorArgument> Factor(Composition& composition, const TensorArgument& a, const Results& results) {
  return composition.CallAll("aten::linalg_lu_factor_ex", {{"input", a}, {"check_errors", results.checks}}, 3);
}

/// Whether `b` is one vector for each matrix of `a`, not matrices.
bool IsVectors(const TensorSpec& a, const TensorSpec& b) {
  return b.rank() == 1 ||
         (a.rank() == b.rank() + 1 && std::equal(b.shape.begin(), b.shape.end(), a.shape.begin(), a.shape.end() - 1));
}

/// Plans the solution X of A X = B, or of X A = B unless `left`.
OperationPlan PlanSystem(const Arguments& arguments, const Results& results) {
  Composition composition(arguments);
  const TensorArgument& a = arguments.Tensor("input");
  const bool is_complex = IsComplex(a.spec.type) && !results.info;
  if (!is_complex) ReadSquareMatrices(arguments);
  TensorArgument b = arguments.Tensor("B");
  const bool left = arguments.Bool("left");
  const bool vectors = IsVectors(a.spec, b.spec);
  arguments.Require(left || !vectors,
                    "B is " + ShapeString(b.spec.shape) + " and left is False, expected matrices: rank 2 or more");
  if (vectors) b = WithLastAxis(b);
  std::vector<TensorArgument> factors;
  TensorArgument x;
  if (is_complex) {
    x = SolveComplex(arguments, composition, a, b, left);
  } else {
    factors = Factor(composition, a, results);
    x = composition.Call("aten::linalg_lu_solve",
                         {{"LU", factors[0]}, {"pivots", factors[1]}, {"B", b}, {"left", left}});
  }
  if (vectors) x = Reshaped(x, Shape(x.spec.shape.begin(), x.spec.shape.end() - 1));
  std::vector<TensorArgument> outputs = {x};
  if (results.factors) outputs.insert(outputs.end(), {factors[0], factors[1]});
  if (results.info) outputs.push_back(factors[2]);
  return composition.Finish(outputs);
}

OperationPlan PlanSolve(const Arguments& arguments) { return PlanSystem(arguments, {}); }

OperationPlan PlanSolveEx(const Arguments& arguments) {
  return PlanSystem(arguments, {false, true, arguments.Bool("check_errors")});
}

OperationPlan PlanSolveWithFactors(const Arguments& arguments) {
  return PlanSystem(arguments, {true, true, arguments.Bool("check_errors")});
}

OperationPlan PlanInverse(const Arguments& arguments, const Results& results) {
  Composition composition(arguments);
  if (const TensorArgument& input = arguments.Tensor("input"); IsComplex(input.spec.type) && !results.info) {
    const int64_t rows = input.spec.shape.empty() ? 0 : input.spec.shape.back();
    const TensorArgument identity = composition.Call("torch.eye", {{"n", rows}, {"dtype", input.spec.type}});
    return composition.Finish({SolveComplex(arguments, composition, input, identity, true)});
  }
  const MatrixBatch a = ReadSquareMatrices(arguments);
  const std::vector<TensorArgument> factors = Factor(composition, a.tensor, results);
  const TensorArgument identity = composition.Call("torch.eye", {{"n", a.rows}, {"dtype", a.type()}});
  const TensorArgument inverse =
      composition.Call("aten::linalg_lu_solve", {{"LU", factors[0]}, {"pivots", factors[1]}, {"B", identity}});
  return composition.Finish(results.info ? std::vector<TensorArgument>{inverse, factors[2]}
                                         : std::vector<TensorArgument>{inverse});
}

OperationPlan PlanInverseOnly(const Arguments& arguments) { return PlanInverse(arguments, {}); }

OperationPlan PlanInverseEx(const Arguments& arguments) {
  return PlanInverse(arguments, {false, true, arguments.Bool("check_errors")});
}

}  // namespace

void RegisterSolve(OperationTable& table) {
  table.Add({"torch.linalg.solve", "aten::linalg_solve"}, "Tensor input|self|A, Tensor B, bool left=True", PlanSolve);
  const std::string checked = "Tensor input|self|A, Tensor B, bool left=True, bool check_errors=False";
  table.Add({"torch.linalg.solve_ex", "aten::linalg_solve_ex"}, checked, PlanSolveEx);
  table.Add({"aten::_linalg_solve_ex"}, checked, PlanSolveWithFactors);
  table.Add({"torch.linalg.inv", "aten::linalg_inv", "torch.inverse", "Tensor.inverse", "aten::inverse"},
            "Tensor input|self|A", PlanInverseOnly);
  table.Add({"torch.linalg.inv_ex", "aten::linalg_inv_ex"}, "Tensor input|self|A, bool check_errors=False",
            PlanInverseEx);
}

}  // namespace kuiper_infer
