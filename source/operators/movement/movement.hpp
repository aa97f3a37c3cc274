// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "operation/operation.hpp"
#include "shape/slice.hpp"

namespace kuiper_infer {

/// Plans and outputs of operations that only move elements.

/// An output that is a view of the argument's memory: nothing has to run.
OutputPlan ViewOutput(const TensorArgument& input, const StridedView& view);

/// The plan whose result is one view.
OperationPlan PlanView(const TensorArgument& input, const StridedView& view);

/// The plan whose result is a list of views.
OperationPlan PlanViews(const TensorArgument& input, const std::vector<StridedView>& views);

/// The plan whose result is a new row-major array of shape `shape` with the view's elements in row-major order.
OperationPlan PlanCopy(const TensorArgument& input, const StridedView& view, const Shape& shape);

/// The plan whose result has the argument's elements in row-major order under another shape of as many elements: a view
/// if strides can express it, otherwise a copy.
OperationPlan PlanReshape(const TensorArgument& input, const Shape& shape);

/// The plan whose result is the argument itself.
OperationPlan PlanForward(const Argument& argument);

/// An axis argument for a new axis, which has rank + 1 possible places.
int64_t NewAxis(const Arguments& arguments, int64_t axis, int64_t rank);

/// A list argument. None stands for an empty list, because the format writes empty lists as None.
std::vector<int64_t> IntsOrEmpty(const Arguments& arguments, const char* name);

/// A number that may be absent.
std::optional<int64_t> OptionalInt(const Arguments& arguments, const char* name);

/// Copies an argument, or a view of it, into a view of the plan's only output, which is new. The source is broadcast;
/// the constructors throw Error if the shapes don't fit.
struct StridedCopy {
  StridedCopy(const TensorArgument& source, StridedView target);
  StridedCopy(const TensorArgument& source, const StridedView& part, StridedView target);

  /// Copies. Does nothing if the source is in its place in the output already.
  void Run(const RunContext& context) const;

  int input;
  TensorSpec from;
  int64_t from_offset;
  StridedView to;
  TensorSpec to_spec;  ///< for outputs of the source's type
};

}  // namespace kuiper_infer
