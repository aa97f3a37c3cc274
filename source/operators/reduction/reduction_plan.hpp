// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "kernel/reduction/reduce.hpp"
#include "operation/operation.hpp"

namespace kuiper_infer {

/// What is reduced: an array (its spec may be another view of the argument's memory, from the same first element), the
/// axes, and whether they stay with extent 1.
struct ReductionRequest {
  TensorArgument input;
  std::vector<int64_t> axes;
  bool keep_axes = false;
  /// The type to which elements are converted first; kTypeUnknown takes them as they are.
  RuntimeDataType type = RuntimeDataType::kTypeUnknown;
};

/// Reads `dim` (None or empty: all axes), `keepdim` and `dtype`, as far as the schema has them.
ReductionRequest ReadReduction(const Arguments& arguments);

/// Fails where a reduction needs float32 or float64 and gets something else.
void RequireFloating(const Arguments& arguments, const ReductionRequest& request);

/// Plans a reduction with one output. Fails where there is nothing to take an extreme of.
OperationPlan PlanReduction(const Arguments& arguments, const ReductionRequest& request, kernel::Reduction reduction,
                            const kernel::ReductionOptions& options = {});

/// Plans several reductions of one array, with an output each.
OperationPlan PlanReductions(const Arguments& arguments, const ReductionRequest& request,
                             const std::vector<kernel::Reduction>& reductions,
                             const kernel::ReductionOptions& options = {});

}  // namespace kuiper_infer
