// SPDX-License-Identifier: MIT
#include "planning/joint_program.hpp"

#include <algorithm>

#include "utils/rounding.hpp"

namespace kuiper_infer {
namespace {

/// Whether two steps do the same with each row of the same arrays and constants.
bool SameForRow(const Program& a, const Step& one, const Program& b, const Step& two) {
  if (a.operators[one.op] != b.operators[two.op] || !one.call.rowwise->SameForRow(*two.call.rowwise)) return false;
  if (one.inputs.size() != two.inputs.size() || one.outputs.size() != two.outputs.size()) return false;
  for (std::size_t i = 0; i < one.inputs.size(); ++i) {
    const Source& x = one.inputs[i];
    const Source& y = two.inputs[i];
    if ((x.slot < 0) != (y.slot < 0)) return false;
    if (x.slot < 0 && x.constant.raw() != y.constant.raw()) return false;
  }
  return true;
}

/// Finds the steps of several programs that can be one call. The operators of all programs have the same order.
class StepMerger {
 public:
  explicit StepMerger(const std::vector<ProgramRuns>& runs) : runs_(runs), next_(runs.size(), 0) {
    for (std::size_t i = 0; i < runs.size(); ++i) SkipOthers(i);
  }

  /// By program, the index of its next row-wise step if it can be in one call, otherwise kNone; empty at the end.
  std::vector<std::size_t> Next() {
    std::size_t first = JointCall::kNone;  // the operator
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      if (const Step* const step = NextOf(i)) first = std::min(first, step->op);
    }
    if (first == JointCall::kNone) return {};
    std::vector<std::size_t> alike(runs_.size(), JointCall::kNone);
    std::size_t model = JointCall::kNone;  // the first program whose step is taken
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      const Step* const step = NextOf(i);
      if (step == nullptr || step->op != first) continue;
      if (model != JointCall::kNone) {
        const Program& program = *runs_[model].program;
        if (!SameForRow(program, program.steps[alike[model]], *runs_[i].program, *step)) continue;
      } else {
        model = i;
      }
      alike[i] = next_[i]++;
      SkipOthers(i);
    }
    return alike;
  }

 private:
  const Step* NextOf(std::size_t i) const {
    const std::vector<Step>& steps = runs_[i].program->steps;
    return next_[i] < steps.size() ? &steps[next_[i]] : nullptr;
  }
  void SkipOthers(std::size_t i) {
    while (NextOf(i) != nullptr && NextOf(i)->call.rowwise == nullptr) ++next_[i];
  }

  const std::vector<ProgramRuns>& runs_;
  std::vector<std::size_t> next_;  ///< by program
};

/// The step that a call makes for runs of the entry.
const Step& StepOf(const ProgramRuns& runs, std::size_t step) { return runs.program->steps[step]; }

/// Makes the call for the rows of all runs, and gives its arrays their places.
JointCall MakeCall(const std::vector<ProgramRuns>& runs, std::vector<std::size_t> steps,
                   const PlanningContext& context) {
  JointCall joint;
  joint.steps = std::move(steps);
  int64_t rows = 0;
  const Step* model = nullptr;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (joint.steps[i] == JointCall::kNone) continue;
    model = &StepOf(runs[i], joint.steps[i]);
    rows += runs[i].count * model->call.rowwise->rows();
  }
  // `slot_of` gives the slot of an array in a step.
  const auto place = [&](auto slot_of) {
    const int64_t offset = joint.end;
    int64_t bytes = 0;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      if (joint.steps[i] == JointCall::kNone) continue;
      const Program& program = *runs[i].program;
      const TensorSpec& spec = program.slots[static_cast<std::size_t>(slot_of(StepOf(runs[i], joint.steps[i])))].spec;
      bytes += runs[i].count * ByteCount(spec.type, spec.shape);
    }
    joint.end += AlignedBytes(bytes);
    return offset;
  };
  for (std::size_t k = 0; k < model->inputs.size(); ++k) {
    const bool constant = model->inputs[k].slot < 0;
    joint.inputs.push_back(constant ? -1 : place([k](const Step& step) { return step.inputs[k].slot; }));
  }
  for (std::size_t k = 0; k < model->outputs.size(); ++k) {
    joint.outputs.push_back(place([k](const Step& step) { return step.outputs[k]; }));
  }
  joint.call = model->call.rowwise->MakeCall(rows, context);
  joint.workspace = joint.end;
  joint.end += AlignedBytes(joint.call.workspace_bytes);
  return joint;
}

}  // namespace

JointProgram JoinRuns(std::vector<ProgramRuns> runs, const PlanningContext& context) {
  JointProgram joint{std::move(runs), {}, 0};
  StepMerger merger(joint.runs);
  for (std::vector<std::size_t> steps = merger.Next(); !steps.empty(); steps = merger.Next()) {
    int64_t count = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) count += steps[i] == JointCall::kNone ? 0 : joint.runs[i].count;
    if (count < 2) continue;  // a step of a single run stays as it is
    joint.calls.push_back(MakeCall(joint.runs, std::move(steps), context));
    joint.scratch_bytes = std::max(joint.scratch_bytes, joint.calls.back().end);
  }
  return joint;
}

}  // namespace kuiper_infer
