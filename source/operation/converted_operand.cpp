// SPDX-License-Identifier: MIT
#include "operation/converted_operand.hpp"

#include "kernel/movement/copy.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer {

ConvertedOperand::ConvertedOperand(const TensorArgument& argument, RuntimeDataType type, int64_t& workspace_bytes)
    : input_(argument.input), given_(argument.spec), spec_(argument.spec) {
  if (given_.type == type) return;
  spec_ = TensorSpec(type, given_.shape);
  if (argument.is_constant()) {
    constant_ = argument.values().To(type).Contiguous();
    return;
  }
  offset_ = workspace_bytes;
  workspace_bytes += AlignedBytes(ByteCount(type, given_.shape));
}

const void* ConvertedOperand::Data(const RunContext& context) const {
  if (constant_.defined()) return constant_.raw();
  if (offset_ < 0) return context.inputs[input_].data;
  const ArrayView converted{context.workspace + offset_, spec_};
  kernel::Copy({context.inputs[input_].data, given_}, converted);
  return converted.data;
}

}  // namespace kuiper_infer
