// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include "operation/parameters.hpp"
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

/// Plans any view of the memory that the input's elements span, as they lie there (views keep PyTorch's strides); one
/// that reaches beyond it is refused.
OperationPlan PlanAsStrided(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  StridedView view;
  view.shape = IntsOrEmpty(arguments, "size");
  view.strides = IntsOrEmpty(arguments, "stride");
  view.offset = OptionalInt(arguments, "storage_offset").value_or(0);
  arguments.Require(view.shape.size() == view.strides.size(),
                    "size " + NumbersString(view.shape) + " and stride " + NumbersString(view.strides) +
                        " differ in length, expected as many strides as extents");
  const int64_t count = ElementCount(view.shape);
  // Each step is checked by itself first, so that nothing here can overflow.
  const int64_t size = MemorySpan(input.spec);
  bool inside = view.offset >= 0 && (count == 0 || view.offset < size);
  int64_t last = view.offset;
  for (std::size_t i = 0; inside && count > 0 && i < view.shape.size(); ++i) {
    const int64_t steps = view.shape[i] - 1;
    inside = view.strides[i] >= 0 && (steps == 0 || view.strides[i] <= (size - 1 - last) / steps);
    if (inside) last += steps * view.strides[i];
  }
  arguments.Require(inside, "size " + NumbersString(view.shape) + " and stride " + NumbersString(view.strides) +
                                " reach beyond the " + std::to_string(size) + " elements of the input");
  return PlanView(input, view);
}

}  // namespace

void RegisterAsStrided(OperationTable& table) {
  table.Add({"torch.as_strided", "aten::as_strided"},
            "Tensor input|self, int[]? size=None, int[]? stride=None, int? storage_offset=None", PlanAsStrided,
            InputLayout::kStrided, Preserves({"input"}));
}

}  // namespace kuiper_infer
