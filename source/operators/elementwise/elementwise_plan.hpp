// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "kernel/elementwise/block_program.hpp"
#include "operation/computation.hpp"

namespace kuiper_infer {

/// A block program: what its instructions read, in their order, and what it makes.
class Elementwise : public Computation {
 public:
  /// A run keeps the addresses of so many operands on its stack; those of larger programs take memory in each run.
  static constexpr std::size_t kUsualOperands = 16;

  Elementwise(kernel::BlockProgram program, std::vector<TensorArgument> operands, TensorSpec result);

  const kernel::BlockProgram& program() const { return program_; }
  const std::vector<TensorArgument>& operands() const { return operands_; }

  /// Rounding of float32 results alone.
  bool CanFuse(const Fusion& fusion) const override;
  bool Reads(RuntimeDataType stored, int input, const Fusion& fusion) const override;
  bool Writes(RuntimeDataType stored, const Fusion& fusion) const override;
  KernelCall MakeCall(const Fusion& fusion, const PlanningContext& context) const override;

  /// The function, where the program is one function of its only operand, of the result's floating type.
  kernel::Activation AsActivation() const;
  /// Whether the program is the sum of two float arrays as large as the result.
  bool IsSum() const;
  /// Whether the program reads a RunContext input as an array that lies like this, not under another shape.
  bool ReadsAsItLies(int input, const TensorSpec& spec) const;
  /// RunContext inputs of a product of an array that lies as the result and a factor that is repeated along axes;
  /// float32. -1 each where the program is none.
  struct Product {
    int array = -1;
    int factor = -1;
  };
  Product AsProduct() const;

  /// `second` with its input number `input`, the result of this one, computed on the way. Reads the inputs of this one,
  /// `first_inputs` in number, and behind them the other ones of `second`. Null where `second` reads that input more
  /// than once, or as a part of a larger result: elements would be computed repeatedly. Floating results only.
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
