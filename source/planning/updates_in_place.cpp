// SPDX-License-Identifier: MIT
#include "planning/updates_in_place.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "planning/planning_graph.hpp"

namespace kuiper_infer {
namespace {

/// Whether one of the arrays in an operand lies in the memory of a root slot.
bool LiesIn(const Program& program, const RuntimeOperand* operand, int root) {
  bool found = false;
  const auto symbol = program.symbols.find(operand);
  if (symbol == program.symbols.end()) return false;
  ForEachArray(symbol->second, [&](int slot) { found = found || program.RootOf(slot) == root; });
  return found;
}

bool Reads(const Program& program, const Source& source, int root) {
  return source.slot >= 0 && program.RootOf(source.slot) == root;
}

/// The only step that writes a root slot, if it writes it as a whole.
std::optional<std::size_t> WriterOf(const Program& program, int root) {
  std::optional<std::size_t> writer;
  for (std::size_t i = 0; i < program.steps.size(); ++i) {
    const std::vector<int>& outputs = program.steps[i].outputs;
    const bool writes =
        std::any_of(outputs.begin(), outputs.end(), [&](int slot) { return program.RootOf(slot) == root; });
    if (!writes) continue;
    if (writer || outputs.size() != 1 || outputs.front() != root) return std::nullopt;
    writer = i;
  }
  return writer;
}

/// Whether something needs elements of a root slot in step `from` or later. Inputs of steps for which
/// except(step, input) holds do not count. Results of a dynamic step may be views of its inputs, so if any dynamic step
/// reads the slot, its elements are needed to the end.
template <class Except>
bool IsNeededFrom(const Program& program, int root, std::size_t from, Except except) {
  for (std::size_t i = 0; i < program.steps.size(); ++i) {
    const Step& step = program.steps[i];
    for (std::size_t k = 0; i >= from && k < step.inputs.size(); ++k) {
      if (Reads(program, step.inputs[k], root) && !except(i, k)) return true;
    }
    if (!step.dynamic) continue;
    for (const auto& operand : program.operators[step.op]->input_operands_seq) {
      if (LiesIn(program, operand.get(), root)) return true;
    }
  }
  return std::any_of(program.output_operands.begin(), program.output_operands.end(),
                     [&](const RuntimeOperand* operand) { return LiesIn(program, operand, root); });
}

/// Lets a slot of the arena lie in the memory of another root slot.
void MoveInto(Program& program, int slot, int root, int64_t offset) {
  for (Slot& other : program.slots) {
    if (other.memory != ArrayMemory::kView || other.root != slot) continue;
    other.root = root;
    other.offset += offset;
  }
  Slot& moved = program.slots[static_cast<std::size_t>(slot)];
  moved.memory = ArrayMemory::kView;
  moved.root = root;
  moved.offset = offset;
}

bool ChangesRows(const Step& step) {
  return step.call.changed_rows && !step.dynamic && !step.inputs.empty() && step.inputs.front().slot >= 0;
}

/// A step that changes rows of a state, or of a part of it: `scatters` then write the part back, the last of them
/// first: scatter(x, scatter(x[i], update(x[i][k]), k), i).
struct Link {
  std::size_t update = 0;
  std::vector<std::size_t> scatters;

  bool Has(std::size_t step) const {
    return step == update || std::find(scatters.begin(), scatters.end(), step) != scatters.end();
  }
};

const Slot& SlotOf(const Program& program, int slot) { return program.slots[static_cast<std::size_t>(slot)]; }

/// The offset, in bytes, of the part of an array that a scatter replaces; nothing if the part is not contiguous.
std::optional<int64_t> PlaceOfPart(const Step& step) {
  const ChangedRows& part = *step.call.changed_rows;
  if (part.index >= 0 || part.rows.outer != 1 || step.inputs.size() != 2 || step.inputs[1].slot < 0)
    return std::nullopt;
  return part.first * part.rows.row_bytes;
}

/// The step that makes the part that `scatter` replaces by changing rows of the former part, which lies in the memory
/// of the root slot `state` from byte `place` on. Nothing if the part is made otherwise or is read by something else.
std::optional<std::size_t> WriterOfPart(const Program& program, std::size_t scatter, int state, int64_t place) {
  const int part = program.steps[scatter].inputs[1].slot;
  const Slot& result = SlotOf(program, part);
  if (result.memory != ArrayMemory::kArena || !result.spec.contiguous()) return std::nullopt;
  const std::optional<std::size_t> writer = WriterOf(program, part);
  if (!writer || !ChangesRows(program.steps[*writer])) return std::nullopt;
  const Slot& former = SlotOf(program, program.steps[*writer].inputs.front().slot);
  const bool there = former.memory == ArrayMemory::kView && former.root == state && former.offset == place &&
                     former.spec.type == SlotOf(program, state).spec.type;
  const kernel::ChosenRows& rows = program.steps[scatter].call.changed_rows->rows;
  const bool alike =
      former.spec == result.spec && ByteCount(result.spec.type, result.spec.shape) == rows.count * rows.row_bytes;
  const auto of_scatter = [&](std::size_t i, std::size_t k) { return i == scatter && k == 1; };
  return there && alike && !IsNeededFrom(program, part, 0, of_scatter) ? writer : std::nullopt;
}

/// The change of the root slot `state`, whose new value step `whole` makes.
Link FindLink(const Program& program, std::size_t whole, int state) {
  Link link{whole, {}};
  int64_t place = 0;
  while (const std::optional<int64_t> part = PlaceOfPart(program.steps[link.update])) {
    const std::optional<std::size_t> writer = WriterOfPart(program, link.update, state, place + *part);
    if (!writer) break;
    place += *part;
    link.scatters.push_back(link.update);
    link.update = *writer;
  }
  return link;
}

/// The changes that make `output` of `input`, the last one first. Empty if `output` is made in another way, or if
/// something needs elements that the changes overwrite.
std::vector<Link> FindLinks(const Program& program, int input, int output) {
  std::vector<Link> links;
  for (int state = output; state != input;) {
    const std::optional<std::size_t> writer = WriterOf(program, state);
    if (!writer || !ChangesRows(program.steps[*writer])) return {};
    const int former = program.steps[*writer].inputs.front().slot;
    const Slot& slot = SlotOf(program, former);
    if (former != input && (slot.memory != ArrayMemory::kArena || !slot.spec.contiguous())) return {};
    const Link link = FindLink(program, *writer, former);
    const auto own = [&](std::size_t i, std::size_t k) { return k == 0 && link.Has(i); };
    if (IsNeededFrom(program, former, link.update, own)) return {};
    links.push_back(link);
    state = former;
  }
  return links;
}

}  // namespace

bool UpdateInPlace(Program& program, int input, int output) {
  const std::vector<Link> links = FindLinks(program, input, output);
  for (const Link& link : links) {
    int64_t place = 0;
    for (const std::size_t index : link.scatters) {
      Step& scatter = program.steps[index];
      MoveInto(program, scatter.outputs.front(), input, place);
      place += *PlaceOfPart(scatter);
      scatter.call.run = nullptr;  // the part is in its place already
    }
    Step& update = program.steps[link.update];
    MoveInto(program, update.outputs.front(), input, place);
    update.update = static_cast<int>(program.updates.size());
    program.updates.push_back({link.update, *update.call.changed_rows});
  }
  return !links.empty();
}

}  // namespace kuiper_infer
