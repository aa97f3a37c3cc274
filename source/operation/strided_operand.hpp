// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "kernel/movement/pad.hpp"
#include "operation/operation.hpp"
#include "shape/layout.hpp"

namespace kuiper_infer {

/// An array argument that a kernel takes with strides, but not with any: it is copied into the workspace where it has
/// to be.
struct StridedOperand {
  int input = -1;
  TensorSpec given;
  int64_t copy_offset = -1;  ///< of the copy in the workspace; -1: read in place
  TensorSpec used;           ///< what the kernel sees: the array or the copy, perhaps with other axes
  TensorSpec copied;         ///< how the copy lies
  /// Set where the copy is padded: mode and amount in front of each axis, the copy's axes in the order in which they
  /// lie.
  struct Padding {
    kernel::PadMode mode = kernel::PadMode::kConstant;
    Shape begin;
    TensorSpec from;
    TensorSpec to;
  };
  std::optional<Padding> padding = {};
};

/// Makes an operand; with `copy`, room for a row-major copy is added to `workspace_bytes`, aligned.
StridedOperand MakeStridedOperand(const TensorArgument& tensor, bool copy, int64_t& workspace_bytes);

/// Makes an operand that the kernel needs in row-major order.
StridedOperand MakeRowMajorOperand(const TensorArgument& tensor, int64_t& workspace_bytes);

/// Makes an operand that the kernel needs in this layout (see shape/layout.hpp), copied unless it has `ready`.
StridedOperand MakeOrderedOperand(const TensorArgument& tensor, const AxisOrder& order, bool ready,
                                  int64_t& workspace_bytes);

/// Makes an operand that is a copy in this layout, padded to `shape` by the elements of the array themselves: `begin`
/// of them in front of each axis.
StridedOperand MakePaddedOperand(const TensorArgument& tensor, const AxisOrder& order, kernel::PadMode mode,
                                 const Shape& begin, const Shape& shape, int64_t& workspace_bytes);

/// The address of the operand's elements at run time, copied if necessary. Null where there is no argument (input -1).
const void* OperandData(const StridedOperand& operand, const RunContext& c);

/// The operand at run time, copied if necessary. Data null where there is no argument (input -1).
ConstArrayView ReadOperand(const StridedOperand& operand, const RunContext& c);

/// The spec of the matrices on the last two axes under broadcast leading axes. Throws Error(kShape).
TensorSpec WithLeading(const TensorSpec& spec, const Shape& leading);

}  // namespace kuiper_infer
