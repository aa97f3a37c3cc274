// SPDX-License-Identifier: MIT
#include <algorithm>

#include "data/memory_budget.hpp"
#include "runtime/joint_run.hpp"
#include "runtime/runner.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer {
namespace {

/// Runners with the same program.
struct Group {
  std::shared_ptr<const Program> program;
  const ProgramKey* key = nullptr;
  std::vector<ExecutionContext*> contexts;
};

/// Begins the run of each runner, and groups them in order.
std::vector<Group> BeginAll(const std::vector<Runner*>& runners, std::vector<ExecutionContext*>& contexts,
                            const RunOptions& options) {
  std::vector<Group> groups;
  contexts.clear();
  for (std::size_t i = 0; i < runners.size(); ++i) {
    Runner* const runner = runners[i];
    const Runner::PendingRun* pending = nullptr;
    NamingSession(i, [&] {
      pending = &runner->Begin(false, options);
      pending->context->Begin(runner->PendingArrays());
    });
    contexts.push_back(pending->context);
    const Program* const program = &pending->context->program();
    auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return g.program.get() == program; });
    if (group == groups.end()) {
      groups.push_back({pending->context->shared_program(), &pending->key, {}});
      group = groups.end() - 1;
    }
    group->contexts.push_back(pending->context);
  }
  return groups;
}

/// Makes the runs of several groups at once, in the scratch memory of `runner`.
void RunGroups(const std::vector<Group>& groups, Runner& runner, const RunOptions& options) {
  BuiltGraph& graph = runner.graph();
  std::vector<ProgramRuns> runs;
  std::vector<ExecutionContext*> contexts;
  for (const Group& group : groups) {
    runs.push_back({group.program, static_cast<int64_t>(group.contexts.size())});
    contexts.insert(contexts.end(), group.contexts.begin(), group.contexts.end());
  }
  if (contexts.size() == 1) return contexts.front()->RunBegun(graph.context, options);
  const std::shared_ptr<const JointProgram> joint = graph.JointProgramFor(runs);
  RunJointly(*joint, contexts, runner.Scratch(joint->scratch_bytes), graph.context, options);
}

/// Makes the runs of all runners, group by group. Returns false if the states of a group have to be planned for each
/// length, so that the runs have to be made again.
bool RunGroupByGroup(const std::vector<Runner*>& runners, std::vector<ExecutionContext*>& contexts,
                     const RunOptions& options) {
  for (const Group& group : BeginAll(runners, contexts, options)) {
    try {
      RunGroups({group}, *runners.front(), options);
    } catch (const OtherShape& error) {
      if (!group.key->any_length) throw;
      runners.front()->graph().PlanEachLength(*group.key, error.what());
      return false;
    }
  }
  return true;
}

}  // namespace

void RunTogether(const std::vector<Runner*>& runners, const RunOptions& options) {
  if (runners.empty()) return;
  BuiltGraph& graph = runners.front()->graph();
  const ThreadScope threads(runners.front()->UsedThreads(options.num_threads));
  const BudgetScope budget(graph.context.budget);
  std::vector<ExecutionContext*> contexts;
  const auto undo = [&] {
    for (ExecutionContext* context : contexts) context->UndoUpdates();
  };
  try {
    try {
      RunGroups(BeginAll(runners, contexts, options), *runners.front(), options);
    } catch (const OtherShape&) {  // it does not tell the group; runs of single groups do
      do undo();
      while (!RunGroupByGroup(runners, contexts, options));
    }
    for (std::size_t i = 0; i < runners.size(); ++i) {
      NamingSession(i, [&] { runners[i]->MakeNewStates(*contexts[i]); });
    }
  } catch (...) {
    undo();
    throw;
  }
  for (Runner* runner : runners) runner->Finish();
}

}  // namespace kuiper_infer
