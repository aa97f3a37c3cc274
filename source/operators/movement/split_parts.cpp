// SPDX-License-Identifier: MIT
#include "operators/movement/split_parts.hpp"

#include <algorithm>
#include <string>

namespace kuiper_infer {

int64_t SplitAxis(const Arguments& arguments) {
  const TensorSpec& spec = arguments.Tensor("input").spec;
  arguments.Require(spec.rank() > 0, "input is (), expected rank 1 or more");
  return arguments.Axis("dim", spec.rank());
}

void RequireParts(const Arguments& arguments, int64_t count) {
  constexpr int64_t kMost = 1 << 16;
  arguments.Require(count <= kMost,
                    "there would be " + std::to_string(count) + " parts, expected at most " + std::to_string(kMost));
}

OperationPlan PlanParts(const TensorArgument& input, int64_t axis, const std::vector<int64_t>& bounds) {
  std::vector<StridedView> parts;
  for (std::size_t i = 0; i + 1 < bounds.size(); ++i) {
    parts.push_back(SliceAxis(StridedView(input.spec), axis, bounds[i], std::max(bounds[i], bounds[i + 1]), 1));
  }
  return PlanViews(input, parts);
}

}  // namespace kuiper_infer
