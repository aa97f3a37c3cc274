// SPDX-License-Identifier: MIT
#include "planning/memory_planner.hpp"
#include "planning/passes.hpp"
#include "utils/system/cpu_info.hpp"

namespace kuiper_infer {
namespace {

void AppendScratch(const Program& program, std::vector<MemoryRequest>& requests) {
  for (std::size_t i = 0; i < program.steps.size(); ++i) {
    const auto step = static_cast<int64_t>(i);
    requests.push_back({program.steps[i].call.workspace_bytes, step, step});
  }
}

}  // namespace

void ShareMemory(Program& program, bool keep_all) {
  std::vector<MemoryRequest> requests;
  std::vector<int> arena_slots;
  for (std::size_t i = 0; i < program.slots.size(); ++i) {
    const Slot& slot = program.slots[i];
    if (slot.memory != ArrayMemory::kArena) continue;
    arena_slots.push_back(static_cast<int>(i));
    requests.push_back(
        {ByteCount(slot.spec.type, slot.spec.shape), keep_all ? 0 : slot.first, keep_all ? Slot::kEnd : slot.last});
  }
  program.largest_live_bytes = LargestLiveSet(requests);
  AppendScratch(program, requests);
  for (const StateUpdate& update : program.updates) {
    requests.push_back({kernel::SavedRowsBytes(update.changed.rows), static_cast<int64_t>(update.step), Slot::kEnd});
  }
  const MemoryPlan plan = PlanMemory(requests);
  const std::size_t arrays = arena_slots.size();
  for (std::size_t k = 0; k < arrays; ++k) program.slots[arena_slots[k]].offset = plan.offsets[k];
  for (std::size_t i = 0; i < program.steps.size(); ++i) {
    program.steps[i].workspace_offset = plan.offsets[arrays + i];
  }
  for (std::size_t i = 0; i < program.updates.size(); ++i) {
    program.updates[i].saved_offset = plan.offsets[arrays + program.steps.size() + i];
  }
  program.arena_bytes = plan.total_bytes;
  // Asking for more would not fail here but end the process later, when the memory is touched.
  const int64_t available = PhysicalMemoryBytes();
  if (available > 0 && program.arena_bytes > available) {
    throw Error(ErrorCode::kResource, "the model needs " + std::to_string(program.arena_bytes >> 20) +
                                          " MiB for these input shapes, the machine has " +
                                          std::to_string(available >> 20) + " MiB");
  }
}

std::vector<int64_t> LiveBytesBySteps(const Program& program) {
  std::vector<MemoryRequest> requests;
  for (const Slot& slot : program.slots) {
    if (slot.memory != ArrayMemory::kArena) continue;
    requests.push_back({ByteCount(slot.spec.type, slot.spec.shape), slot.first, slot.last});
  }
  AppendScratch(program, requests);
  return LiveBytes(requests, program.steps.size());
}

}  // namespace kuiper_infer
