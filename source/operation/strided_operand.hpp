// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "kernel/movement/pad.hpp"
#include "operation/operation.hpp"
#include "shape/layout.hpp"

namespace kuiper_infer {

/// An array argument of a kernel that takes some strides, but not all. If the kernel does not take the array's strides,
/// a run copies the array into the workspace.
struct StridedOperand {
  int input = -1;
  TensorSpec given;
  int64_t copy_offset = -1;  ///< of the copy in the workspace; -1: read in place
  TensorSpec used;           ///< spec that the kernel sees: of the array or the copy, perhaps with other axes
  TensorSpec copied;         ///< spec of the copy
  /// Set if the copy is padded: the mode and the number of elements before each axis. Axes are in the copy's order in
  /// memory.
  struct Padding {
    kernel::PadMode mode = kernel::PadMode::kConstant;
    Shape begin;
    TensorSpec from;
    TensorSpec to;
  };
  std::optional<Padding> padding = {};
};

/// Makes an operand. If `copy`, it is copied into row-major order, and `workspace_bytes` grows by the copy's size.
StridedOperand MakeStridedOperand(const TensorArgument& tensor, bool copy, int64_t& workspace_bytes);

/// Makes an operand that the kernel needs in row-major order.
StridedOperand MakeRowMajorOperand(const TensorArgument& tensor, int64_t& workspace_bytes);

/// Makes an operand that the kernel needs in this layout (see shape/layout.hpp). It is copied unless it is `ready`.
StridedOperand MakeOrderedOperand(const TensorArgument& tensor, const AxisOrder& order, bool ready,
                                  int64_t& workspace_bytes);

/// Makes an operand that is a copy in this layout, padded to `shape` by elements of the array as `mode` says. `begin`
/// is the number of elements that are added in front of each axis.
StridedOperand MakePaddedOperand(const TensorArgument& tensor, const AxisOrder& order, kernel::PadMode mode,
                                 const Shape& begin, const Shape& shape, int64_t& workspace_bytes);

/// The address of the operand's elements at run time, after a copy if one is needed. Null if there is no argument
/// (input -1).
const void* OperandData(const StridedOperand& operand, const RunContext& c);

/// The operand at run time, after a copy if one is needed. Its data is null if there is no argument (input -1).
ConstArrayView ReadOperand(const StridedOperand& operand, const RunContext& c);

/// The spec of an array of matrices (the last two axes) whose leading axes are broadcast to `leading`. Throws
/// Error(kShape).
TensorSpec WithLeading(const TensorSpec& spec, const Shape& leading);

}  // namespace kuiper_infer
