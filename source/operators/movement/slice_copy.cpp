// SPDX-License-Identifier: MIT
#include <optional>
#include <string>

#include "operation/strided_copy.hpp"
#include "operators/movement/slice.hpp"

namespace kuiper_infer {
namespace {

/// Whether a part of an array consists of successive rows along `axis`: it has all elements along the other axes, and
/// neighbouring elements along `axis`.
bool IsRange(const TensorSpec& array, const StridedView& part, int64_t axis) {
  Shape shape = array.shape;
  Strides strides = array.strides;
  if (part.rank() == array.rank()) {
    shape[axis] = part.shape[axis];
  } else {  // one element, whose axis is left out
    shape.erase(shape.begin() + axis);
    strides.erase(strides.begin() + axis);
  }
  return part.shape == shape && part.strides == strides;
}

/// The successive rows along some axis of which a part of an array consists; nothing if there is no such axis.
std::optional<ChangedRows> RowsOf(const TensorSpec& array, const StridedView& part) {
  for (int64_t axis = 0; array.size() > 0 && axis < array.rank(); ++axis) {
    if (!IsRange(array, part, axis)) continue;
    const int64_t count = part.rank() == array.rank() ? part.shape[axis] : 1;
    return ChangedRows{kernel::ChooseRows(array, axis, count), -1, part.offset / array.strides[axis]};
  }
  return std::nullopt;
}

/// Plans a copy of the input in which `src`, which is broadcast, replaces the view that `read` returns.
template <class Read>
OperationPlan PlanReplace(const Arguments& arguments, const Read& read) {
  const TensorArgument& input = arguments.Tensor("input");
  const TensorSpec out(input.spec.type, input.spec.shape);
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(out)};
  const StridedCopy all(input, StridedView(out));
  const StridedView place = read(out);
  const StridedCopy part(arguments.Tensor("src"), place);
  if (input.input == 0) plan.changed_rows = RowsOf(out, place);
  plan.run = [all, part, first = input.input](const RunContext& c) {
    if (!InPlace(c, first)) all.Run(c);
    part.Run(c);
  };
  return plan;
}

OperationPlan PlanSliceCopy(const Arguments& arguments) {
  return PlanReplace(arguments, [&](const TensorSpec& out) { return ReadSlice(arguments, out); });
}

OperationPlan PlanSelectScatter(const Arguments& arguments) {
  return PlanReplace(arguments, [&](const TensorSpec& out) {
    arguments.Require(out.rank() > 0, "input is (), expected rank 1 or more");
    return SelectAxis(StridedView(out), arguments.Axis("dim", out.rank()), arguments.Int("index"));
  });
}

OperationPlan PlanDiagonalScatter(const Arguments& arguments) {
  return PlanReplace(arguments, [&](const TensorSpec& out) {
    const int64_t first = arguments.Axis("dim1", out.rank());
    const int64_t second = arguments.Axis("dim2", out.rank());
    return TakeDiagonal(StridedView(out), arguments.Int("offset"), first, second);
  });
}

}  // namespace

void RegisterSliceCopy(OperationTable& table) {
  const InputLayout strided = InputLayout::kStrided;
  const OutputValues mixed = Preserves({"input", "src"});
  const std::string one_axis(kSliceOneAxis);
  const std::string many_axes(kSliceManyAxes);
  table.Add({"Tensor.slice_copy"},
            "Tensor input|self, Tensor src, int dim=0, " + one_axis + ", int? select=None, " + many_axes, PlanSliceCopy,
            strided, mixed);
  table.Add({"torch.slice_scatter", "aten::slice_scatter"}, "Tensor input|self, Tensor src, int dim=0, " + one_axis,
            PlanSliceCopy, strided, mixed);
  table.Add({"torch.select_scatter", "aten::select_scatter"}, "Tensor input|self, Tensor src, int dim, int index",
            PlanSelectScatter, strided, mixed);
  table.Add({"torch.diagonal_scatter", "aten::diagonal_scatter"},
            "Tensor input|self, Tensor src, int offset=0, int dim1=0, int dim2=1", PlanDiagonalScatter, strided, mixed);
}

}  // namespace kuiper_infer
