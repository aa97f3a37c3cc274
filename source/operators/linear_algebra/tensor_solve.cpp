// SPDX-License-Identifier: MIT
#include <algorithm>

#include "operation/composition.hpp"
#include "operation/parameters.hpp"

namespace kuiper_infer {
namespace {

/// Plans the inverse of an array whose first `ind` axes count the rows of a matrix and whose other axes its columns.
OperationPlan PlanTensorInverse(const Arguments& arguments) {
  const TensorArgument& a = arguments.Tensor("input");
  const Shape& shape = a.spec.shape;
  const int64_t ind = arguments.Int("ind");
  arguments.Require(ind > 0 && ind <= a.spec.rank(),
                    "ind is " + std::to_string(ind) + ", expected 1 to " + std::to_string(a.spec.rank()));
  const Shape rows(shape.begin(), shape.begin() + ind);
  Shape result(shape.begin() + ind, shape.end());
  const int64_t n = ElementCount(rows);
  arguments.Require(n == ElementCount(result), "input is " + ShapeString(shape) +
                                                   ", expected as many elements in the " + "first " +
                                                   std::to_string(ind) + " axes as in the other ones");
  result.insert(result.end(), rows.begin(), rows.end());
  Composition composition(arguments);
  return composition.Finish({Reshaped(composition.Call("torch.linalg.inv", {{"input", Reshaped(a, {n, n})}}), result)});
}

/// Plans X with tensordot(A, X) = B over all axes of X. Axes in `dims` are moved to the end of A first.
OperationPlan PlanTensorSolve(const Arguments& arguments) {
  Composition composition(arguments);
  TensorArgument a = arguments.Tensor("input");
  const TensorArgument& b = arguments.Tensor("other");
  if (arguments.Has("dims")) {
    const std::vector<int64_t> moved = arguments.Axes("dims", a.spec.rank());
    Shape order;
    for (int64_t axis = 0; axis < a.spec.rank(); ++axis) {
      if (std::find(moved.begin(), moved.end(), axis) == moved.end()) order.push_back(axis);
    }
    order.insert(order.end(), moved.begin(), moved.end());
    a = composition.Call("Tensor.permute", {{"input", a}, {"dims", order}});
  }
  const Shape shape = a.spec.shape;
  const int64_t rank = b.spec.rank();
  const Shape result = rank <= a.spec.rank() ? Shape(shape.begin() + rank, shape.end()) : Shape{};
  const int64_t n = b.spec.size();
  arguments.Require(rank <= a.spec.rank() && a.spec.size() == n * n && ElementCount(result) == n,
                    "input is " + ShapeString(shape) + " and other is " + ShapeString(b.spec.shape) +
                        ", expected as many elements in the first " + std::to_string(rank) +
                        " axes of input as in the other ones and in other");
  const TensorArgument matrix = composition.Call("Tensor.reshape", {{"input", a}, {"shape", Shape{n, n}}});
  const TensorArgument x = composition.Call("torch.linalg.solve", {{"input", matrix}, {"B", Reshaped(b, {n})}});
  return composition.Finish({Reshaped(x, result)});
}

}  // namespace

void RegisterTensorSolve(OperationTable& table) {
  table.Add({"torch.linalg.tensorinv", "aten::linalg_tensorinv"}, "Tensor input|self|A, int ind=2", PlanTensorInverse);
  table.Add({"torch.linalg.tensorsolve", "aten::linalg_tensorsolve"},
            "Tensor input|self|A, Tensor other|B, int[]? dims=None", PlanTensorSolve);
}

}  // namespace kuiper_infer
