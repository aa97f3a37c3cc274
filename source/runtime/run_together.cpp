// SPDX-License-Identifier: MIT
#include <algorithm>

#include "data/memory_budget.hpp"
#include "runtime/joint_run.hpp"
#include "runtime/runner.hpp"
#include "utils/parallel.hpp"

namespace kuiper_infer {
namespace {

/// Runners with the same program.
struct Group {
  std::shared_ptr<const Program> program;
  const ProgramKey* key = nullptr;
  std::vector<ExecutionContext*> contexts;
  Runner* first = nullptr;  ///< its scratch memory is used
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
      groups.push_back({pending->context->shared_program(), &pending->key, {}, runner});
      group = groups.end() - 1;
    }
    group->contexts.push_back(pending->context);
  }
  return groups;
}

void RunGroup(const Group& group, BuiltGraph& graph, const RunOptions& options) {
  const auto count = static_cast<int64_t>(group.contexts.size());
  if (count == 1) return group.contexts.front()->RunBegun(graph.context, options);
  const std::shared_ptr<const JointProgram> joint = graph.JointProgramFor(group.program, count);
  RunJointly(*joint, group.contexts, group.first->Scratch(joint->scratch_bytes), graph.context, options);
}

/// Makes the runs of all runners. Returns false if the states have to be planned for each length, so that the runs have
/// to be made again.
bool RunAll(const std::vector<Runner*>& runners, std::vector<ExecutionContext*>& contexts, const RunOptions& options) {
  BuiltGraph& graph = runners.front()->graph();
  for (const Group& group : BeginAll(runners, contexts, options)) {
    try {
      RunGroup(group, graph, options);
    } catch (const OtherShape& error) {
      if (!group.key->any_length) throw;
      graph.PlanEachLength(*group.key, error.what());
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
    while (!RunAll(runners, contexts, options)) undo();
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
