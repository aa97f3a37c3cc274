// SPDX-License-Identifier: MIT
#include "kernel/linear_algebra/eigen.hpp"

#include <complex>

#include "operation/composition.hpp"
#include "operators/linear_algebra/matrix_batch.hpp"

namespace kuiper_infer {
namespace {

std::string NoEigenvalues(int /*info*/) {
  return "has NaN or infinite elements, or LAPACK finds no eigenvalues, expected finite elements";
}

/// Plans the eigenvalues of symmetric matrices, of which one triangle is read, and their eigenvectors.
OperationPlan PlanSymmetric(const Arguments& arguments, bool vectors) {
  const MatrixBatch a = ReadSquareMatrices(arguments);
  const int64_t n = a.rows;
  const std::string triangle = arguments.String("UPLO");
  const bool upper = triangle == "U" || triangle == "u";
  arguments.Require(upper || triangle == "L" || triangle == "l", "UPLO is '" + triangle + "', expected L or U");
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(a.type(), a.With({n}))};
  if (vectors) plan.outputs.push_back(OutputPlan::New(a.type(), a.tensor.spec.shape));
  BatchCall call{a.type(), a.count, 10 * n * n * n};
  call.scratch_bytes = ScratchFor(
      a.type(), [&](auto tag) { return kernel::SymmetricEigenScratch<typename decltype(tag)::type>(n, vectors); });
  call.failure = NoEigenvalues;
  const auto compute = [=](auto tag, const RunContext& c, int64_t i, std::byte* scratch) {
    using T = typename decltype(tag)::type;
    T* columns = vectors ? c.outputs[1].template as<T>() + i * n * n : nullptr;
    return kernel::SymmetricEigen(n, upper, a.At<T>(c, i), c.outputs[0].as<T>() + i * n, columns, scratch);
  };
  CallForEachMatrix(arguments, call, compute, plan);
  return plan;
}

template <bool kVectors>
OperationPlan PlanEigh(const Arguments& arguments) {
  return PlanSymmetric(arguments, kVectors);
}

/// Plans eigenvalues and eigenvectors; without vectors the second output is an array without elements.
OperationPlan PlanEighOrValues(const Arguments& arguments) {
  if (arguments.Bool("compute_v")) return PlanSymmetric(arguments, true);
  Composition composition(arguments);
  const TensorArgument& input = arguments.Tensor("input");
  const TensorArgument values =
      composition.Call("torch.linalg.eigvalsh", {{"input", input}, {"UPLO", arguments.Get("UPLO")}});
  return composition.Finish({values, composition.Constant(NdArray(input.spec.type, Shape{0}))});
}

/// Plans the complex eigenvalues of any square matrices, and their eigenvectors.
template <bool kVectors>
OperationPlan PlanEig(const Arguments& arguments) {
  const MatrixBatch a = ReadSquareMatrices(arguments);
  const int64_t n = a.rows;
  const RuntimeDataType complex =
      a.type() == RuntimeDataType::kTypeFloat64 ? RuntimeDataType::kTypeComplex128 : RuntimeDataType::kTypeComplex64;
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(complex, a.With({n}))};
  if (kVectors) plan.outputs.push_back(OutputPlan::New(complex, a.tensor.spec.shape));
  BatchCall call{a.type(), a.count, 20 * n * n * n};
  call.scratch_bytes =
      ScratchFor(a.type(), [&](auto tag) { return kernel::EigenScratch<typename decltype(tag)::type>(n, kVectors); });
  call.failure = NoEigenvalues;
  const auto compute = [=](auto tag, const RunContext& c, int64_t i, std::byte* scratch) {
    using T = typename decltype(tag)::type;
    using Complex = std::complex<T>;
    Complex* columns = kVectors ? c.outputs[1].template as<Complex>() + i * n * n : nullptr;
    return kernel::Eigen(n, a.At<T>(c, i), c.outputs[0].template as<Complex>() + i * n, columns, scratch);
  };
  CallForEachMatrix(arguments, call, compute, plan);
  return plan;
}

}  // namespace

void RegisterEigen(OperationTable& table) {
  const std::string a = "Tensor input|self|A";
  table.Add({"torch.linalg.eigh", "aten::linalg_eigh"}, a + ", str UPLO=L", PlanEigh<true>);
  table.Add({"torch.linalg.eigvalsh", "aten::linalg_eigvalsh"}, a + ", str UPLO=L", PlanEigh<false>);
  table.Add({"aten::_linalg_eigh"}, a + ", str UPLO=L, bool compute_v=True", PlanEighOrValues);
  table.Add({"torch.linalg.eig", "aten::linalg_eig"}, a, PlanEig<true>);
  table.Add({"torch.linalg.eigvals", "aten::linalg_eigvals", "aten::_linalg_eigvals"}, a, PlanEig<false>);
}

}  // namespace kuiper_infer
