// SPDX-License-Identifier: MIT
// What a Runner does with states; runs without states are in runner.cpp.
#include <algorithm>

#include "data/memory_budget.hpp"
#include "kernel/movement/copy.hpp"
#include "runtime/kept_elements.hpp"
#include "runtime/runner.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer {
namespace {

/// An array of zeros.
NdArray Zeros(const TensorSpec& spec) {
  NdArray array(spec);
  const NdArray zero = NdArray::Scalar<uint8_t>(RuntimeDataType::kTypeUInt8, 0);
  const ConstArrayView repeated{zero.raw(), TensorSpec(zero.type(), spec.shape, Strides(spec.shape.size(), 0))};
  kernel::Copy(repeated, array.mutable_view());
  return array;
}

/// Sets the spec to that of a row-major array. If it is that already, allocates nothing.
void SetRowMajor(TensorSpec& spec, RuntimeDataType type, const Shape& shape) {
  if (spec.type != type || spec.shape != shape || spec.strides.size() != shape.size()) spec = TensorSpec(type, shape);
}

/// The length that a run of the program gives to its growing input number `index`.
int64_t LengthAfter(const GrowingArray& array, const Program& program, std::size_t index) {
  const TensorSpec& added = program.slots[static_cast<std::size_t>(program.growing[index].added)].spec;
  return array.length() + added.shape[static_cast<std::size_t>(array.axis())];
}

}  // namespace

void Runner::BeginStates() {
  const auto set = [](const SessionStates::Entry& entry) { return entry.set(); };
  if (std::all_of(states_.entries().begin(), states_.entries().end(), set)) return;
  std::vector<TensorSpec> given;
  for (const NdArray& array : given_) given.push_back(array.spec());
  for (std::size_t i = 0; i < graph_->states.pairs.size(); ++i) {
    const StatePair& pair = graph_->states.pairs[i];
    if (states_.entries()[i].set()) continue;
    states_.Set(pair, i, pair.initial.defined() ? pair.initial : Zeros(graph_->FirstSpec(pair, given)));
  }
}

void Runner::PrepareStep() {
  for (std::size_t i = 0; i < given_.size(); ++i) {
    if (graph_->states.OfInput(i) != nullptr) continue;
    const TensorSpec recorded = BuiltGraph::RecordedSpec(*graph_->inputs[i]);
    Shape shape = recorded.shape;
    std::replace(shape.begin(), shape.end(), int64_t{-1}, int64_t{1});
    given_[i] = Zeros(TensorSpec(recorded.type, shape));
  }
  Begin(false, {});
}

/// The key and the list of arrays are changed in place, because new ones would take memory in each run.
void Runner::BeginWithStates(bool keep_all, const RunOptions& options) {
  BeginStates();
  ProgramKey& key = pending_.key;
  key.keep_all = keep_all;
  key.any_length = graph_->states.grows();
  key.specs.resize(arrays_.size());
  pending_.growing.clear();
  const std::vector<StatePair>& pairs = graph_->states.pairs;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const SessionStates::Entry& entry = states_.entries()[i];
    if (!entry.growing) arrays_[pairs[i].input] = entry.array;
  }
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    if (arrays_[i].defined()) SetRowMajor(key.specs[i], arrays_[i].type(), arrays_[i].shape());
  }
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    SessionStates::Entry& entry = states_.entries()[i];
    if (!entry.growing) continue;
    TensorSpec& spec = key.specs[pairs[i].input];
    spec.type = pairs[i].TypeInModel(entry.growing->empty_spec().type);
    spec.shape = entry.growing->empty_spec().shape;
    spec.shape.back() -= ScaleExtent(pairs[i], entry.growing->empty_spec().type);
    spec.shape[static_cast<std::size_t>(pairs[i].growing->axis)] = entry.growing->length();
    pending_.growing.push_back(&*entry.growing);
  }
  graph_->ranges().Check(key.specs);
  for (const StatePair& pair : pairs) {
    if (!pair.growing) continue;
    key.specs[pair.input].shape[static_cast<std::size_t>(pair.growing->axis)] = -1;
    key.specs[pair.input].strides.clear();  // they follow the length
  }
  if (key.any_length && !graph_->PlansEachLength(key)) {
    try {
      Entry& entry = EntryForAnyLength(key, options.num_threads);
      CheckLengths(*entry.program);
      pending_.context = &ContextOf(entry);
      return ReserveNext(*entry.program);
    } catch (const OtherShape& error) {
      graph_->PlanEachLength(key, error.what());
    }
  }
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const SessionStates::Entry& entry = states_.entries()[i];
    if (!entry.growing) continue;
    NdArray& array = arrays_[pairs[i].input];
    array = ElementsOf(pairs[i], entry.View());
    key.specs[pairs[i].input] = TensorSpec(array.type(), array.shape());
  }
  key.any_length = false;
  pending_.growing.clear();
  Entry& entry = EntryFor(key, options.num_threads);
  pending_.context = &ContextOf(entry);
  ReserveNext(*entry.program);
}

void Runner::ReserveNext(const Program& program) {
  pending_.next.resize(program.replaced.size());
  std::size_t next = 0;  // among the program's replaced states, which are in the order of the states
  for (SessionStates::Entry& entry : states_.entries()) {
    if (entry.growing) continue;
    const StateSlots& place = program.replaced[next];
    const bool fits = entry.other.defined() && entry.other.spec() == entry.array.spec();
    if (place.made == StateSlots::Made::kBeside && !fits) {
      WithinBudget([&] { entry.other = NdArray(entry.array.type(), entry.array.shape()); });
    }
    pending_.next[next++] = entry.other;
  }
}

