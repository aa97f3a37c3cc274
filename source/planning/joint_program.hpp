// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "operation/planning_context.hpp"
#include "planning/program.hpp"

namespace kuiper_infer {

/// Runs of one program.
struct ProgramRuns {
  std::shared_ptr<const Program> program;
  int64_t count = 0;

  bool operator==(const ProgramRuns& other) const { return program == other.program && count == other.count; }
};

/// One call that makes a step of several runs.
struct JointCall {
  static constexpr std::size_t kNone = SIZE_MAX;
  /// By entry of JointProgram::runs: the step of its program that the call makes for all its runs; kNone: for none.
  std::vector<std::size_t> steps;
  KernelCall call;
  /// Where the call's arrays lie in the scratch memory, in bytes from its start: for each input, and each output, the
  /// rows of all runs one behind the other. -1 for inputs that are constants.
  std::vector<int64_t> inputs;
  std::vector<int64_t> outputs;
  int64_t workspace = 0;
  int64_t end = 0;  ///< the bytes that the call uses
};

/// How several runs of the programs of one graph are made at once. Products of a constant weight by few rows take as
/// long as reading the weight takes, so they are made for the rows of all runs together. Each run makes all its other
/// steps by itself.
struct JointProgram {
  std::vector<ProgramRuns> runs;
  std::vector<JointCall> calls;  ///< in the order of the steps of each program
  int64_t scratch_bytes = 0;     ///< the most that a call uses
};

/// Plans runs of different programs of one graph.
JointProgram JoinRuns(std::vector<ProgramRuns> runs, const PlanningContext& context);

}  // namespace kuiper_infer
