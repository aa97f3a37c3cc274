// SPDX-License-Identifier: MIT
#include "runtime/joint_run.hpp"

#include <algorithm>
#include <cstring>
#include <exception>

#include "data/memory_budget.hpp"
#include "operation/operator_errors.hpp"
#include "utils/system/float_mode.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer {
namespace {

class JointRun {
 public:
  JointRun(const JointProgram& joint, const std::vector<ExecutionContext*>& contexts, std::byte* scratch,
           const PlanningContext& planning, const RunOptions& options)
      : joint_(joint), scratch_(scratch), planning_(planning), options_(options) {
    std::size_t next = 0;
    for (std::size_t entry = 0; entry < joint.runs.size(); ++entry) {
      for (int64_t i = 0; i < joint.runs[entry].count; ++i) runs_.push_back({contexts[next++], entry});
    }
  }

  void Run() {
    for (const JointCall& call : joint_.calls) {
      taking_part_.clear();
      for (OneRun& run : runs_) {
        const std::size_t step = call.steps[run.entry];
        if (step == JointCall::kNone) continue;
        run.end = step;
        taking_part_.push_back(&run);
      }
      RunApart();
      RunJoined(call);
    }
    taking_part_.clear();
    for (OneRun& run : runs_) {
      run.end = run.steps();
      taking_part_.push_back(&run);
    }
    RunApart();
  }

 private:
  /// One of the runs: the steps before `done` are made, the steps from `done` to before `end` are made next.
  struct OneRun {
    ExecutionContext* context;
    std::size_t entry;  ///< of JointProgram::runs
    std::size_t done = 0;
    std::size_t end = 0;

    std::size_t steps() const { return context->program().steps.size(); }
    double work() const { return context->program().multiply_adds; }
  };

  void Advance(OneRun& run) const {
    for (; run.done < run.end; ++run.done) {
      run.context->Heed(options_, run.done);
      run.context->RunStep(run.done, planning_);
    }
  }

  /// Tells the progress of the first run up to its step `done`.
  void Report(std::size_t done) {
    const Program& program = runs_.front().context->program();
    for (; reported_ < done; ++reported_) {
      if (!options_.progress) continue;
      const RuntimeOperator& op = *program.operators[program.steps[reported_].op];
      options_.progress({reported_ + 1, program.steps.size(), op.name, op.type});
    }
  }

  /// Makes the steps before `end` of each run that takes part.
  void RunApart() {
    double work = 0;
    for (const OneRun* run : taking_part_) work += run->work();
    const int threads = MaxThreads();
    side_by_side_.clear();
    for (OneRun* run : taking_part_) {
      if (run->work() * threads > work) {
        Advance(*run);
      } else if (run->done < run->end) {
        side_by_side_.push_back(run);
      }
    }
    RunSideBySide();
    Report(runs_.front().done);
  }

  void RunSideBySide() {
    const auto count = static_cast<int64_t>(side_by_side_.size());
    if (count < MaxThreads()) {
      for (OneRun* run : side_by_side_) Advance(*run);
      return;
    }
    std::vector<std::exception_ptr> faults(side_by_side_.size());
    const std::shared_ptr<MemoryBudget> budget = BudgetScope::Current();
    ParallelItems(count, count, [&](int64_t /*worker*/, int64_t item) {
      const BudgetScope scope(budget);
      const auto index = static_cast<std::size_t>(item);
      try {
        Advance(*side_by_side_[index]);
      } catch (...) {
        faults[index] = std::current_exception();
      }
    });
    for (const std::exception_ptr& fault : faults) {
      if (fault) std::rethrow_exception(fault);
    }
  }

  /// Calls copy(own, place, bytes) for each run that takes part: `own` is its array, which view_of(run) gives, and
  /// `place` is that of the array's rows in the scratch memory.
  template <class ViewOf, class Copy>
  void ForEachPart(int64_t offset, ViewOf view_of, Copy copy) const {
    for (const OneRun* run : taking_part_) {
      const auto& own = view_of(*run);
      const int64_t bytes = ByteCount(own.spec.type, own.spec.shape);
      copy(own.data, scratch_ + offset, static_cast<std::size_t>(bytes));
      offset += bytes;
    }
  }

  /// Makes the next step of all runs that take part by one call.
  void RunJoined(const JointCall& joint) {
    const OneRun& first = *taking_part_.front();
    first.context->Heed(options_, first.done);
    inputs_.resize(joint.inputs.size());
    for (std::size_t i = 0; i < joint.inputs.size(); ++i) {
      inputs_[i] = first.context->InputOf(first.done, i);
      if (joint.inputs[i] < 0) continue;
      const auto own = [i](const OneRun& run) -> const ConstArrayView& { return run.context->InputOf(run.done, i); };
      ForEachPart(joint.inputs[i], own,
                  [](const void* data, std::byte* place, std::size_t bytes) { std::memcpy(place, data, bytes); });
      inputs_[i].data = scratch_ + joint.inputs[i];
    }
    outputs_.resize(joint.outputs.size());
    for (std::size_t i = 0; i < joint.outputs.size(); ++i) {
      outputs_[i] = first.context->OutputOf(first.done, i);
      outputs_[i].data = scratch_ + joint.outputs[i];
    }
    const Program& program = first.context->program();
    const RuntimeOperator& op = *program.operators[program.steps[first.done].op];
    const RunContext context{inputs_.data(), outputs_.data(), scratch_ + joint.workspace};
    NamingOperator(op.name, op.type, [&] { joint.call.run(context); });
    for (std::size_t i = 0; i < joint.outputs.size(); ++i) {
      const auto own = [i](const OneRun& run) -> const ArrayView& { return run.context->OutputOf(run.done, i); };
      ForEachPart(joint.outputs[i], own,
                  [](void* data, const std::byte* place, std::size_t bytes) { std::memcpy(data, place, bytes); });
    }
    for (OneRun* run : taking_part_) ++run->done;
    Report(runs_.front().done);
  }

  const JointProgram& joint_;
  std::byte* scratch_;
  const PlanningContext& planning_;
  const RunOptions& options_;
  std::vector<OneRun> runs_;
  std::size_t reported_ = 0;  ///< steps of the first run
  // Memory that calls reuse.
  std::vector<OneRun*> taking_part_;  ///< in the present joint call
  std::vector<OneRun*> side_by_side_;
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
