// SPDX-License-Identifier: MIT
#include "planning/joint_program.hpp"

#include <algorithm>

#include "utils/rounding.hpp"

namespace kuiper_infer {
namespace {

void PlaceArrays(const Program& program, const Step& step, int64_t count, JointCall& joint) {
  const auto place = [&](int slot) {
    const TensorSpec& spec = program.slots[static_cast<std::size_t>(slot)].spec;
    const int64_t offset = joint.end;
    joint.end += AlignedBytes(count * ByteCount(spec.type, spec.shape));
    return offset;
  };
  for (const Source& input : step.inputs) joint.inputs.push_back(input.slot < 0 ? -1 : place(input.slot));
  for (const int output : step.outputs) joint.outputs.push_back(place(output));
  joint.workspace = joint.end;
  joint.end += AlignedBytes(joint.call.workspace_bytes);
}

}  // namespace

JointProgram JoinRuns(std::shared_ptr<const Program> program, int64_t count, const PlanningContext& context) {
  JointProgram joint{std::move(program), count, {}, 0};
  for (const Step& step : joint.program->steps) {
    JointCall& call = joint.calls.emplace_back();
    if (!step.call.for_runs) continue;
    call.call = step.call.for_runs(count, context);
    PlaceArrays(*joint.program, step, count, call);
    joint.scratch_bytes = std::max(joint.scratch_bytes, call.end);
  }
  return joint;
}

}  // namespace kuiper_infer
