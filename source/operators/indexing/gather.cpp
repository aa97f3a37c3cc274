// SPDX-License-Identifier: MIT
#include "kernel/indexing/gather.hpp"

#include <string>

#include "operation/converted_operand.hpp"
#include "operators/indexing/indexing.hpp"
#include "shape/broadcast.hpp"

namespace kuiper_infer {
namespace {

/// Plans out[..., k, ...] = input[..., number, ...], where k counts along `axis` and `number` is the element of `index`
/// for that output. `shape` is the output's shape. If `one_dimensional`, `index` has one number for each k, otherwise
/// one for each output. If `from_end`, negative numbers count from the end.
OperationPlan PlanAlong(const TensorArgument& input, const TensorArgument& index, int64_t axis, const Shape& shape,
                        bool one_dimensional, bool from_end) {
  const TensorSpec source = AtLeastOneAxis(input.spec);
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(input.spec.type, shape)};
  const ConvertedOperand numbers(index, RuntimeDataType::kTypeInt64, plan.workspace_bytes);
  const TensorSpec walked = AtLeastOneAxis(TensorSpec(input.spec.type, shape));
  Strides index_strides = AtLeastOneAxis(numbers.spec()).strides;
  if (one_dimensional) {
    const int64_t stride = index_strides.front();
    index_strides.assign(walked.shape.size(), 0);
    index_strides[axis] = stride;
  }
  Strides from = source.strides;
  from[axis] = 0;
  const kernel::GatherLoop loop(walked.shape, {index_strides, from, walked.strides});
  const kernel::IndexedAxis range{source.shape[axis], source.strides[axis], from_end};
  plan.run = [loop, range, axis, numbers, index_of = input.input, type = source.type](const RunContext& c) {
    const auto* data = static_cast<const int64_t*>(numbers.Data(c));
    CheckIndex(kernel::Gather(loop, range, type, data, c.inputs[index_of].data, c.outputs[0].data), axis, range);
  };
  return plan;
}

/// Plans out[..., k, ...] = input[..., index[..., k, ...], ...]; the index array may be smaller along the other axes.
OperationPlan PlanGather(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  const TensorArgument& index = arguments.Tensor("index");
  RequireIndexType(arguments, index);
  const TensorSpec source = AtLeastOneAxis(input.spec);
  const TensorSpec numbers = AtLeastOneAxis(index.spec);
  const int64_t axis = arguments.Axis("dim", source.rank());
  bool fits = source.rank() == numbers.rank() || numbers.size() == 0;
  for (int64_t i = 0; fits && numbers.size() > 0 && i < source.rank(); ++i) {
    fits = i == axis || numbers.shape[i] <= source.shape[i];
  }
  arguments.Require(fits, "index is " + ShapeString(index.spec.shape) + ", expected one that fits into " +
                              ShapeString(input.spec.shape) + " outside axis " + std::to_string(axis));
  if (numbers.size() == 0) {
    OperationPlan plan;
    plan.outputs = {OutputPlan::New(input.spec.type, index.spec.shape)};
    return plan;
  }
  return PlanAlong(input, index, axis, index.spec.shape, false, false);
}

/// Plans index_select: a vector of positions along an axis holds for all lines.
OperationPlan PlanIndexSelect(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  const TensorArgument& index = arguments.Tensor("index");
  RequireIndexType(arguments, index);
  arguments.Require(index.spec.rank() <= 1, "index is " + ShapeString(index.spec.shape) + ", expected rank 1");
  const int64_t axis = arguments.Axis("dim", input.spec.rank());
  Shape shape = input.spec.shape;
  if (!shape.empty()) shape[axis] = index.spec.size();
  return PlanAlong(input, index, axis, shape, true, false);
}

/// Plans a gather with shapes that are broadcast outside the axis; without an axis, from the flattened array.
OperationPlan PlanTakeAlong(const Arguments& arguments) {
  TensorArgument input = arguments.Tensor("input");
  TensorArgument index = arguments.Tensor("indices");
  RequireIndexType(arguments, index);
  const auto flatten = [](TensorArgument& tensor) { tensor.spec = TensorSpec(tensor.spec.type, {tensor.spec.size()}); };
  if (!arguments.Has("dim")) {
    flatten(input);
    flatten(index);
    return PlanAlong(input, index, 0, index.spec.shape, false, true);
  }
  const int64_t rank = input.spec.rank();
  arguments.Require(index.spec.rank() == rank, "indices are " + ShapeString(index.spec.shape) +
                                                   ", expected the rank of " + ShapeString(input.spec.shape));
  const int64_t axis = arguments.Axis("dim", rank);
  if (rank == 0) return PlanAlong(input, index, 0, {}, false, true);
  Shape from = input.spec.shape;
  Shape to = index.spec.shape;
  const int64_t extent = from[axis];
  from[axis] = to[axis];
  const Shape shape = BroadcastShapes(from, to);
  from = shape;
  from[axis] = extent;
  input.spec = TensorSpec(input.spec.type, from, BroadcastStrides(input.spec, from));
  const Strides repeated = BroadcastStrides(index.spec, shape);
  index.spec = TensorSpec(index.spec.type, shape, repeated);
  return PlanAlong(input, index, axis, shape, false, true);
}

/// Plans take: elements of the flattened array, in the shape of the index array.
OperationPlan PlanTake(const Arguments& arguments) {
  TensorArgument input = arguments.Tensor("input");
  TensorArgument index = arguments.Tensor("index");
  RequireIndexType(arguments, index);
  input.spec = TensorSpec(input.spec.type, {input.spec.size()});
  const Shape shape = index.spec.shape;
  index.spec = TensorSpec(index.spec.type, {index.spec.size()});
  OperationPlan plan = PlanAlong(input, index, 0, index.spec.shape, false, true);
  plan.outputs = {OutputPlan::New(input.spec.type, shape)};
  return plan;
}

}  // namespace

void RegisterGather(OperationTable& table) {
  const OutputValues moved = Preserves({"input"});
  table.Add({"torch.gather", "Tensor.gather", "aten::gather"},
            "Tensor input|self, int dim, Tensor index, bool sparse_grad=False", PlanGather, InputLayout::kRowMajor,
            moved);
  table.Add({"torch.index_select", "Tensor.index_select", "aten::index_select"},
            "Tensor input|self, int dim, Tensor index", PlanIndexSelect, InputLayout::kRowMajor, moved);
  table.Add({"torch.take_along_dim", "aten::take_along_dim"}, "Tensor input|self, Tensor indices, int? dim=None",
            PlanTakeAlong, InputLayout::kRowMajor, moved);
  table.Add({"torch.take", "aten::take"}, "Tensor input|self, Tensor index", PlanTake, InputLayout::kRowMajor, moved);
}

}  // namespace kuiper_infer
