// SPDX-License-Identifier: MIT
#pragma once

#include "operation/strided_operand.hpp"

namespace kuiper_infer {

/// The arrays of scaled dot-product attention as kernel::Attention sees them, in StridedOperand::used: the leading axes
/// of all are broadcast to the same. If several query heads share a key head, the axis of heads is two axes: groups,
/// and the heads of a group.
struct AttentionOperands {
  StridedOperand query;  ///< (..., l, e), rows without gaps
  StridedOperand key;    ///< (..., s, e), rows without gaps
  StridedOperand value;  ///< (..., s, v), rows without gaps
  StridedOperand mask;   ///< (..., l, s), any strides; input -1: none
  TensorSpec output;     ///< (..., l, v)
  TensorSpec result;     ///< the output as the model sees it, with one axis of heads
  Shape scores;          ///< (..., l, s), with one axis of heads
};

/// Makes an operand of rows without gaps. `workspace_bytes` grows by the copy if it needs one.
StridedOperand MakeRowsOperand(const TensorArgument& tensor, int64_t& workspace_bytes);

/// Reads arguments `query`, `key`, `value` and `attn_mask`, whose shapes are checked except for the leading axes and
/// the mask. `group` query heads, at least 1, share a key head; if it is 1, leading axes are broadcast.
/// `workspace_bytes` grows by the copies.
AttentionOperands MakeAttentionOperands(const Arguments& arguments, int64_t group, int64_t& workspace_bytes);

}  // namespace kuiper_infer
