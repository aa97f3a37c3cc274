// SPDX-License-Identifier: MIT
#pragma once

#include "operation/operation.hpp"

namespace kuiper_infer {

/// An array argument that a kernel needs in a certain element type: used as it lies where it has the type, converted
/// once where its contents are known, and otherwise converted into scratch memory by every run.
class ConvertedOperand {
 public:
  /// Makes the operand for a plan whose `workspace_bytes` grows by what the conversion needs.
  ConvertedOperand(const TensorArgument& argument, RuntimeDataType type, int64_t& workspace_bytes);

  /// How the elements lie that Data gives.
  const TensorSpec& spec() const { return spec_; }
  /// The address of the elements in that type. To be called once in a run.
  const void* Data(const RunContext& context) const;

 private:
  int input_;
  TensorSpec given_;
  TensorSpec spec_;
  NdArray constant_;
  int64_t offset_ = -1;
};

}  // namespace kuiper_infer