Runner::Entry& Runner::EntryForAnyLength(const ProgramKey& key, int threads) {
  if (Entry* const known = programs_.Find(key)) return *known;
  std::vector<int64_t> lengths;
  for (const GrowingArray* array : pending_.growing) lengths.push_back(array->length());
  return EntryFor(key, threads, lengths);
}

void Runner::CheckLength(const StatePair& pair, int64_t length) const {
  const int64_t most = graph_->options.max_state_length;
  if (most == 0 || length <= most || pair.window > 0) return;  // a window does not exceed it
  throw Error(ErrorCode::kInput, "state '" + pair.name + "' would have " + std::to_string(length) +
                                     " elements along axis " + std::to_string(pair.growing->axis) +
                                     ", at most max_state_length = " + std::to_string(most) + " are allowed");
}

void Runner::CheckLengths(const Program& program) const {
  std::size_t next = 0;  // among the program's growing inputs, which are in the order of the states
  for (std::size_t i = 0; i < states_.entries().size(); ++i) {
    const SessionStates::Entry& entry = states_.entries()[i];
    if (entry.growing) CheckLength(graph_->states.pairs[i], LengthAfter(*entry.growing, program, next++));
  }
}

void Runner::MakeNewStates(const ExecutionContext& context) {
  const std::vector<StatePair>& pairs = graph_->states.pairs;
  NewStates& after = new_states_;
  after.replaced.resize(pairs.size());
  after.lengths.resize(pairs.size());
  std::size_t next = 0;  // among the program's growing inputs
  std::size_t next_replaced = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    SessionStates::Entry& entry = states_.entries()[i];
    if (!entry.growing && context.program().replaced[next_replaced++].made != StateSlots::Made::kElsewhere) continue;
    if (entry.growing && context.program().any_length()) {
      after.lengths[i] = LengthAfter(*entry.growing, context.program(), next++);
      continue;
    }
    const FlatOutput& output = graph_->states.outputs[pairs[i].output];
    const Value value = context.Get(output.operand.get());
    if (!value.Is<NdArray>()) {
      throw Error(ErrorCode::kGraph,
                  "state '" + pairs[i].name + "' continues the output '" + output.name + "', which is no array");
    }
    const NdArray result = value.Get<NdArray>();
    graph_->CheckInput(pairs[i].input, result);
    if (!entry.growing) {
      after.replaced[i] = CopyOf(result);
      continue;
    }
    const auto axis = static_cast<std::size_t>(pairs[i].growing->axis);
    after.lengths[i] = result.shape()[axis];
    CheckLength(pairs[i], after.lengths[i]);
    const int64_t former = entry.growing->length();
    entry.growing->Reserve(after.lengths[i]);
    Shape added = result.shape();
    added[axis] -= former;
    KeepElements(pairs[i], result.AsStrided(added, result.strides(), former * result.strides()[axis]),
                 entry.growing->View(former, after.lengths[i]));
  }
}

void Runner::Finish() {
  const Program& program = pending_.context->program();
  pending_.context->KeepUpdates();
  std::size_t next_replaced = 0;
  for (std::size_t i = 0; i < states_.entries().size(); ++i) {
    SessionStates::Entry& entry = states_.entries()[i];
    if (entry.growing) {
      entry.growing->SetLength(new_states_.lengths[i]);
      continue;
    }
    const StateSlots::Made made = program.replaced[next_replaced++].made;
    if (made == StateSlots::Made::kBeside) std::swap(entry.array, entry.other);
    if (made == StateSlots::Made::kElsewhere) entry.array = std::move(new_states_.replaced[i]);
  }
  finished_ = true;
}

void Runner::Reset() { states_.Reset(); }

int64_t Runner::Length() const { return states_.Length(graph_->states); }

void Runner::Truncate(int64_t length) { states_.Truncate(graph_->states, length); }

StateSnapshot Runner::Snapshot() {
  StateSnapshot snapshot;
  snapshot.graph_ = graph_;
  WithinBudget([&] { snapshot.states_ = std::make_shared<const SessionStates>(states_.Clone()); });
  return snapshot;
}

void Runner::Restore(const StateSnapshot& snapshot) {
  if (snapshot.graph_ != graph_) {
    throw Error(ErrorCode::kState, "the snapshot is of another model, expected one of a session of this model");
  }
  WithinBudget([&] { states_ = snapshot.states_->Clone(); });
}

void Runner::SaveStates(const std::string& path) const {
  kuiper_infer::SaveStates(states_, graph_->states, graph_->Identity(), path);
}

void Runner::LoadStates(const std::string& path) {
  SessionStates read;
  WithinBudget([&] { read = kuiper_infer::LoadStates(graph_->states, graph_->Identity(), path); });
  for (std::size_t i = 0; i < read.entries().size(); ++i) {
    const StatePair& pair = graph_->states.pairs[i];
    if (!read.entries()[i].set()) continue;
    const NdArray kept = read.entries()[i].View();
    Shape shape = kept.shape();
    if (const int64_t scales = ScaleExtent(pair, kept.type()); scales > 0) shape.back() -= scales;
    graph_->CheckInput(pair.input, NdArray::View(kept.raw(), TensorSpec(pair.TypeInModel(kept.type()), shape)));
  }
  states_ = std::move(read);
}

}  // namespace kuiper_infer
