// SPDX-License-Identifier: MIT
#include "runtime/placement.hpp"

#include <algorithm>
#include <optional>

#include "shape/layout.hpp"

namespace kuiper_infer {
namespace {

constexpr int64_t kChannelAxis = 1;

/// What of one array a concatenation reads.
struct Part {
  std::optional<int64_t> offset;  ///< of the array in the result
  int64_t channels = 0;
  bool fits = true;
};

bool IsChannelsLast(const TensorSpec& spec) {
  return spec.rank() > kChannelAxis && spec.type == RuntimeDataType::kTypeFloat32 && spec.size() > 0 &&
         !spec.contiguous() && FindPixelSteps(spec, kChannelAxis).has_value();
}

/// The arrays behind the inputs of a concatenation, by root slot.
std::map<int, Part> CollectParts(const Program& program, const Step& join, const TensorSpec& result) {
  std::map<int, Part> parts;
  for (const OperationPlan::Piece& piece : join.pieces) {
    const int index = join.inputs[piece.input].slot;
    if (index < 0) continue;
    const Slot& slot = program.slots[index];
    const int root = program.RootOf(index);
    const int64_t inside =
        slot.memory == Slot::Memory::kView ? slot.offset / static_cast<int64_t>(ElementBytes(slot.spec.type)) : 0;
    const int64_t offset = piece.offset - inside;
    Part& part = parts[root];
    const TensorSpec& whole = program.slots[root].spec;
    part.fits = part.fits && part.offset.value_or(offset) == offset && slot.spec.strides == whole.strides &&
                IsChannelsLast(slot.spec) && DiffersInAxisOnly(slot.spec, result, kChannelAxis) &&
                DiffersInAxisOnly(whole, result, kChannelAxis);
    part.offset = offset;
    part.channels += part.fits ? slot.spec.shape[kChannelAxis] : 0;
  }
  return parts;
}

/// The step whose only result is a slot, if it can write with gaps.
const Step* FindWriter(const Program& program, int slot) {
  const auto index = static_cast<std::size_t>(program.slots[slot].first);
  if (program.slots[slot].memory != Slot::Memory::kArena || index >= program.steps.size()) return nullptr;
  const Step& step = program.steps[index];
  const bool writes = step.strided_output && step.result != nullptr && step.outputs == std::vector<int>{slot};
  return writes ? &step : nullptr;
}

}  // namespace

Placements FindPlacements(const Program& program) {
  Placements placements;
  for (const Step& join : program.steps) {
    if (join.pieces.size() < 2 || join.result == nullptr || join.outputs.size() != 1) continue;
    const TensorSpec& result = program.slots[join.outputs.front()].spec;
    if (!IsChannelsLast(result)) continue;
    for (const auto& [root, part] : CollectParts(program, join, result)) {
      const TensorSpec& whole = program.slots[root].spec;
      const Step* writer = FindWriter(program, root);
      const bool complete = part.fits && IsChannelsLast(whole) && part.channels == whole.shape[kChannelAxis];
      const bool inside = part.offset >= 0 && *part.offset + part.channels <= result.shape[kChannelAxis];
      if (writer == nullptr || !complete || !inside) continue;
      // Of several concatenations the largest: the others may then find their pieces side by side in it.
      Placement& placement = placements[writer->result];
      const bool larger = placement.result == nullptr || placement.result_spec.size() < result.size();
      if (larger) placement = {join.result, result, *part.offset};
    }
  }
  return placements;
}

void Placer::Place(Program& program, const RuntimeOperator& op, int index) {
  const auto found = placements_.find(op.output_operands_seq.front().get());
  if (found == placements_.end()) return;
  const Placement& placement = found->second;
  const int64_t writer = program.slots[index].first;
  const Step& step = program.steps[static_cast<std::size_t>(writer)];
  if (program.slots[index].memory != Slot::Memory::kArena || !step.strided_output) return;
  const auto [target, fresh] = targets_.try_emplace(placement.result, -1);
  if (fresh) {
    Slot slot;
    slot.spec = placement.result_spec;
    target->second = program.AddSlot(slot);
  }
  Slot& slot = program.slots[index];
  slot.spec.strides = placement.result_spec.strides;
  slot.memory = Slot::Memory::kView;
  slot.root = target->second;
  slot.offset = placement.offset * static_cast<int64_t>(ElementBytes(slot.spec.type));
  slot.placed = true;
  Slot& root = program.slots[target->second];
  root.first = std::min(root.first, writer);  // a step that took over an operator may be an earlier one
  root.last = std::max(root.last, writer);
  root.written = std::max(root.written, writer);
}

int Placer::FindTarget(Program& program, const RuntimeOperator& op, const OperationPlan& plan) const {
  if (targets_.empty() || op.output_operands_seq.size() != 1) return -1;
  const auto found = targets_.find(op.output_operands_seq.front().get());
  if (found == targets_.end() || plan.outputs.size() != 1) return -1;
  Slot& slot = program.slots[found->second];
  const OutputPlan& output = plan.outputs.front();
  const bool same = output.kind == OutputPlan::Kind::kNew && output.spec.type == slot.spec.type &&
                    output.spec.shape == slot.spec.shape && output.spec.strides == slot.spec.strides;
  if (!same) return -1;
  slot.last = slot.written = std::max(slot.last, static_cast<int64_t>(program.steps.size()));
  return found->second;
}

int FindNeighbours(Program& program, const OperationPlan& plan, const std::vector<Source>& sources) {
  if (plan.pieces.empty() || plan.outputs.front().kind != OutputPlan::Kind::kNew) return -1;
  const TensorSpec& result = plan.outputs.front().spec;
  const int first_slot = sources[plan.pieces.front().input].slot;
  if (result.rank() < 2 || result.strides[1] != 1 || first_slot < 0) return -1;
  Slot view = program.slots[first_slot];
  const bool fits = view.memory == Slot::Memory::kView && view.spec.type == result.type &&
                    view.spec.rank() == result.rank() && view.spec.strides[1] == 1;
  if (!fits) return -1;  // stacked arrays have an axis less than the result
  const auto bytes = static_cast<int64_t>(ElementBytes(result.type));
  int64_t written = 0;
  for (const OperationPlan::Piece& piece : plan.pieces) {
    if (sources[piece.input].slot < 0) return -1;
    const Slot& slot = program.slots[sources[piece.input].slot];
    const bool beside = slot.memory == Slot::Memory::kView && slot.root == view.root &&
                        slot.offset == view.offset + piece.offset * bytes && slot.spec.type == result.type &&
                        slot.spec.strides == view.spec.strides && DiffersInAxisOnly(slot.spec, result, 1);
    if (!beside) return -1;
    written = std::max(written, slot.written);
  }
  view.spec.shape = result.shape;
  view.placed = false;
  const int index = program.AddSlot(view);
  program.slots[index].written = written;
  return index;
}

}  // namespace kuiper_infer
