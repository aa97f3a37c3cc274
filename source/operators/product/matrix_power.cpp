// SPDX-License-Identifier: MIT
#include "operation/composition.hpp"

namespace kuiper_infer {
namespace {

OperationPlan PlanMatrixPower(const Arguments& arguments) {
  TensorArgument x = arguments.Tensor("input");
  int64_t n = arguments.Int("n");
  arguments.Require(x.spec.rank() >= 2 && x.spec.shape.back() == x.spec.shape.end()[-2],
                    "input is " + ShapeString(x.spec.shape) + ", expected square matrices");
  Composition composition(arguments);
  if (n < 0) {
    x = composition.Call("torch.linalg.inv", {{"input", x}});
    n = -n;
  }
  const auto multiply = [&](const TensorArgument& a, const TensorArgument& b) {
    return composition.Call("torch.matmul", {{"input", a}, {"other", b}});
  };
  if (n == 0) {
    const TensorArgument eye = composition.Call("torch.eye", {{"n", x.spec.shape.back()}, {"dtype", x.spec.type}});
    return composition.Finish({composition.Call("Tensor.expand", {{"input", eye}, {"sizes", x.spec.shape}})});
  }
  TensorArgument square = x;
  TensorArgument result;
  for (int64_t bits = n; bits != 0; bits >>= 1) {
    if ((bits & 1) != 0) result = result.input < 0 ? square : multiply(result, square);
    if (bits > 1) square = multiply(square, square);
  }
  return composition.Finish({result});
}

OperationPlan PlanMultiDot(const Arguments& arguments) {
  const std::vector<TensorArgument> factors = arguments.Tensors("tensors");
  arguments.Require(!factors.empty(), "there are no matrices, expected at least one");
  Composition composition(arguments);
  TensorArgument result = factors.front();
  for (std::size_t i = 1; i < factors.size(); ++i) {
    result = composition.Call("torch.matmul", {{"input", result}, {"other", factors[i]}});
  }
  return composition.Finish({result});
}

}  // namespace

void RegisterMatrixPower(OperationTable& table) {
  table.Add({"torch.matrix_power", "torch.linalg.matrix_power", "aten::matrix_power", "aten::linalg_matrix_power"},
            "Tensor input|self|A, int n", PlanMatrixPower);
  table.Add({"torch.linalg.multi_dot", "aten::linalg_multi_dot"}, "Tensor[] tensors", PlanMultiDot);
}

}  // namespace kuiper_infer
