// SPDX-License-Identifier: MIT
#pragma once

#include "kernel/indexing/gather.hpp"
#include "operation/operation.hpp"

namespace kuiper_infer {

/// What a scatter does with the elements at the index numbers.
struct ScatterRequest {
  kernel::ScatterKind kind = kernel::ScatterKind::kAssign;
  bool mean = false;         ///< whether the result is divided by the number of sources
  bool include_self = true;  ///< false: the first source replaces the element
  double alpha = 1;
  bool one_dimensional = false;  ///< the index array is a vector of positions, the same for all lines
};

/// Plans a copy of `input` with the elements of argument `source_name` put, added, ... at the positions `index` along
/// `dim`.
OperationPlan PlanScatterWith(const Arguments& arguments, const ScatterRequest& request, const char* source_name);

}  // namespace kuiper_infer
