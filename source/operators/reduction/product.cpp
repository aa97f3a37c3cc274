// SPDX-License-Identifier: MIT
#include "operation/composition.hpp"
#include "operators/reduction/reduction_plan.hpp"

namespace kuiper_infer {
namespace {

/// Plans the product of complex numbers along one axis, or of all of them: the last of their running products.
OperationPlan PlanComplexProduct(const Arguments& arguments, const ReductionRequest& request) {
  const Shape& shape = request.input.spec.shape;
  const bool whole = !arguments.Has("dim");
  arguments.Require(whole || request.axes.size() == 1,
                    "several axes are multiplied, expected one axis or all elements");
  arguments.Require(ElementCount(shape) > 0, "input is " + ShapeString(shape) + ", expected elements to multiply");
  const int64_t axis = whole ? 0 : request.axes.front();
  Composition composition(arguments);
  TensorArgument x = request.input;
  if (whole) x = composition.Call("torch.reshape", {{"input", x}, {"shape", std::vector<int64_t>{-1}}});
  x = composition.Call("torch.cumprod", {{"input", x}, {"dim", axis}});
  x = composition.Call("torch.select", {{"input", x}, {"dim", axis}, {"index", -1}});
  if (request.keep_axes) x = composition.Call("torch.unsqueeze", {{"input", x}, {"dim", axis}});
  return composition.Finish({x});
}

OperationPlan PlanProduct(const Arguments& arguments) {
  const ReductionRequest request = ReadReduction(arguments);
  if (IsComplex(request.input.spec.type) && !arguments.Has("dtype")) return PlanComplexProduct(arguments, request);
  return PlanTotal(arguments, request, kernel::Reduction::kProduct);
}

}  // namespace

void RegisterProduct(OperationTable& table) {
  const InputLayout strided = InputLayout::kStrided;
  // The raw operator without axes has the element type as second argument.
  table.Add({"aten::prod"}, "Tensor input|self, dtype? dtype", PlanProduct, strided);
  table.Add({"torch.prod", "Tensor.prod", "aten::prod"},
            "Tensor input|self, int[]? dim=None, bool keepdim=False, dtype? dtype=None", PlanProduct, strided);
}

}  // namespace kuiper_infer
