// SPDX-License-Identifier: MIT
#include "kernel/linear_algebra/qr.hpp"
#include "operators/linear_algebra/matrix_batch.hpp"

namespace kuiper_infer {
namespace {

/// The factors tau of the reflectors in the first columns of matrices.
const TensorArgument& ReadFactors(const Arguments& arguments, const MatrixBatch& a) {
  const TensorArgument& tau = arguments.Tensor("tau");
  RequireSameType(arguments, a.tensor, tau);
  const Shape& shape = tau.spec.shape;
  const bool fits = !shape.empty() && Shape(shape.begin(), shape.end() - 1) == a.batch && shape.back() <= a.columns;
  arguments.Require(fits, "tau is " + ShapeString(shape) + ", expected " + ShapeString(a.With({a.columns})) +
                              " or fewer in the last axis because input is " + ShapeString(a.tensor.spec.shape));
  return tau;
}

/// Plans the first columns of the product of reflectors.
OperationPlan PlanHouseholderProduct(const Arguments& arguments) {
  const MatrixBatch a = ReadMatrices(arguments);
  const int64_t rows = a.rows;
  const int64_t columns = a.columns;
  arguments.Require(rows >= columns,
                    "input is " + ShapeString(a.tensor.spec.shape) + ", expected at least as many rows as columns");
  const TensorArgument& tau = ReadFactors(arguments, a);
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(a.type(), a.tensor.spec.shape)};
  BatchCall call{a.type(), a.count, rows * columns * columns};
  call.scratch_bytes =
      ScratchFor(a.type(), [&](auto tag) { return kernel::QrScratch<typename decltype(tag)::type>(rows, columns); });
  const auto compute = [=, factors = tau.input, count = tau.spec.shape.back()](auto tag, const RunContext& c, int64_t i,
                                                                               std::byte* scratch) {
    using T = typename decltype(tag)::type;
    kernel::ReflectorProduct(rows, columns, count, columns, a.At<T>(c, i), c.inputs[factors].as<T>() + i * count,
                             c.outputs[0].as<T>() + i * rows * columns, scratch);
    return 0;
  };
  CallForEachMatrix(arguments, call, compute, plan);
  return plan;
}

/// Plans the product of a matrix with the square Q of reflectors.
OperationPlan PlanReflectedProduct(const Arguments& arguments) {
  const MatrixBatch a = ReadMatrices(arguments);
  const TensorArgument& tau = ReadFactors(arguments, a);
  const MatrixBatch other = ReadMatrices(arguments, "other");
  RequireSameType(arguments, a.tensor, other.tensor);
  const kernel::ReflectorSide side{arguments.Bool("left"), arguments.Bool("transpose")};
  const int64_t count = tau.spec.shape.back();
  const int64_t order = side.left ? other.rows : other.columns;
  arguments.Require(other.batch == a.batch && order == a.rows && count == a.columns && count <= order,
                    "input is " + ShapeString(a.tensor.spec.shape) + ", tau is " + ShapeString(tau.spec.shape) +
                        " and other is " + ShapeString(other.tensor.spec.shape) + ", expected input with " +
                        std::to_string(order) + " rows and a column for each number of tau");
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(a.type(), other.tensor.spec.shape)};
  BatchCall call{a.type(), a.count, other.rows * other.columns * count};
  call.scratch_bytes = ScratchFor(a.type(), [&](auto tag) {
    return kernel::ReflectorScratch<typename decltype(tag)::type>(side, other.rows, other.columns, count);
  });
  const auto compute = [=, factors = tau.input](auto tag, const RunContext& c, int64_t i, std::byte* scratch) {
    using T = typename decltype(tag)::type;
    kernel::MultiplyByReflectors(side, other.rows, other.columns, count, a.At<T>(c, i),
                                 c.inputs[factors].as<T>() + i * count, other.At<T>(c, i),
                                 c.outputs[0].as<T>() + i * other.rows * other.columns, scratch);
    return 0;
  };
  CallForEachMatrix(arguments, call, compute, plan);
  return plan;
}

}  // namespace

void RegisterHouseholder(OperationTable& table) {
  table.Add({"torch.linalg.householder_product", "aten::linalg_householder_product", "torch.orgqr", "aten::orgqr"},
            "Tensor input|self|A, Tensor tau|input2", PlanHouseholderProduct);
  table.Add({"torch.ormqr", "aten::ormqr"},
            "Tensor input|self, Tensor tau|input2, Tensor other|input3, bool left=True, bool transpose=False",
            PlanReflectedProduct);
}

}  // namespace kuiper_infer
