// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "planning/joint_program.hpp"
#include "runtime/executor.hpp"

namespace kuiper_infer {

/// Runs several contexts of one program at once, for which ExecutionContext::Begin was called. Between two joint calls
/// (JointProgram) the contexts make their steps side by side, each in one thread if there are as many contexts as
/// threads, or one after the other with all threads. `scratch` has JointProgram::scratch_bytes. Throws what
/// ExecutionContext::Run throws; if several contexts fail, the error of the first.
void RunJointly(const JointProgram& joint, const std::vector<ExecutionContext*>& contexts, std::byte* scratch,
                const PlanningContext& planning, const RunOptions& options);

}  // namespace kuiper_infer
