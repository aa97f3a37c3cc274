// SPDX-License-Identifier: MIT
#include "kernel/linear_algebra/cholesky.hpp"

#include <algorithm>

#include "kernel/linear_algebra/column_major.hpp"
#include "operators/linear_algebra/matrix_batch.hpp"
#include "shape/broadcast.hpp"
#include "shape/matrix_offset.hpp"

namespace kuiper_infer {
namespace {

std::string NotPositive(int order) {
  return "is not positive-definite: its leading minor of order " + std::to_string(order) +
         " is not positive, expected a positive-definite matrix";
}

/// Plans the factor and, if `with_info`, the order of the first minor that is not positive.
OperationPlan PlanFactor(const Arguments& arguments, bool with_info, bool checks) {
  const MatrixBatch a = ReadSquareMatrices(arguments);
  const int64_t n = a.rows;
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(a.type(), a.tensor.spec.shape)};
  BatchCall call{a.type(), a.count, n * n * n};
  if (with_info) {
    plan.outputs.push_back(OutputPlan::New(RuntimeDataType::kTypeInt32, a.batch));
    call.info_output = 1;
  }
  if (checks) call.failure = NotPositive;
  const bool upper = arguments.Bool("upper");
  const auto compute = [=](auto tag, const RunContext& c, int64_t i, std::byte* /*scratch*/) {
    using T = typename decltype(tag)::type;
    return kernel::Cholesky(upper, n, a.At<T>(c, i), c.outputs[0].as<T>() + i * n * n);
  };
  CallForEachMatrix(arguments, call, compute, plan);
  return plan;
}

OperationPlan PlanCholesky(const Arguments& arguments) { return PlanFactor(arguments, false, true); }

OperationPlan PlanCholeskyEx(const Arguments& arguments) {
  return PlanFactor(arguments, true, arguments.Bool("check_errors"));
}

/// Plans the solution of A X = B from the factor of A.
OperationPlan PlanCholeskySolve(const Arguments& arguments) {
  const MatrixBatch b = ReadMatrices(arguments);
  const MatrixBatch factor = ReadSquareMatrices(arguments, "input2");
  RequireSameType(arguments, b.tensor, factor.tensor);
  RequireSameRows(arguments, b, factor, "input2");
  const Shape batch = BroadcastShapes(b.batch, factor.batch);
  const TensorSpec sides = SpreadOver(batch, b);
  const TensorSpec factors = SpreadOver(batch, factor);
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(b.type(), sides.shape)};
  const auto compute = [=, upper = arguments.Bool("upper")](auto tag, const RunContext& c, int64_t i,
                                                            std::byte* /*scratch*/) {
    using T = typename decltype(tag)::type;
    const int64_t size = b.rows * b.columns;
    T* x = c.outputs[0].as<T>() + i * size;
    std::copy_n(MatrixAt(c.inputs[b.tensor.input].as<T>(), sides, i), size, x);
    kernel::SolveByCholesky(upper, b.rows, b.columns, MatrixAt(c.inputs[factor.tensor.input].as<T>(), factors, i), x);
    return 0;
  };
  CallForEachMatrix(arguments, {b.type(), ElementCount(batch), b.rows * b.rows * b.columns}, compute, plan);
  return plan;
}

/// Plans the inverse of A from the factor of A.
OperationPlan PlanCholeskyInverse(const Arguments& arguments) {
  const MatrixBatch factor = ReadSquareMatrices(arguments);
  const int64_t n = factor.rows;
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(factor.type(), factor.tensor.spec.shape)};
  const auto compute = [=, upper = arguments.Bool("upper")](auto tag, const RunContext& c, int64_t i,
                                                            std::byte* /*scratch*/) {
    using T = typename decltype(tag)::type;
    T* inverse = c.outputs[0].as<T>() + i * n * n;
    kernel::FillIdentity(n, n, inverse);
    kernel::SolveByCholesky(upper, n, n, factor.At<T>(c, i), inverse);
    return 0;
  };
  CallForEachMatrix(arguments, {factor.type(), factor.count, n * n * n}, compute, plan);
  return plan;
}

}  // namespace

void RegisterCholesky(OperationTable& table) {
  table.Add({"torch.linalg.cholesky", "aten::linalg_cholesky", "torch.cholesky", "aten::cholesky"},
            "Tensor input|self|A, bool upper=False", PlanCholesky);
  table.Add({"torch.linalg.cholesky_ex", "aten::linalg_cholesky_ex"},
            "Tensor input|self|A, bool upper=False, bool check_errors=False", PlanCholeskyEx);
  table.Add({"torch.cholesky_solve", "aten::cholesky_solve"}, "Tensor input|self|B, Tensor input2|L, bool upper=False",
            PlanCholeskySolve);
  table.Add({"torch.cholesky_inverse", "aten::cholesky_inverse"}, "Tensor input|self|L, bool upper=False",
            PlanCholeskyInverse);
}

}  // namespace kuiper_infer
