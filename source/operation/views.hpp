// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "operation/operation.hpp"
#include "shape/slice.hpp"

namespace kuiper_infer {

/// Plans and outputs of operations that look at an array in another way, or copy what they see.

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

}  // namespace kuiper_infer
