// SPDX-License-Identifier: MIT
#pragma once

#include "operation/operation.hpp"

namespace kuiper_infer {

/// An array argument that a kernel needs in a certain element type. If the array has the type, it is used in place. If
/// its contents are known, it is converted once. Otherwise every run converts it into scratch memory.
class ConvertedOperand {
 public:
  /// Makes the operand of a plan. `workspace_bytes` grows by the memory that the conversion needs.
  ConvertedOperand(const TensorArgument& argument, RuntimeDataType type, int64_t& workspace_bytes);

  /// The spec of the elements that Data returns.
  const TensorSpec& spec() const { return spec_; }
  /// The address of the elements in that type, converted if necessary. To be called once in a run.
  const void* Data(const RunContext& context) const;

 private:
  int input_;
  TensorSpec given_;
  TensorSpec spec_;
  NdArray constant_;
  int64_t offset_ = -1;
};

}  // namespace kuiper_infer
