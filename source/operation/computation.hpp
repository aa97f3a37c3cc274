// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "kernel/elementwise/activation.hpp"
#include "operation/operation.hpp"
#include "operation/planning_context.hpp"
#include "operation/storage.hpp"

namespace kuiper_infer {

/// Element-wise work that a call does on the way to its first input and to its only output (an epilogue, or
/// post-operations, in other libraries): round(activation(operation(input * factor) + residual)).
struct Fusion {
  int factor = -1;           ///< RunContext input with factors of the operation's first input; -1: none
  TensorSpec factor_spec;    ///< float32; broadcast along axes of extent 1
  int residual = -1;         ///< RunContext input that is added to the result (the residual); -1: none
  TensorSpec residual_spec;  ///< of the output's shape, in any layout
  kernel::Activation activation;
  Storage result;               ///< the stored form of the output; if it has a grid, results are rounded to it
  std::vector<Storage> inputs;  ///< the stored forms of the RunContext inputs; a missing entry means float32

  Storage InputStorage(int input) const {
    return input >= 0 && input < static_cast<int>(inputs.size()) ? inputs[static_cast<std::size_t>(input)] : Storage();
  }
  /// Whether `other` does the same with arrays of other shapes.
  bool SameButForShapes(const Fusion& other) const {
    return factor == other.factor && residual == other.residual && activation == other.activation &&
           result == other.result && inputs == other.inputs;
  }
};

/// What an operation computes, as passes over the planning graph see it. An operation that a pass treats in a
/// particular way is a class of its own (Convolution, Elementwise, Join, ...). A computation is immutable; its call is
/// made when all passes have run.
class Computation {
 public:
  virtual ~Computation() = default;

  /// Returns whether a call can do the work of `fusion`. The operation has one output, which is new and floating.
  virtual bool CanFuse(const Fusion& /*fusion*/) const { return false; }
  /// Returns whether a call can read RunContext input `input` if it is stored as `stored`: bytes of a grid (kTypeUInt8)
  /// or bfloat16.
  virtual bool Reads(RuntimeDataType /*stored*/, int /*input*/, const Fusion& /*fusion*/) const { return false; }
  /// Returns whether a call can write its only output as `stored`: bytes of a grid (kTypeUInt8) or bfloat16.
  virtual bool Writes(RuntimeDataType /*stored*/, const Fusion& /*fusion*/) const { return false; }
  /// Returns whether an input is to be stored as bfloat16, rounded, if all its readers can read that. This pays if the
  /// call multiplies bfloat16 numbers, or if it computes so little from each number of an image that reading takes most
  /// of its time.
  virtual bool PrefersBFloat16(int /*input*/, const Fusion& /*fusion*/) const { return false; }
  /// Returns whether a call copies or chooses elements in whatever form they are stored; its inputs and its output must
  /// then be stored alike.
  virtual bool KeepsStorage() const { return false; }
  /// Makes the call. `fusion` is empty or one that CanFuse allows.
  virtual KernelCall MakeCall(const Fusion& fusion, const PlanningContext& context) const = 0;
};

/// A call that can apply an activation to its result, and can fuse nothing else.
class ActivatedCall : public Computation {
 public:
  using Run = std::function<void(const RunContext&)>;
  /// `make_run` makes the `run` that applies an activation; `call` is complete except for its `run`.
  ActivatedCall(KernelCall call, std::function<Run(const kernel::Activation&)> make_run)
      : call_(std::move(call)), make_run_(std::move(make_run)) {}

  bool CanFuse(const Fusion& fusion) const override {
    return fusion.factor < 0 && fusion.residual < 0 && !fusion.result.grid;
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

/// Replaces the call that a plan holds by an ActivatedCall.
void SetActivatedCall(OperationPlan& plan, std::function<ActivatedCall::Run(const kernel::Activation&)> make_run);

}  // namespace kuiper_infer
