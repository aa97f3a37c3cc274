// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "planning/joint_program.hpp"
#include "runtime/executor.hpp"

namespace kuiper_infer {

/// Makes several runs at once, for which ExecutionContext::Begin was called: `contexts` are those of the first entry of
/// JointProgram::runs, then those of the second one, and so on. Between two joint calls the contexts make their steps
/// side by side, each in one thread. A context with more work than a thread's share makes its steps first, with all
/// threads. Progress is told for the first context. `scratch` has JointProgram::scratch_bytes. Throws what
/// ExecutionContext::Run throws; if several contexts fail, the error of one of them.
void RunJointly(const JointProgram& joint, const std::vector<ExecutionContext*>& contexts, std::byte* scratch,
                const PlanningContext& planning, const RunOptions& options);

}  // namespace kuiper_infer
