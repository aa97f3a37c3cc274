// SPDX-License-Identifier: MIT
#include "runtime/runner.hpp"

#include <algorithm>

#include "data/bool_bytes.hpp"
#include "data/mapped_array.hpp"
#include "data/memory_budget.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer {

void Runner::SetInput(std::size_t index, const NdArray& array) {
  graph_->CheckInput(index, array);
  if (const StatePair* state = graph_->states.OfInput(index)) {
    const auto entry = static_cast<std::size_t>(state - graph_->states.pairs.data());
    WithinBudget([&] { states_.Set(*state, entry, array); });
    return;
  }
  given_[index] = array;
}

void Runner::SetInputs(const std::map<std::string, NdArray>& inputs) {
  for (const auto& [name, array] : inputs) SetInput(graph_->FindInput(name), array);
}

Runner::Entry& Runner::EntryFor(const ProgramKey& key, int threads, const std::vector<int64_t>& lengths) {
  finished_ = false;
  if (Entry* const known = programs_.Find(key)) return *known;
  const ThreadScope scope(UsedThreads(threads));
  const BudgetScope budget(graph_->context.budget);
  return programs_.Add({key, graph_->ProgramFor(key, lengths), nullptr});
}

void Runner::WithinBudget(const std::function<void()>& take) {
  const BudgetScope budget(graph_->context.budget);
  try {
    take();
    return;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kResource || !programs_.KeepFront()) throw;
  }
  take();
}

ExecutionContext& Runner::ContextOf(Entry& entry) {
  if (entry.context == nullptr) {
    WithinBudget([&] { entry.context = std::make_unique<ExecutionContext>(entry.program); });
  }
  return *entry.context;
}

NdArray Runner::ReadableInput(std::size_t index) {
  const NdArray& given = given_[index];
  if (given.contiguous() && HasBoolBytes(given)) return given;
  try {
    NdArray copy;
    WithinBudget([&] { copy = given.Clone(); });
    MakeBoolBytes(copy);
    return copy;
  } catch (const Error& error) {
    throw Error(error.code(), "input '" + graph_->inputs[index]->name + "': " + error.what());
  }
}

void Runner::Prepare(const ProgramKey& key) { ContextOf(EntryFor(key)); }

bool Runner::FitsInputs(const Entry& entry) const {
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    const TensorSpec& planned = entry.key.specs[i];
    if (planned.type != arrays_[i].type() || planned.shape != arrays_[i].shape()) return false;
  }
  return true;
}

/// The program for the inputs that are set. Mostly it is the last program, which is found without an allocation.
Runner::Entry& Runner::EntryForInputs(bool keep_all, int threads) {
  if (!programs_.empty() && programs_.front().key.keep_all == keep_all && FitsInputs(programs_.front()))
    return programs_.front();
  ProgramKey key;
  key.keep_all = keep_all;
  for (const NdArray& array : arrays_) key.specs.emplace_back(array.type(), array.shape());
  return EntryFor(key, threads);
}

void Runner::ReadInputs() {
  arrays_.resize(given_.size());
  for (std::size_t i = 0; i < given_.size(); ++i) {
    if (graph_->states.OfInput(i) != nullptr) continue;
    if (!given_[i].defined()) throw Error(ErrorCode::kInput, "input '" + graph_->inputs[i]->name + "' is not set");
    const bool same = arrays_[i].raw() == given_[i].raw() && arrays_[i].spec() == given_[i].spec();
    if (!same || !HasBoolBytes(arrays_[i])) arrays_[i] = ReadableInput(i);
  }
}

const Runner::PendingRun& Runner::Begin(bool keep_all, const RunOptions& options) {
  finished_ = false;
  ReadInputs();
  if (graph_->states.empty()) {
    pending_.context = &ContextOf(EntryForInputs(keep_all, options.num_threads));
  } else {
    BeginWithStates(keep_all, options);
  }
  return pending_;
}

ExecutionContext& Runner::Run(bool keep_all, const RunOptions& options, const StepObserver& observer) {
  const ThreadScope threads(UsedThreads(options.num_threads));
  const BudgetScope budget(graph_->context.budget);
  for (;;) {
    const PendingRun& pending = Begin(keep_all, options);
    try {
      pending.context->Run(PendingArrays(), graph_->context, options, observer);
      MakeNewStates(*pending.context);
    } catch (const OtherShape& error) {
      pending.context->UndoUpdates();
      if (!pending.key.any_length) throw;
      graph_->PlanEachLength(pending.key, error.what());
      continue;
    } catch (...) {
      pending.context->UndoUpdates();
      throw;
    }
    Finish();
    return *pending.context;
  }
}

std::byte* Runner::Scratch(int64_t bytes) {
  if (!scratch_.defined() || scratch_.size() < bytes) {
    scratch_ = NdArray();
    WithinBudget([&] { scratch_ = MappedArray(RuntimeDataType::kTypeUInt8, {bytes}); });
  }
  return scratch_.data<std::byte>();
}

const ExecutionContext& Runner::Results() const {
  if (!finished_) throw Error(ErrorCode::kState, "there is nothing to read before a run that finished");
  return *programs_.front().context;
}

std::vector<NdArray> Runner::OutputViews() const {
  std::vector<NdArray> arrays;
  for (std::size_t i = 0; i < graph_->outputs.size(); ++i) {
    for (NdArray& array : OutputViews(i)) arrays.push_back(std::move(array));
  }
  return arrays;
}

std::vector<NdArray> Runner::OutputViews(std::size_t index) const {
  std::vector<NdArray> arrays;
  if (!graph_->states.empty()) {
    const std::vector<FlatOutput>& outputs = graph_->states.outputs;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (outputs[i].output != index || graph_->states.OfOutput(i) != nullptr) continue;
      FlattenArrays(Results().Get(outputs[i].operand.get()), arrays);
    }
    return arrays;
  }
  FlattenArrays(Results().Get(graph_->outputs[index]->input_operands_seq.front().get()), arrays);
  return arrays;
}

std::vector<NdArray> Runner::RowMajorOutputs(std::size_t index) {
  const ThreadScope threads(UsedThreads(0));
  std::vector<NdArray> arrays;
  WithinBudget([&] {
    arrays = OutputViews(index);
    for (NdArray& array : arrays) array = array.Contiguous();
  });
  return arrays;
}

std::vector<NdArray> Runner::OutputCopies() {
  const ThreadScope threads(UsedThreads(0));
  std::vector<NdArray> arrays;
  WithinBudget([&] {
    arrays = OutputViews();
    for (NdArray& array : arrays) array = CopyOf(array);
  });
  return arrays;
}

void FlattenArrays(const Value& value, std::vector<NdArray>& arrays) {
  if (value.Is<NdArray>()) arrays.push_back(value.Get<NdArray>());
  if (value.IsNumber()) arrays.push_back(ArrayFromNumber(value));
  if (value.Is<Value::List>()) {
    for (const Value& item : value.Get<Value::List>()) FlattenArrays(item, arrays);
  }
}

NdArray CopyOf(const NdArray& array) {
  const NdArray contiguous = array.Contiguous();
  return contiguous.raw() == array.raw() ? array.Clone() : contiguous;
}

}  // namespace kuiper_infer
