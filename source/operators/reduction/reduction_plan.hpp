// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "kernel/reduction/reduce.hpp"
#include "operation/operation.hpp"

namespace kuiper_infer {

/// A reduction: the array (its spec may be another view of the argument's memory, from the same first element), the
/// axes, and whether they stay with extent 1.
struct ReductionRequest {
  TensorArgument input;
  std::vector<int64_t> axes;
  bool keep_axes = false;
  /// The type to which elements are converted first; kTypeUnknown takes them as they are.
  RuntimeDataType type = RuntimeDataType::kTypeUnknown;
};

/// Reads those of the arguments `dim` (None or empty: all axes), `keepdim` and `dtype` that the schema has.
ReductionRequest ReadReduction(const Arguments& arguments);

/// Throws Error if a reduction needs float32 or float64 and gets another type.
void RequireFloating(const Arguments& arguments, const ReductionRequest& request);

/// Plans a reduction with one output. Throws Error if it is a maximum or minimum of no elements.
OperationPlan PlanReduction(const Arguments& arguments, const ReductionRequest& request, kernel::Reduction reduction,
                            const kernel::ReductionOptions& options = {});

/// Plans several reductions of one array, one output for each.
OperationPlan PlanReductions(const Arguments& arguments, const ReductionRequest& request,
                             const std::vector<kernel::Reduction>& reductions,
                             const kernel::ReductionOptions& options = {});

/// Plans a sum or a product in the type that the call asks for. Integers give int64 unless it asks for another one.
OperationPlan PlanTotal(const Arguments& arguments, const ReductionRequest& request, kernel::Reduction reduction);

/// The reduction of the real and the imaginary parts of complex numbers, which are a last axis of two.
ReductionRequest PartsOf(const ReductionRequest& request);

/// Plans a sum or a mean of complex numbers, which is that of their parts.
OperationPlan PlanOfParts(const Arguments& arguments, const ReductionRequest& request, kernel::Reduction reduction);

}  // namespace kuiper_infer
