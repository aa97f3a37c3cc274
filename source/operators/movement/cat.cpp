// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include "operation/parameters.hpp"
#include "operation/strided_copy.hpp"
#include "operators/movement/join.hpp"
#include "shape/layout.hpp"
#include "shape/promote.hpp"

namespace kuiper_infer {
namespace {

/// An array of shape (0), which joins with arrays of any rank for historical reasons.
bool IsLegacyEmpty(const TensorArgument& tensor) { return tensor.spec.shape == Shape{0}; }

RuntimeDataType CommonType(const std::vector<TensorArgument>& tensors) {
  RuntimeDataType type = RuntimeDataType::kTypeUnknown;
  for (const TensorArgument& tensor : tensors) type = PromoteTypes(type, tensor.spec.type);
  return type;
}

/// Plans the concatenation of arrays along an axis.
OperationPlan PlanJoin(const Arguments& arguments, const std::vector<TensorArgument>& tensors, int64_t axis,
                       RuntimeDataType type) {
  const Shape& first = tensors.front().spec.shape;
  Shape shape = first;
  shape[axis] = 0;
  for (const TensorArgument& tensor : tensors) {
    Shape other = tensor.spec.shape;
    const bool fits = other.size() == first.size();
    const int64_t extent = fits ? other[axis] : 0;
    if (fits) other[axis] = first[axis];
    arguments.Require(other == first, "the arrays " + ShapeString(first) + " and " + ShapeString(tensor.spec.shape) +
                                          " cannot be joined along axis " + std::to_string(axis) +
                                          ", expected equal extents along the other axes");
    shape[axis] += extent;
  }
  std::vector<TensorSpec> specs;
  for (const TensorArgument& tensor : tensors) specs.push_back(tensor.spec);
  const TensorSpec out = OrderedSpec(type, shape, CommonOrder(specs));
  std::vector<StridedCopy> copies;
  OperationPlan plan;
  std::vector<Join::Part> parts;
  int64_t position = 0;
  for (const TensorArgument& tensor : tensors) {
    const int64_t next = position + tensor.spec.shape[axis];
    copies.emplace_back(tensor, SliceAxis(StridedView(out), axis, position, next, 1));
    parts.push_back({tensor.input, copies.back().to.offset});
    position = next;
  }
  plan.outputs = {OutputPlan::New(out)};
  plan.computation = std::make_shared<const Join>(type, std::move(parts), std::move(copies));
  return plan;
}

std::vector<TensorArgument> ReadTensors(const Arguments& arguments) {
  std::vector<TensorArgument> tensors = arguments.Tensors("tensors");
  if (tensors.empty()) arguments.Fail(ErrorCode::kArgument, "there is nothing to join, expected one array or more");
  return tensors;
}

std::vector<TensorArgument> WithoutLegacyEmpty(const std::vector<TensorArgument>& all) {
  std::vector<TensorArgument> tensors;
  for (const TensorArgument& tensor : all) {
    if (!IsLegacyEmpty(tensor)) tensors.push_back(tensor);
  }
  return tensors;
}

OperationPlan PlanCat(const Arguments& arguments) {
  const std::vector<TensorArgument> all = ReadTensors(arguments);
  for (const TensorArgument& tensor : all) {
    arguments.Require(tensor.spec.rank() > 0, "found an array of rank 0, expected rank 1 or more");
  }
  const std::vector<TensorArgument> tensors = WithoutLegacyEmpty(all);
  if (tensors.empty()) return PlanJoin(arguments, all, 0, CommonType(all));  // PyTorch accepts any axis
  return PlanJoin(arguments, tensors, arguments.Axis("dim", tensors.front().spec.rank()), CommonType(all));
}

OperationPlan PlanStack(const Arguments& arguments) {
  std::vector<TensorArgument> tensors = ReadTensors(arguments);
  const int64_t axis = NewAxis(arguments, arguments.Int("dim"), tensors.front().spec.rank());
  for (TensorArgument& tensor : tensors) {
    arguments.Require(tensor.spec.shape == tensors.front().spec.shape || &tensor == &tensors.front(),
                      "found arrays of the shapes " + ShapeString(tensors.front().spec.shape) + " and " +
                          ShapeString(tensor.spec.shape) + ", expected equal ones");
  }
  for (TensorArgument& tensor : tensors) {
    const StridedView view = InsertAxis(StridedView(tensor.spec), axis);
    tensor.spec = TensorSpec(tensor.spec.type, view.shape, view.strides);
  }
  return PlanJoin(arguments, tensors, axis, CommonType(tensors));
}

/// torch.hstack, vstack, dstack and column_stack: arrays get at least kRank axes, then they are concatenated along axis
/// kAxis. hstack concatenates vectors along their only axis; column_stack makes columns of vectors.
template <int kAxis, int kRank, bool kColumns = false>
OperationPlan PlanStackAxis(const Arguments& arguments) {
  std::vector<TensorArgument> tensors = ReadTensors(arguments);
  for (TensorArgument& tensor : tensors) {
    StridedView view(tensor.spec);
    if (view.rank() == 0) view = InsertAxis(view, 0);
    if (view.rank() == 1 && kRank >= 2) view = InsertAxis(view, kColumns ? 1 : 0);
    if (view.rank() == 2 && kRank >= 3) view = InsertAxis(view, 2);
    tensor.spec = TensorSpec(tensor.spec.type, view.shape, view.strides);
  }
  const int64_t axis = std::min<int64_t>(kAxis, tensors.front().spec.rank() - 1);
  const std::vector<TensorArgument> filled = WithoutLegacyEmpty(tensors);
  if (filled.empty()) return PlanJoin(arguments, tensors, 0, CommonType(tensors));
  arguments.Require(axis < filled.front().spec.rank(), "found " + ShapeString(filled.front().spec.shape) +
                                                           ", expected rank " + std::to_string(axis + 1) + " or more");
  return PlanJoin(arguments, filled, axis, CommonType(tensors));
}

}  // namespace

void RegisterCat(OperationTable& table) {
  const InputLayout strided = InputLayout::kStrided;
  const OutputValues joined = Preserves({"tensors"});
  const std::string schema = "Tensor[] tensors, int dim=0";
  table.Add({"torch.cat", "torch.concat", "aten::cat", "aten::concat", "aten::concatenate"}, schema, PlanCat, strided,
            joined);
  table.Add({"torch.stack", "aten::stack"}, schema, PlanStack, strided, joined);
  table.Add({"torch.hstack", "aten::hstack"}, "Tensor[] tensors", PlanStackAxis<1, 1>, strided, joined);
  table.Add({"torch.vstack", "aten::vstack"}, "Tensor[] tensors", PlanStackAxis<0, 2>, strided, joined);
  table.Add({"torch.dstack", "aten::dstack"}, "Tensor[] tensors", PlanStackAxis<2, 3>, strided, joined);
  table.Add({"torch.column_stack", "aten::column_stack"}, "Tensor[] tensors", PlanStackAxis<1, 2, true>, strided,
            joined);
}

}  // namespace kuiper_infer
