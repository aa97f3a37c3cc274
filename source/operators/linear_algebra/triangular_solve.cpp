// SPDX-License-Identifier: MIT
#include <algorithm>

#include "kernel/linear_algebra/triangular.hpp"
#include "operation/composition.hpp"
#include "operators/linear_algebra/matrix_batch.hpp"
#include "operators/product/matrix_product.hpp"
#include "shape/broadcast.hpp"
#include "shape/matrix_offset.hpp"

namespace kuiper_infer {
namespace {

OperationPlan PlanSolveTriangular(const Arguments& arguments) {
  const MatrixBatch a = ReadSquareMatrices(arguments);
  const MatrixBatch b = ReadMatrices(arguments, "B");
  RequireSameType(arguments, a.tensor, b.tensor);
  const bool left = arguments.Bool("left");
  const int64_t n = a.rows;
  arguments.Require((left ? b.rows : b.columns) == n, "B is " + ShapeString(b.tensor.spec.shape) + ", expected " +
                                                          std::to_string(n) + (left ? " rows" : " columns") +
                                                          " because input is " + ShapeString(a.tensor.spec.shape));
  const Shape batch = BroadcastShapes(a.batch, b.batch);
  const TensorSpec a_spec = SpreadOver(batch, a);
  const TensorSpec b_spec = SpreadOver(batch, b);
  const kernel::Triangle triangle{arguments.Bool("upper"), false, arguments.Bool("unitriangular")};
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(b.type(), b_spec.shape)};
  const auto compute = [=](auto tag, const RunContext& c, int64_t i, std::byte* /*scratch*/) {
    using T = typename decltype(tag)::type;
    const int64_t size = b.rows * b.columns;
    const T* matrix = MatrixAt(c.inputs[a.tensor.input].as<T>(), a_spec, i);
    T* x = c.outputs[0].as<T>() + i * size;
    std::copy_n(MatrixAt(c.inputs[b.tensor.input].as<T>(), b_spec, i), size, x);
    if (left) {
      kernel::SolveTriangular(triangle, n, b.columns, matrix, x);
    } else {
      kernel::SolveTriangularRight(triangle, n, b.rows, matrix, x);
    }
    return 0;
  };
  CallForEachMatrix(arguments, {b.type(), ElementCount(batch), n * b.rows * b.columns}, compute, plan);
  return plan;
}

/// Plans the solution and the matrices, which are repeated over the batch of the solution.
OperationPlan PlanTriangularSolve(const Arguments& arguments) {
  Composition composition(arguments);
  const MatrixBatch a = ReadSquareMatrices(arguments, "A");
  const bool transposed = arguments.Bool("transpose");
  const TensorArgument solution =
      composition.Call("torch.linalg.solve_triangular", {{"input", transposed ? Transposed(a.tensor) : a.tensor},
                                                         {"B", arguments.Tensor("input")},
                                                         {"upper", arguments.Bool("upper") != transposed},
                                                         {"unitriangular", arguments.Bool("unitriangular")}});
  Shape shape(solution.spec.shape.begin(), solution.spec.shape.end() - 2);
  shape.insert(shape.end(), {a.rows, a.columns});
  return composition.Finish({solution, composition.Call("Tensor.expand", {{"input", a.tensor}, {"sizes", shape}})});
}

}  // namespace

void RegisterTriangularSolve(OperationTable& table) {
  table.Add({"torch.linalg.solve_triangular", "aten::linalg_solve_triangular"},
            "Tensor input|self|A, Tensor B, bool upper, bool left=True, bool unitriangular=False", PlanSolveTriangular);
  table.Add({"torch.triangular_solve", "aten::triangular_solve"},
            "Tensor input|self|b, Tensor A, bool upper=True, bool transpose=False, bool unitriangular=False",
            PlanTriangularSolve);
}

}  // namespace kuiper_infer
