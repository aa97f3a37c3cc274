// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "kernel/elementwise/block_program.hpp"
#include "operation/computation.hpp"

namespace kuiper_infer {

/// A block program with its operands, in the order of the instructions that read them, and the spec of its result.
class Elementwise : public Computation {
 public:
  /// A run keeps the addresses of this number of operands on its stack. A program with more operands allocates in each
  /// run.
  static constexpr std::size_t kUsualOperands = 16;

  Elementwise(kernel::BlockProgram program, std::vector<TensorArgument> operands, TensorSpec result);

  const kernel::BlockProgram& program() const { return program_; }
  const std::vector<TensorArgument>& operands() const { return operands_; }

  /// Fuses only the rounding of float32 results.
  bool CanFuse(const Fusion& fusion) const override;
  bool Reads(RuntimeDataType stored, int input, const Fusion& fusion) const override;
  bool Writes(RuntimeDataType stored, const Fusion& fusion) const override;
  KernelCall MakeCall(const Fusion& fusion, const PlanningContext& context) const override;

  /// If the program is a single function of its only operand, which has the result's floating type, returns that
  /// function.
  kernel::Activation AsActivation() const;
  /// Whether the program is the sum of the first two inputs, float arrays as large as the result.
  bool IsSum() const;
  /// Whether the program reads a RunContext input under this spec, not under another shape.
  bool ReadsAsItLies(int input, const TensorSpec& spec) const;
  /// The RunContext inputs of a float32 product of an array, which has the result's spec, and a factor, which is
  /// repeated along axes. Both are -1 if the program is not a product of that kind.
  struct Product {
    int array = -1;
    int factor = -1;
  };
  Product AsProduct() const;

  /// Fuses this program into `second`, whose input number `input` is this program's result. The fused program reads the
  /// `first_inputs` inputs of this program and then all other inputs of `second`. Null if `second` reads that input
  /// more than once or broadcasts it, because elements would be computed repeatedly, and if the fused program would be
  /// too large. Floating results only.
  std::shared_ptr<const Elementwise> Before(int first_inputs, const Elementwise& second, int input) const;

 private:
  bool IsBinary(const char* function) const;

  kernel::BlockProgram program_;
  std::vector<TensorArgument> operands_;
  TensorSpec result_;
};

/// Plans a block program over array arguments: shapes are broadcast, and the operands are read through their strides.
/// The result has the type that the last instruction leaves.
OperationPlan PlanBlockProgram(kernel::BlockProgram program, const std::vector<TensorArgument>& operands,
                               bool python_scalar = false);

}  // namespace kuiper_infer
