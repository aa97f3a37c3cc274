// SPDX-License-Identifier: MIT
#include "kernel/linear_algebra/lu.hpp"

#include <algorithm>

#include "operation/composition.hpp"
#include "operators/linear_algebra/matrix_batch.hpp"
#include "shape/broadcast.hpp"
#include "shape/matrix_offset.hpp"

namespace kuiper_infer {
namespace {

constexpr RuntimeDataType kPivot = RuntimeDataType::kTypeInt32;

std::string Singular(int place) {
  return "is singular: element " + std::to_string(place) +
         " on the diagonal of its factor U is 0, expected an invertible matrix";
}

/// Plans LU, the pivots and, if `with_info`, the place of the first zero on the diagonal of U.
OperationPlan PlanFactor(const Arguments& arguments, bool with_info, bool checks) {
  const MatrixBatch a = ReadMatrices(arguments);
  arguments.Require(arguments.Bool("pivot"),
                    "pivot is False, expected True: factors without pivoting don't exist here");
  const int64_t rows = a.rows;
  const int64_t columns = a.columns;
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(a.type(), a.tensor.spec.shape), OutputPlan::New(kPivot, a.With({a.least()}))};
  BatchCall call{a.type(), a.count, rows * columns * a.least()};
  call.scratch_bytes =
      ScratchFor(a.type(), [&](auto tag) { return kernel::LuScratch<typename decltype(tag)::type>(rows, columns); });
  if (with_info) {
    plan.outputs.push_back(OutputPlan::New(RuntimeDataType::kTypeInt32, a.batch));
    call.info_output = 2;
  }
  if (checks) call.failure = Singular;
  const auto compute = [=](auto tag, const RunContext& c, int64_t i, std::byte* scratch) {
    using T = typename decltype(tag)::type;
    return kernel::LuFactor(rows, columns, a.At<T>(c, i), c.outputs[0].as<T>() + i * rows * columns,
                            c.outputs[1].as<int32_t>() + i * std::min(rows, columns), scratch);
  };
  CallForEachMatrix(arguments, call, compute, plan);
  return plan;
}

OperationPlan PlanLuFactor(const Arguments& arguments) { return PlanFactor(arguments, false, true); }

OperationPlan PlanLuFactorEx(const Arguments& arguments) {
  return PlanFactor(arguments, true, arguments.Bool("check_errors"));
}

/// The argument with the pivots of the factors.
const TensorArgument& ReadPivots(const Arguments& arguments, const MatrixBatch& lu) {
  const TensorArgument& pivots = arguments.Tensor("pivots");
  arguments.Require(pivots.spec.type == kPivot && pivots.spec.shape == lu.With({lu.least()}),
                    "pivots is " + SpecString(pivots.spec) + ", expected int32 " + ShapeString(lu.With({lu.least()})) +
                        " for factors " + ShapeString(lu.tensor.spec.shape));
  return pivots;
}

/// Throws Error(kInput) unless the pivots name rows.
void CheckPivots(const int32_t* pivots, int64_t count, int64_t rows) {
  const int32_t* wrong = std::find_if(pivots, pivots + count, [&](int32_t pivot) { return pivot < 1 || pivot > rows; });
  if (wrong == pivots + count) return;
  Arguments::Fail(ErrorCode::kInput,
                  "a pivot is " + std::to_string(*wrong) + ", expected 1 to " + std::to_string(rows));
}

OperationPlan PlanLuSolve(const Arguments& arguments) {
  const MatrixBatch lu = ReadSquareMatrices(arguments, "LU");
  const TensorArgument& pivots = ReadPivots(arguments, lu);
  const MatrixBatch b = ReadMatrices(arguments, "B");
  RequireSameType(arguments, lu.tensor, b.tensor);
  const kernel::LuSystem system{!arguments.Bool("left"), arguments.Bool("adjoint")};
  const int64_t n = lu.rows;
  arguments.Require((system.right ? b.columns : b.rows) == n,
                    "B is " + ShapeString(b.tensor.spec.shape) + ", expected " + std::to_string(n) +
                        (system.right ? " columns" : " rows") + " because the factors are " +
                        ShapeString(lu.tensor.spec.shape));
  const Shape batch = BroadcastShapes(lu.batch, b.batch);
  const TensorSpec lu_spec = SpreadOver(batch, lu);
  const TensorSpec b_spec = SpreadOver(batch, b);
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(b.type(), b_spec.shape)};
  const auto compute = [=, order = pivots.input](auto tag, const RunContext& c, int64_t i, std::byte* /*scratch*/) {
    using T = typename decltype(tag)::type;
    const int64_t factor = MatrixOffset(lu_spec, i);
    T* x = c.outputs[0].as<T>() + i * b.rows * b.columns;
    std::copy_n(MatrixAt(c.inputs[b.tensor.input].as<T>(), b_spec, i), b.rows * b.columns, x);
    kernel::SolveByLu(system, n, system.right ? b.rows : b.columns, c.inputs[lu.tensor.input].as<T>() + factor,
                      c.inputs[order].as<int32_t>() + factor / std::max<int64_t>(n, 1), x);
    return 0;
  };
  CallForEachMatrix(arguments, {b.type(), ElementCount(batch), n * b.rows * b.columns}, compute, plan);
  plan.run = [run = plan.run, order = pivots.input, count = lu.count * n, n](const RunContext& c) {
    CheckPivots(c.inputs[order].as<int32_t>(), count, n);
    run(c);
  };
  return plan;
}

}  // namespace

void RegisterLu(OperationTable& table) {
  table.Add({"torch.linalg.lu_factor", "aten::linalg_lu_factor"}, "Tensor input|self|A, bool pivot=True", PlanLuFactor);
  table.Add({"torch.linalg.lu_factor_ex", "aten::linalg_lu_factor_ex"},
            "Tensor input|self|A, bool pivot=True, bool check_errors=False", PlanLuFactorEx);
  table.Add({"aten::_lu_with_info"}, "Tensor input|self, bool pivot=True, bool check_errors=True", PlanLuFactorEx);
  table.Add({"torch.linalg.lu_solve", "aten::linalg_lu_solve"},
            "Tensor LU, Tensor pivots, Tensor B, bool left=True, bool adjoint=False", PlanLuSolve);
  table.Add({"torch.lu_solve", "aten::lu_solve"},
            "Tensor B|input|self, Tensor LU|LU_data, Tensor pivots|LU_pivots, bool left=True, bool adjoint=False",
            PlanLuSolve);
}

}  // namespace kuiper_infer
