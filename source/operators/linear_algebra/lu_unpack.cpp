// SPDX-License-Identifier: MIT
#include <algorithm>

#include "kernel/linear_algebra/lu.hpp"
#include "operation/composition.hpp"
#include "operators/linear_algebra/matrix_batch.hpp"

namespace kuiper_infer {
namespace {

/// Plans P, L and U. What is not wanted is an array without elements.
OperationPlan PlanLuUnpack(const Arguments& arguments) {
  const MatrixBatch lu = ReadMatrices(arguments, "LU_data");
  const TensorArgument& pivots = arguments.Tensor("LU_pivots");
  const int64_t rows = lu.rows;
  const int64_t columns = lu.columns;
  const int64_t rank = lu.least();
  arguments.Require(pivots.spec.type == RuntimeDataType::kTypeInt32 && pivots.spec.shape == lu.With({rank}),
                    "LU_pivots is " + SpecString(pivots.spec) + ", expected int32 " + ShapeString(lu.With({rank})));
  const bool factors = arguments.Bool("unpack_data");
  const bool permutation = arguments.Bool("unpack_pivots");
  const auto output = [&](bool wanted, const Shape& matrix) {
    return OutputPlan::New(lu.type(), wanted ? lu.With(matrix) : Shape{0});
  };
  OperationPlan plan;
  plan.outputs = {output(permutation, {rows, rows}), output(factors, {rows, rank}), output(factors, {rank, columns})};
  BatchCall call{lu.type(), lu.count, rows * std::max(rows, columns)};
  call.scratch_bytes = rows * static_cast<int64_t>(sizeof(int64_t));
  call.failure = [](int /*info*/) { return std::string("has a pivot that is no row, expected rows from 1"); };
  const auto compute = [=, order = pivots.input](auto tag, const RunContext& c, int64_t i, std::byte* scratch) {
    using T = typename decltype(tag)::type;
    const int32_t* exchanges = c.inputs[order].as<int32_t>() + i * rank;
    const int32_t* wrong = std::find_if(exchanges, exchanges + rank, [&](int32_t p) { return p < 1 || p > rows; });
    if (permutation && wrong != exchanges + rank) return 1;
    kernel::UnpackLu(
        rows, columns, lu.At<T>(c, i), exchanges, permutation ? c.outputs[0].as<T>() + i * rows * rows : nullptr,
        factors ? c.outputs[1].as<T>() + i * rows * rank : nullptr,
        factors ? c.outputs[2].as<T>() + i * rank * columns : nullptr, reinterpret_cast<int64_t*>(scratch));
    return 0;
  };
  CallForEachMatrix(arguments, call, compute, plan);
  return plan;
}

/// Plans P, L and U with A = P L U.
OperationPlan PlanLuFactors(const Arguments& arguments) {
  Composition composition(arguments);
  const std::vector<TensorArgument> factors = composition.CallAll(
      "aten::linalg_lu_factor_ex", {{"input", arguments.Tensor("input")}, {"pivot", arguments.Bool("pivot")}}, 3);
  return composition.Finish(
      composition.CallAll("aten::lu_unpack", {{"LU_data", factors[0]}, {"LU_pivots", factors[1]}}, 3));
}

}  // namespace

void RegisterLuUnpack(OperationTable& table) {
  table.Add({"torch.lu_unpack", "aten::lu_unpack"},
            "Tensor LU_data, Tensor LU_pivots, bool unpack_data=True, bool unpack_pivots=True", PlanLuUnpack);
  table.Add({"torch.linalg.lu", "aten::linalg_lu"}, "Tensor input|self|A, bool pivot=True", PlanLuFactors);
}

}  // namespace kuiper_infer
