// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include "operation/parameters.hpp"
#include "operation/views.hpp"

namespace kuiper_infer {
namespace {

OperationPlan PlanSqueeze(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  const Value* given = arguments.Get("dim").known();
  const bool no_axes = given != nullptr && given->Is<Value::List>() && given->Get<Value::List>().empty();
  if (no_axes) return PlanForward(Argument{input});
  std::vector<int64_t> axes = arguments.Axes("dim", input.spec.rank());
  std::sort(axes.begin(), axes.end(), std::greater<>());
  StridedView view(input.spec);
  for (const int64_t axis : axes) {
    if (view.shape[axis] == 1) view = DropAxis(view, axis);
  }
  return PlanView(input, view);
}

/// Plans new axes of extent 1. Several axes come from ONNX files: -1, -2, ... are inserted first, then the other axes
/// from the lowest on.
OperationPlan PlanUnsqueeze(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  std::vector<int64_t> axes = arguments.Ints("dim");
  std::sort(axes.begin(), axes.end(), [](int64_t a, int64_t b) {
    if ((a < 0) != (b < 0)) return a < 0;
    return a < 0 ? a > b : a < b;
  });
  StridedView view(input.spec);
  for (const int64_t axis : axes) view = InsertAxis(view, NewAxis(arguments, axis, view.rank()));
  return PlanView(input, view);
}

}  // namespace

void RegisterSqueeze(OperationTable& table) {
  const InputLayout strided = InputLayout::kStrided;
  const OutputValues moved = Preserves({"input"});
  table.Add({"torch.squeeze", "Tensor.squeeze", "aten::squeeze", "aten::squeeze_copy"},
            "Tensor input|self, int[]? dim=None", PlanSqueeze, strided, moved);
  table.Add({"torch.unsqueeze", "Tensor.unsqueeze", "aten::unsqueeze", "aten::unsqueeze_copy"},
            "Tensor input|self, int[] dim", PlanUnsqueeze, strided, moved);
}

}  // namespace kuiper_infer
