// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include "operation/parameters.hpp"
#include "operation/strided_copy.hpp"
#include "operation/views.hpp"
#include "utils/numbers_string.hpp"

namespace kuiper_infer {
namespace {

/// The number of elements in memory from the first to the last element of a view.
int64_t MemorySpan(const TensorSpec& spec) {
  int64_t last = 0;
  for (int64_t axis = 0; axis < spec.rank(); ++axis) {
    const auto i = static_cast<std::size_t>(axis);
    last += std::max<int64_t>(spec.shape[i] - 1, 0) * spec.strides[i];
  }
  return spec.size() == 0 ? 0 : last + 1;
}

/// Reads a view of the memory that an array's elements span. Throws if the view reaches beyond that memory.
StridedView ReadView(const Arguments& arguments, const TensorSpec& spec) {
  StridedView view;
  view.shape = IntsOrEmpty(arguments, "size");
  view.strides = IntsOrEmpty(arguments, "stride");
  view.offset = OptionalInt(arguments, "storage_offset").value_or(0);
  arguments.Require(view.shape.size() == view.strides.size(),
                    "size " + NumbersString(view.shape) + " and stride " + NumbersString(view.strides) +
                        " differ in length, expected as many strides as extents");
  const int64_t count = ElementCount(view.shape);
  // Each stride is checked before it is multiplied, so that nothing here can overflow.
  const int64_t size = MemorySpan(spec);
  bool inside = view.offset >= 0 && (count == 0 || view.offset < size);
  int64_t last = view.offset;
  for (std::size_t i = 0; inside && count > 0 && i < view.shape.size(); ++i) {
    const int64_t steps = view.shape[i] - 1;
    inside = view.strides[i] >= 0 && (steps == 0 || view.strides[i] <= (size - 1 - last) / steps);
    if (inside) last += steps * view.strides[i];
  }
  arguments.Require(inside, "size " + NumbersString(view.shape) + " and stride " + NumbersString(view.strides) +
                                " reach beyond the " + std::to_string(size) + " elements of the input");
  return view;
}

/// Plans a view; views keep PyTorch's strides.
OperationPlan PlanAsStrided(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  return PlanView(input, ReadView(arguments, input.spec));
}

/// Plans a row-major copy of the input in which `src`, which is broadcast, replaces a view.
OperationPlan PlanAsStridedScatter(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  const TensorSpec out(input.spec.type, input.spec.shape);
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(out)};
  const StridedCopy all(input, StridedView(out));
  const StridedCopy part(arguments.Tensor("src"), ReadView(arguments, out));
  plan.run = [all, part](const RunContext& c) {
    all.Run(c);
    part.Run(c);
  };
  return plan;
}

}  // namespace

void RegisterAsStrided(OperationTable& table) {
  const std::string view = "int[]? size=None, int[]? stride=None, int? storage_offset=None";
  table.Add({"torch.as_strided", "aten::as_strided", "aten::as_strided_copy"}, "Tensor input|self, " + view,
            PlanAsStrided, InputLayout::kStrided, Preserves({"input"}));
  table.Add({"torch.as_strided_scatter", "aten::as_strided_scatter"}, "Tensor input|self, Tensor src, " + view,
            PlanAsStridedScatter, InputLayout::kStrided, Preserves({"input", "src"}));
}

}  // namespace kuiper_infer
