// SPDX-License-Identifier: MIT
#include "kernel/linear_algebra/determinant.hpp"

#include "kernel/linear_algebra/column_major.hpp"
#include "kernel/linear_algebra/lu.hpp"
#include "operation/composition.hpp"
#include "operators/elementwise/formula.hpp"
#include "operators/linear_algebra/matrix_batch.hpp"

namespace kuiper_infer {
namespace {

/// Where one matrix is factored: in the outputs, or in scratch memory if the model doesn't want the factors.
template <class T>
struct FactorMemory : kernel::ScratchParts {
  FactorMemory(int64_t n, bool wants_factors, std::byte* memory) : ScratchParts(memory) {
    if (!wants_factors) {
      lu = Take<T>(n * n);
      pivots = Take<int32_t>(n);
    }
    scratch = Take<std::byte>(kernel::LuScratch<T>(n, n));
  }

  T* lu = nullptr;
  int32_t* pivots = nullptr;
  std::byte* scratch;
};

/// Plans determinants: one number each, or a sign and the logarithm of the magnitude. If `wants_factors`, two more
/// outputs are LU and the pivots of the transposed matrix, which has the same determinant. PyTorch also factors the
/// transposed matrix, because LAPACK reads a row-major matrix so.
OperationPlan PlanDeterminant(const Arguments& arguments, bool logarithm, bool wants_factors) {
  const MatrixBatch a = ReadSquareMatrices(arguments);
  const int64_t n = a.rows;
  const std::size_t numbers = logarithm ? 2 : 1;
  OperationPlan plan;
  plan.outputs.assign(numbers, OutputPlan::New(a.type(), a.batch));
  if (wants_factors) {
    plan.outputs.push_back(OutputPlan::New(a.type(), a.tensor.spec.shape));
    plan.outputs.push_back(OutputPlan::New(RuntimeDataType::kTypeInt32, a.With({n})));
  }
  BatchCall call{a.type(), a.count, n * n * n};
  call.scratch_bytes = ScratchFor(a.type(), [&](auto tag) {
    return FactorMemory<typename decltype(tag)::type>(n, wants_factors, nullptr).bytes();
  });
  const auto compute = [=](auto tag, const RunContext& c, int64_t i, std::byte* scratch) {
    using T = typename decltype(tag)::type;
    FactorMemory<T> memory(n, wants_factors, scratch);
    if (wants_factors) {
      memory.lu = c.outputs[numbers].template as<T>() + i * n * n;
      memory.pivots = c.outputs[numbers + 1].template as<int32_t>() + i * n;
    }
    kernel::LuFactorTransposed(n, a.At<T>(c, i), memory.lu, memory.pivots, memory.scratch);
    T* first = c.outputs[0].as<T>() + i;
    if (logarithm) {
      kernel::LogDeterminant(n, memory.lu, memory.pivots, first, c.outputs[1].as<T>() + i);
    } else {
      *first = kernel::Determinant(n, memory.lu, memory.pivots);
    }
    return 0;
  };
  CallForEachMatrix(arguments, call, compute, plan);
  return plan;
}

template <bool kLogarithm, bool kFactors>
OperationPlan Plan(const Arguments& arguments) {
  return PlanDeterminant(arguments, kLogarithm, kFactors);
}

/// Plans the logarithm of determinants; NaN if they are negative.
OperationPlan PlanLogDeterminant(const Arguments& arguments) {
  Composition composition(arguments);
  const std::vector<TensorArgument> parts =
      composition.CallAll("torch.slogdet", {{"input", arguments.Tensor("input")}}, 2);
  // The square root of a negative sign is NaN, and 0 times any other one is 0.
  return composition.Finish(
      {ApplyFormula(composition, "add(magnitude, mul(sqrt(sign), 0))", {{"sign", parts[0]}, {"magnitude", parts[1]}})});
}

}  // namespace

void RegisterDeterminant(OperationTable& table) {
  const std::string a = "Tensor input|self|A";
  table.Add({"torch.linalg.det", "aten::linalg_det", "torch.det", "aten::det"}, a, Plan<false, false>);
  table.Add({"aten::_linalg_det"}, a, Plan<false, true>);
  table.Add({"torch.linalg.slogdet", "aten::linalg_slogdet", "torch.slogdet", "aten::slogdet"}, a, Plan<true, false>);
  table.Add({"aten::_linalg_slogdet"}, a, Plan<true, true>);
  table.Add({"torch.logdet", "aten::logdet"}, a, PlanLogDeterminant);
}

}  // namespace kuiper_infer
