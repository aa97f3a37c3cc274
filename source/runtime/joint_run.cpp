// SPDX-License-Identifier: MIT
#include "runtime/joint_run.hpp"

#include <algorithm>
#include <cstring>
#include <exception>

#include "data/memory_budget.hpp"
#include "operation/operator_errors.hpp"
#include "utils/float_mode.hpp"
#include "utils/parallel.hpp"

namespace kuiper_infer {
namespace {

class JointRun {
 public:
  JointRun(const JointProgram& joint, const std::vector<ExecutionContext*>& contexts, std::byte* scratch,
           const PlanningContext& planning, const RunOptions& options)
      : joint_(joint), contexts_(contexts), scratch_(scratch), planning_(planning), options_(options) {}

  void Run() {
    const std::size_t steps = joint_.calls.size();
    for (std::size_t first = 0; first < steps;) {
      std::size_t end = first;
      while (end < steps && !joint_.calls[end].call.run) ++end;
      if (first < end) RunApart(first, end);
      for (; first < end; ++first) Report(first);
      if (end == steps) return;
      contexts_.front()->Heed(options_, end);
      RunJoined(end);
      Report(end);
      first = end + 1;
    }
  }

 private:
  void Report(std::size_t index) const {
    if (!options_.progress) return;
    const RuntimeOperator& op = *joint_.program->operators[joint_.program->steps[index].op];
    options_.progress({index + 1, joint_.calls.size(), op.name, op.type});
  }

  void RunSteps(ExecutionContext& context, std::size_t first, std::size_t end) const {
    for (std::size_t i = first; i < end; ++i) {
      context.Heed(options_, i);
      context.RunStep(i, planning_);
    }
  }

  /// Makes the steps from `first` to `end` for each context apart.
  void RunApart(std::size_t first, std::size_t end) const {
    const auto count = static_cast<int64_t>(contexts_.size());
    if (count < MaxThreads()) {
      for (ExecutionContext* context : contexts_) RunSteps(*context, first, end);
      return;
    }
    std::vector<std::exception_ptr> faults(contexts_.size());
    const std::shared_ptr<MemoryBudget>& budget = BudgetScope::Current();
    ParallelItems(count, count, [&](int64_t /*worker*/, int64_t item) {
      const BudgetScope scope(budget);
      const auto index = static_cast<std::size_t>(item);
      try {
        RunSteps(*contexts_[index], first, end);
      } catch (...) {
        faults[index] = std::current_exception();
      }
    });
    for (const std::exception_ptr& fault : faults) {
      if (fault) std::rethrow_exception(fault);
    }
  }

  /// Calls copy(run, place, bytes) for each run's part of an array in the scratch memory.
  template <class Copy>
  void ForEachRun(const TensorSpec& one, int64_t offset, Copy copy) const {
    const auto bytes = static_cast<std::size_t>(ByteCount(one.type, one.shape));
    for (std::size_t run = 0; run < contexts_.size(); ++run) copy(run, scratch_ + offset + run * bytes, bytes);
  }

  /// Makes a step for all contexts by one call.
  void RunJoined(std::size_t index) {
    const Step& step = joint_.program->steps[index];
    const JointCall& joint = joint_.calls[index];
    inputs_.resize(std::max(inputs_.size(), step.inputs.size()));
    for (std::size_t i = 0; i < step.inputs.size(); ++i) {
      inputs_[i] = contexts_.front()->InputOf(index, i);
      if (joint.inputs[i] < 0) continue;
      ForEachRun(inputs_[i].spec, joint.inputs[i], [&](std::size_t run, std::byte* place, std::size_t bytes) {
        std::memcpy(place, contexts_[run]->InputOf(index, i).data, bytes);
      });
      inputs_[i].data = scratch_ + joint.inputs[i];
    }
    outputs_.resize(std::max(outputs_.size(), step.outputs.size()));
    for (std::size_t i = 0; i < step.outputs.size(); ++i) {
      outputs_[i] = contexts_.front()->OutputOf(index, i);
      outputs_[i].data = scratch_ + joint.outputs[i];
    }
    const RuntimeOperator& op = *joint_.program->operators[step.op];
    const RunContext context{inputs_.data(), outputs_.data(), scratch_ + joint.workspace};
    NamingOperator(op.name, op.type, [&] { joint.call.run(context); });
    for (std::size_t i = 0; i < step.outputs.size(); ++i) {
      ForEachRun(outputs_[i].spec, joint.outputs[i], [&](std::size_t run, std::byte* place, std::size_t bytes) {
        std::memcpy(contexts_[run]->OutputOf(index, i).data, place, bytes);
      });
    }
  }

  const JointProgram& joint_;
  const std::vector<ExecutionContext*>& contexts_;
  std::byte* scratch_;
  const PlanningContext& planning_;
  const RunOptions& options_;
  std::vector<ConstArrayView> inputs_;  ///< of the joint call
  std::vector<ArrayView> outputs_;
};

}  // namespace

void RunJointly(const JointProgram& joint, const std::vector<ExecutionContext*>& contexts, std::byte* scratch,
                const PlanningContext& planning, const RunOptions& options) {
  const FloatModeScope scope(FloatMode::Current().WithoutDenormals());
  JointRun(joint, contexts, scratch, planning, options).Run();
}

}  // namespace kuiper_infer
