// SPDX-License-Identifier: MIT
#pragma once

#include "kernel/elementwise/activation.hpp"
#include "operation/operation.hpp"
#include "operation/planning_context.hpp"

namespace kuiper_infer {

/// Element-wise work that a call does to its first input and to its only output on the way:
/// activation(operation(input * factor) + addend).
struct Fusion {
  int factor = -1;         ///< RunContext input with factors of the operation's first input; -1: none
  TensorSpec factor_spec;  ///< float32, repeated along the axes where its extent is 1
  int addend = -1;         ///< RunContext input that is added to the result; -1: none
  TensorSpec addend_spec;  ///< of the output's shape, but perhaps in another layout
  kernel::Activation activation;
};

/// What an operation computes, as passes over the planning graph know it: each kind that a pass treats in its own way
/// is a class (Convolution, Elementwise, Join, ...). Immutable; calls are made of it when the passes are through.
class Computation {
 public:
  virtual ~Computation() = default;

  /// Whether a call can do that to its only output (new, floating) on the way.
  virtual bool CanFuse(const Fusion& /*fusion*/) const { return false; }
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

  bool CanFuse(const Fusion& fusion) const override { return fusion.factor < 0 && fusion.addend < 0; }
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
