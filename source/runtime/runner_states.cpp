// SPDX-License-Identifier: MIT
// What a Runner does with states; runs without states are in runner.cpp.
#include <algorithm>
#include <map>

#include "data/memory_budget.hpp"
#include "kernel/movement/copy.hpp"
#include "runtime/runner.hpp"
#include "utils/parallel.hpp"

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

}  // namespace

void Runner::BeginStates() {
  std::vector<TensorSpec> given;
  for (const NdArray& array : given_) given.push_back(array.spec());
  for (std::size_t i = 0; i < graph_->states.pairs.size(); ++i) {
    const StatePair& pair = graph_->states.pairs[i];
    if (states_.entries()[i].set()) continue;
    states_.Set(pair, i, pair.initial.defined() ? pair.initial : Zeros(graph_->FirstSpec(pair, given)));
  }
}

Runner::PendingRun Runner::BeginWithStates(bool keep_all, const RunOptions& options) {
  BeginStates();
  ProgramKey key;
  key.keep_all = keep_all;
  key.any_length = graph_->states.grows();
  std::vector<TensorSpec> specs(arrays_.size());
  for (std::size_t i = 0; i < arrays_.size(); ++i) specs[i] = TensorSpec(arrays_[i].type(), arrays_[i].shape());
  std::vector<GrowingArray*> growing;
  std::vector<int64_t> lengths;
  for (std::size_t i = 0; i < graph_->states.pairs.size(); ++i) {
    const std::size_t input = graph_->states.pairs[i].input;
    SessionStates::Entry& entry = states_.entries()[i];
    specs[input] = entry.growing ? entry.growing->spec() : TensorSpec(entry.array.type(), entry.array.shape());
    if (!entry.growing) arrays_[input] = entry.array;
    if (!entry.growing) continue;
    specs[input].type = graph_->states.pairs[i].TypeInModel(specs[input].type);
    growing.push_back(&*entry.growing);
    lengths.push_back(entry.growing->length());
  }
  graph_->ranges().Check(specs);
  key.specs = specs;
  for (const StatePair& pair : graph_->states.pairs) {
    if (!pair.growing) continue;
    key.specs[pair.input].shape[static_cast<std::size_t>(pair.growing->axis)] = -1;
    key.specs[pair.input].strides.clear();  // they follow the length
  }
  if (key.any_length && !graph_->PlansEachLength(key)) {
    try {
      Entry& entry = EntryFor(key, options.num_threads, lengths);
      CheckLengths(*entry.program);
      return {key, &ContextOf(entry), std::move(growing)};
    } catch (const OtherShape& error) {
      graph_->PlanEachLength(key, error.what());
    }
  }
  for (std::size_t i = 0; i < graph_->states.pairs.size(); ++i) {
    const SessionStates::Entry& entry = states_.entries()[i];
    const StatePair& pair = graph_->states.pairs[i];
    if (!entry.growing) continue;
    const NdArray elements = entry.View();
    arrays_[pair.input] = elements.To(pair.TypeInModel(elements.type())).Contiguous();
  }
  key.any_length = false;
  key.specs = specs;
  return {key, &ContextOf(EntryFor(key, options.num_threads)), {}};
}

void Runner::CheckLength(const StatePair& pair, int64_t length) const {
  const int64_t most = graph_->options.max_state_length;
  if (most == 0 || length <= most || pair.window > 0) return;  // a window does not exceed it
  throw Error(ErrorCode::kInput, "state '" + pair.name + "' would have " + std::to_string(length) +
                                     " elements along axis " + std::to_string(pair.growing->axis) +
                                     ", at most max_state_length = " + std::to_string(most) + " are allowed");
}

void Runner::CheckLengths(const Program& program) const {
  for (const GrowingSlots& slots : program.growing) {
    const StatePair& pair = *graph_->states.OfInput(slots.input.input);
    const auto index = static_cast<std::size_t>(&pair - graph_->states.pairs.data());
    const int64_t added = program.slots[slots.added].spec.shape[static_cast<std::size_t>(slots.input.axis)];
    CheckLength(pair, states_.entries()[index].growing->length() + added);
  }
}

Runner::NewStates Runner::StatesAfter(const ExecutionContext& context) {
  const std::vector<StatePair>& pairs = graph_->states.pairs;
  NewStates after{std::vector<NdArray>(pairs.size()), std::vector<int64_t>(pairs.size(), 0)};
  const bool appended = context.program().any_length();
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    SessionStates::Entry& entry = states_.entries()[i];
    const FlatOutput& output = graph_->states.outputs[pairs[i].output];
    const Value value = context.Get(output.operand.get());
    if (!value.Is<NdArray>()) {
      throw Error(ErrorCode::kGraph,
                  "state '" + pairs[i].name + "' continues the output '" + output.name + "', which is no array");
    }
    const NdArray result = value.Get<NdArray>();
    if (!entry.growing || !appended) graph_->CheckInput(pairs[i].input, result);
    if (!entry.growing) {
      after.replaced[i] = CopyOf(result);
      continue;
    }
    const auto axis = static_cast<std::size_t>(pairs[i].growing->axis);
    after.lengths[i] = result.shape()[axis];
    CheckLength(pairs[i], after.lengths[i]);
    if (appended) continue;
    const int64_t former = entry.growing->length();
    entry.growing->Reserve(after.lengths[i]);
    const NdArray added = entry.growing->View(former, after.lengths[i]);
    kernel::Copy(result.AsStrided(added.shape(), result.strides(), former * result.strides()[axis]).view(),
                 added.mutable_view());
  }
  return after;
}

void Runner::Finish(NewStates states) {
  for (std::size_t i = 0; i < states_.entries().size(); ++i) {
    SessionStates::Entry& entry = states_.entries()[i];
    if (entry.growing) entry.growing->SetLength(states.lengths[i]);
    if (!entry.growing) entry.array = std::move(states.replaced[i]);
  }
  finished_ = true;
}

void Runner::Reset() { states_.Reset(); }

int64_t Runner::Length() const { return states_.Length(graph_->states); }

void Runner::Truncate(int64_t length) { states_.Truncate(graph_->states, length); }

SessionStates Runner::CloneStates() {
  SessionStates copy;
  WithinBudget([&] { copy = states_.Clone(); });
  return copy;
}

void Runner::RestoreStates(const SessionStates& states) {
  WithinBudget([&] { states_ = states.Clone(); });
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
    const NdArray elements = read.entries()[i].View();
    graph_->CheckInput(pair.input,
                       NdArray::View(elements.raw(), TensorSpec(pair.TypeInModel(elements.type()), elements.shape())));
  }
  states_ = std::move(read);
}

}  // namespace kuiper_infer
