// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "data/growing_array.hpp"
#include "kuiper_infer/runtime/run_options.hpp"
#include "planning/list_budget.hpp"
#include "planning/program.hpp"

namespace kuiper_infer {

/// The time of a step, for a StepObserver.
struct StepTime {
  std::chrono::steady_clock::time_point start;
  std::chrono::steady_clock::time_point end;

  double seconds() const { return std::chrono::duration<double>(end - start).count(); }
};

/// Called after each step with the operator and its time.
using StepObserver = std::function<void(const RuntimeOperator& op, const Step& step, const StepTime& time)>;

/// Thrown if an operator's result has another shape than a plan for all lengths of growing inputs expects.
class OtherShape : public Error {
 public:
  using Error::Error;
};

/// What a run reads and writes outside of its arena. All of it is used in place and has to live until the next run.
struct RunArrays {
  /// Row-major arrays with the specs that the program was planned for. Entries of growing inputs are ignored.
  const std::vector<NdArray>& inputs;
  /// The arrays of the program's growing inputs (Program::growing). The run writes its new elements behind their ends
  /// and leaves their lengths as they are.
  const std::vector<GrowingArray*>& growing;
  /// Memory for the new values of states, by entry of Program::replaced. Only entries of states whose new value is made
  /// beside the former one (StateSlots::Made::kBeside) are used.
  const std::vector<NdArray>& next;
};

/// The memory of one run: the arena for arrays and scratch memory, and the arrays bound to the slots. A program may
/// have many contexts, one for each thread that runs it.
class ExecutionContext {
 public:
  /// Allocates the arena. Throws Error(kResource).
  explicit ExecutionContext(std::shared_ptr<const Program> program);

  /// Runs all steps. Dynamic steps are planned in the context `planning`. Throws Error that names the operator whose
  /// data is at fault, or Error(kCancelled) and Error(kDeadline) as the options demand. Throws OtherShape if an
  /// operator gives another shape than the plan expects of every length. The caller has to call UndoUpdates after an
  /// error, or if it does not want the new states.
  void Run(const RunArrays& arrays, const PlanningContext& planning, const RunOptions& options = {},
           const StepObserver& observer = {});
  /// Gives states that the run has updated in place the elements that they had before it.
  void UndoUpdates();
  /// Ends a run whose updates are kept.
  void KeepUpdates() { saved_.clear(); }

  // The parts of Run, for runs of several contexts at once: Begin, then all steps in order.
  void Begin(const RunArrays& arrays);
  void RunStep(std::size_t index, const PlanningContext& planning);
  /// Runs all steps after a call of Begin.
  void RunBegun(const PlanningContext& planning, const RunOptions& options = {}, const StepObserver& observer = {});
  /// Throws before step `next` if the run was asked to stop or its deadline has passed.
  void Heed(const RunOptions& options, std::size_t next) const;
  /// The arrays of a step in the present run.
  const ConstArrayView& InputOf(std::size_t step, std::size_t index) const { return bound_[step].inputs[index]; }
  const ArrayView& OutputOf(std::size_t step, std::size_t index) const { return bound_[step].outputs[index]; }

  /// The value of an operand after Run. Its arrays are views of the context's memory, which the next Run overwrites.
  /// Unless the program keeps all operands, later steps of the same Run may have overwritten them already.
  Value Get(const RuntimeOperand* operand) const;

  const Program& program() const { return *program_; }
  const std::shared_ptr<const Program>& shared_program() const { return program_; }

 private:
  struct BoundStep {
    std::vector<ConstArrayView> inputs;
    std::vector<ArrayView> outputs;
  };
  /// The place of an array among the inputs or the outputs of a step.
  struct Place {
    std::size_t step;
    std::size_t index;
    bool output;
    int slot;  ///< the array, which may be a view
  };

  void* SlotMemory(int slot) const;
  NdArray SlotArray(int slot) const;
  Value ToValue(const Symbol& symbol, const RuntimeOperand* operand) const;
  /// Sets the address of an array that lies outside of the arena, and gives steps the present address and spec
  /// (`specs_`) of it and of all views of it.
  void BindSlot(int slot, void* memory);
  void BindInputs(const std::vector<NdArray>& inputs);
  void BindNext(const std::vector<NdArray>& next);
  void BindGrowing(const std::vector<GrowingArray*>& growing);
  /// Binds the result of a dynamic step that static steps read.
  void BindComputed(const RuntimeOperator& op, const RuntimeOperand& operand, int slot, Value& result);
  /// Copies the rows that a step is about to overwrite (Program::updates).
  void SaveRows(int update);
  void RunDynamic(const Step& step, const PlanningContext& planning);

  std::shared_ptr<const Program> program_;
  NdArray arena_;
  std::vector<void*> memory_;               ///< by slot: of arrays outside of the arena
  std::vector<TensorSpec> specs_;           ///< by slot: in the present run
  std::vector<std::vector<Place>> places_;  ///< by root slot: of arrays outside of the arena and of their views
  std::vector<NdArray> inputs_;  ///< `inputs_`, `next_`: arrays of the last run, whose results may be views of them
  std::vector<NdArray> next_;
  std::vector<int> saved_;  ///< the updates of states that the present run has begun
  std::vector<BoundStep> bound_;
  ListBudget dynamic_lists_;
  std::map<const RuntimeOperand*, Value> dynamic_;
};

}  // namespace kuiper_infer
