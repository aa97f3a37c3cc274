// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "kernel/elementwise/activation.hpp"
#include "operation/operation.hpp"
#include "operation/planning_context.hpp"
#include "operation/storage.hpp"

namespace kuiper_infer {

/// Element-wise work that a call does to its first input and to its only output on the way:
/// round(activation(operation(input * factor) + addend)).
struct Fusion {
  int factor = -1;         ///< RunContext input with factors of the operation's first input; -1: none
  TensorSpec factor_spec;  ///< float32, repeated along the axes where its extent is 1
  int addend = -1;         ///< RunContext input that is added to the result; -1: none
  TensorSpec addend_spec;  ///< of the output's shape, but perhaps in another layout
  kernel::Activation activation;
  Storage result;               ///< with a grid: numbers are rounded to it at the end
  std::vector<Storage> inputs;  ///< of the RunContext inputs; those that are not there are stored as they are

  Storage InputStorage(int input) const {
    return input >= 0 && input < static_cast<int>(inputs.size()) ? inputs[static_cast<std::size_t>(input)] : Storage();
  }
};

/// What an operation computes, as passes over the planning graph know it: each kind that a pass treats in its own way
/// is a class (Convolution, Elementwise, Join, ...). Immutable; calls are made of it when the passes are through.
class Computation {
 public:
  virtual ~Computation() = default;

  /// Whether a call can do that to its only output (new, floating) on the way.
  virtual bool CanFuse(const Fusion& /*fusion*/) const { return false; }
  /// Whether a call can read a RunContext input stored as bytes of a grid (kTypeUInt8) or as bfloat16. An operation can
  /// read bfloat16 if it would round a float32 input to bfloat16 anyway, or if it only copies elements.
  virtual bool Reads(RuntimeDataType /*stored*/, int /*input*/, const Fusion& /*fusion*/) const { return false; }
  /// Whether a call can write its only output so.
  virtual bool Writes(RuntimeDataType /*stored*/, const Fusion& /*fusion*/) const { return false; }
  /// Whether a call copies or chooses elements in whatever form they are stored: its inputs and its output are then
  /// stored alike.
  virtual bool KeepsStorage() const { return false; }
  /// `fusion` is empty or one that CanFuse allows.
  virtual KernelCall MakeCall(const Fusion& fusion, const PlanningContext& context) const = 0;
};

/// A call that can apply an activation to what it writes, and nothing else.
class ActivatedCall : public Computation {
 public:
  using Run = std::function<void(const RunContext&)>;
  /// `make_run` gives the `run` that applies an activation; `call` has all but that.
  ActivatedCall(KernelCall call, std::function<Run(const kernel::Activation&)> make_run)
      : call_(std::move(call)), make_run_(std::move(make_run)) {}

  bool CanFuse(const Fusion& fusion) const override {
    return fusion.factor < 0 && fusion.addend < 0 && !fusion.result.grid;
  }
  KernelCall MakeCall(const Fusion& fusion, const PlanningContext& /*context*/) const override {
    KernelCall call = call_;
    call.run = make_run_(fusion.activation);
    return call;
  }

 private:
  KernelCall call_;
  std::function<Run(const kernel::Activation&)> make_run_;
};

/// Moves the call that a plan holds to a computation that can apply an activation.
void SetActivatedCall(OperationPlan& plan, std::function<ActivatedCall::Run(const kernel::Activation&)> make_run);

}  // namespace kuiper_infer
