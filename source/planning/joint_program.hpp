// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "operation/planning_context.hpp"
#include "planning/program.hpp"

namespace kuiper_infer {

/// The call that makes one step of a program for several runs.
struct JointCall {
  KernelCall call;  ///< `run` is empty where each run makes the step by itself
  /// Where the call's arrays lie in the scratch memory, in bytes from its start: for each input, and each output, the
  /// arrays of all runs one behind the other. -1 for inputs that are constants.
  std::vector<int64_t> inputs;
  std::vector<int64_t> outputs;
  int64_t workspace = 0;
  int64_t end = 0;  ///< the bytes that the call uses
};

/// How several runs of one program are made at once. Products of a constant weight by few rows take as long as reading
/// the weight takes, so they are made for the rows of all runs together.
struct JointProgram {
  std::shared_ptr<const Program> program;
  int64_t count = 0;             ///< of runs
  std::vector<JointCall> calls;  ///< by step
  int64_t scratch_bytes = 0;     ///< the most that a call uses
};

/// Plans `count` runs of a program.
JointProgram JoinRuns(std::shared_ptr<const Program> program, int64_t count, const PlanningContext& context);

}  // namespace kuiper_infer
