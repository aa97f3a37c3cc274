// SPDX-License-Identifier: MIT
#include "kernel/linear_algebra/matrix_exponential.hpp"

#include "operators/linear_algebra/matrix_batch.hpp"

namespace kuiper_infer {
namespace {

OperationPlan PlanMatrixExponential(const Arguments& arguments) {
  const MatrixBatch a = ReadSquareMatrices(arguments);
  const int64_t n = a.rows;
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(a.type(), a.tensor.spec.shape)};
  BatchCall call{a.type(), a.count, 10 * n * n * n};
  call.scratch_bytes =
      ScratchFor(a.type(), [&](auto tag) { return kernel::MatrixExponentialScratch<typename decltype(tag)::type>(n); });
  const auto compute = [=](auto tag, const RunContext& c, int64_t i, std::byte* scratch) {
    using T = typename decltype(tag)::type;
    kernel::MatrixExponential(n, a.At<T>(c, i), c.outputs[0].as<T>() + i * n * n, scratch);
    return 0;
  };
  CallForEachMatrix(arguments, call, compute, plan);
  return plan;
}

}  // namespace

void RegisterMatrixExponential(OperationTable& table) {
  table.Add({"torch.linalg.matrix_exp", "aten::linalg_matrix_exp", "torch.matrix_exp", "aten::matrix_exp"},
            "Tensor input|self|A", PlanMatrixExponential);
}

}  // namespace kuiper_infer
