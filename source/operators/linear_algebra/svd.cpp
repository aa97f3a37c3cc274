// SPDX-License-Identifier: MIT
#include "kernel/linear_algebra/svd.hpp"

#include "operation/composition.hpp"
#include "operators/linear_algebra/matrix_batch.hpp"
#include "operators/product/matrix_product.hpp"

namespace kuiper_infer {
namespace {

using Vectors = kernel::Svd::Vectors;

std::string NoValues(int /*info*/) {
  return "has NaN or infinite elements, or LAPACK finds no singular values, expected finite elements";
}

/// Plans U, the singular values and V', or the singular values alone. The method is LAPACK's divide and conquer.
OperationPlan PlanDecomposition(const Arguments& arguments, Vectors vectors) {
  const MatrixBatch a = ReadMatrices(arguments);
  const kernel::Svd svd{a.rows, a.columns, vectors};
  const bool full = vectors == Vectors::kFull;
  const int64_t least = a.least();
  const int64_t u_columns = full ? a.rows : least;
  const int64_t vt_rows = full ? a.columns : least;
  constexpr int64_t kMostSquare = int64_t{1} << 14;
  arguments.Require(!full || std::max(a.rows, a.columns) <= kMostSquare,
                    "input is " + ShapeString(a.tensor.spec.shape) + ", which is too large for square U and V");
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(a.type(), a.With({least}))};
  const bool alone = vectors == Vectors::kNone;
  if (!alone) {
    plan.outputs.insert(plan.outputs.begin(), OutputPlan::New(a.type(), a.With({a.rows, u_columns})));
    plan.outputs.push_back(OutputPlan::New(a.type(), a.With({vt_rows, a.columns})));
  }
  BatchCall call{a.type(), a.count, 10 * a.rows * a.columns * least};
  call.scratch_bytes =
      ScratchFor(a.type(), [&](auto tag) { return kernel::SvdScratch<typename decltype(tag)::type>(svd); });
  call.failure = NoValues;
  const auto compute = [=](auto tag, const RunContext& c, int64_t i, std::byte* scratch) {
    using T = typename decltype(tag)::type;
    T* s = c.outputs[alone ? 0 : 1].template as<T>() + i * least;
    T* u = alone ? nullptr : c.outputs[0].template as<T>() + i * svd.rows * u_columns;
    T* vt = alone ? nullptr : c.outputs[2].template as<T>() + i * vt_rows * svd.columns;
    return kernel::SingularValues(svd, a.At<T>(c, i), u, s, vt, scratch);
  };
  CallForEachMatrix(arguments, call, compute, plan);
  return plan;
}

/// Throws if the model names a LAPACK driver, as PyTorch does on CPUs.
void RefuseDriver(const Arguments& arguments) {
  arguments.Require(!arguments.Has("driver"), "driver is given, expected None: there is one driver on CPUs");
}

OperationPlan PlanSvd(const Arguments& arguments) {
  RefuseDriver(arguments);
  return PlanDecomposition(arguments, arguments.Bool("full_matrices") ? Vectors::kFull : Vectors::kReduced);
}

OperationPlan PlanSingularValues(const Arguments& arguments) {
  RefuseDriver(arguments);
  return PlanDecomposition(arguments, Vectors::kNone);
}

/// Plans the decomposition; without vectors U and V' are arrays without elements.
OperationPlan PlanSvdOrValues(const Arguments& arguments) {
  if (arguments.Bool("compute_uv")) return PlanSvd(arguments);
  RefuseDriver(arguments);
  Composition composition(arguments);
  const TensorArgument& input = arguments.Tensor("input");
  const TensorArgument values = composition.Call("torch.linalg.svdvals", {{"input", input}});
  const TensorArgument none = composition.Constant(NdArray(input.spec.type, Shape{0}));
  return composition.Finish({none, values, none});
}

/// Plans U, the singular values and V, not V'; without vectors U and V are square zeros.
OperationPlan PlanClassicSvd(const Arguments& arguments) {
  Composition composition(arguments);
  const MatrixBatch a = ReadMatrices(arguments);
  if (arguments.Bool("compute_uv")) {
    std::vector<TensorArgument> parts =
        composition.CallAll("torch.linalg.svd", {{"input", a.tensor}, {"full_matrices", !arguments.Bool("some")}}, 3);
    parts[2] = Transposed(parts[2]);
    return composition.Finish(parts);
  }
  const auto zeros = [&](int64_t n) {
    return composition.Call("torch.zeros", {{"size", a.With({n, n})}, {"dtype", a.type()}});
  };
  return composition.Finish(
      {zeros(a.rows), composition.Call("torch.linalg.svdvals", {{"input", a.tensor}}), zeros(a.columns)});
}

}  // namespace

void RegisterSvd(OperationTable& table) {
  table.Add({"torch.linalg.svd", "aten::linalg_svd"}, "Tensor input|self|A, bool full_matrices=True, str? driver=None",
            PlanSvd);
  table.Add({"aten::_linalg_svd"},
            "Tensor input|self|A, bool full_matrices=False, bool compute_uv=True, str? driver=None", PlanSvdOrValues);
  table.Add({"torch.linalg.svdvals", "aten::linalg_svdvals"}, "Tensor input|self|A, str? driver=None",
            PlanSingularValues);
  table.Add({"torch.svd", "aten::svd"}, "Tensor input|self, bool some=True, bool compute_uv=True", PlanClassicSvd);
}

}  // namespace kuiper_infer
