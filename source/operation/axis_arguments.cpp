// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>

#include "operation/parameters.hpp"

namespace kuiper_infer {

int64_t CheckedAxis(const Arguments& arguments, const std::string& name, int64_t axis, int64_t rank) {
  const int64_t axes = std::max<int64_t>(rank, 1);
  if (axis < -axes || axis >= axes) {
    arguments.Fail(ErrorCode::kArgument, "argument '" + name + "' is axis " + std::to_string(axis) +
                                             ", expected one from " + std::to_string(-axes) + " to " +
                                             std::to_string(axes - 1));
  }
  return axis < 0 ? axis + axes : axis;
}

std::vector<int64_t> AxesOrNone(const Arguments& arguments, const std::string& name, int64_t rank) {
  return arguments.Ints(name).empty() ? std::vector<int64_t>() : arguments.Axes(name, rank);
}

int64_t Arguments::Axis(const std::string& name, int64_t rank) const {
  return CheckedAxis(*this, name, Int(name), rank);
}

std::vector<int64_t> Arguments::Axes(const std::string& name, int64_t rank) const {
  std::vector<int64_t> axes;
  if (Has(name)) axes = Ints(name);
  if (axes.empty()) {
    axes.resize(static_cast<std::size_t>(rank));
    std::iota(axes.begin(), axes.end(), 0);
    return axes;
  }
  for (int64_t& axis : axes) axis = CheckedAxis(*this, name, axis, rank);
  std::vector<int64_t> sorted = axes;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
    Fail(ErrorCode::kArgument, "argument '" + name + "' names an axis twice");
  }
  if (rank == 0) axes.clear();
  return axes;
}

}  // namespace kuiper_infer
