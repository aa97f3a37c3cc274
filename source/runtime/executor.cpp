// SPDX-License-Identifier: MIT
#include "runtime/executor.hpp"

#include <algorithm>
#include <chrono>

#include "data/mapped_array.hpp"
#include "kuiper_infer/layer/abstract/operator_layer.hpp"
#include "operation/operator_errors.hpp"
#include "planning/array_layer_plan.hpp"
#include "runtime/classic_layer.hpp"
#include "utils/system/float_mode.hpp"

namespace kuiper_infer {

ExecutionContext::ExecutionContext(std::shared_ptr<const Program> program)
    : program_(std::move(program)),
      arena_(MappedArray(RuntimeDataType::kTypeUInt8, {program_->arena_bytes})),
      memory_(program_->slots.size(), nullptr),
      places_(program_->slots.size()) {
  for (const Slot& slot : program_->slots) specs_.push_back(slot.spec);
  saved_.reserve(program_->updates.size());
  const auto note = [this](int slot, std::size_t index, bool output) {
    const int root = program_->RootOf(slot);
    if (program_->slots[root].memory != ArrayMemory::kArena)
      places_[root].push_back({bound_.size(), index, output, slot});
  };
  for (const Step& step : program_->steps) {
    BoundStep bound;
    for (std::size_t i = 0; i < step.inputs.size(); ++i) {
      const Source& source = step.inputs[i];
      if (source.slot >= 0) {
        bound.inputs.push_back({SlotMemory(source.slot), specs_[source.slot]});
        note(source.slot, i, false);
      } else {
        bound.inputs.push_back(source.constant.view());
      }
    }
    for (std::size_t i = 0; i < step.outputs.size(); ++i) {
      bound.outputs.push_back({SlotMemory(step.outputs[i]), specs_[step.outputs[i]]});
      note(step.outputs[i], i, true);
    }
    bound_.push_back(std::move(bound));
  }
}

void* ExecutionContext::SlotMemory(int slot) const {
  const Slot& own = program_->slots[slot];
  switch (own.memory) {
    case ArrayMemory::kArena:
      return arena_.data<std::byte>() + own.offset;
    case ArrayMemory::kInput:
    case ArrayMemory::kGrowing:
    case ArrayMemory::kComputed:
    case ArrayMemory::kState:
      return memory_[slot];
    case ArrayMemory::kNone:
      return nullptr;
    case ArrayMemory::kView:
      break;
  }
  void* root = SlotMemory(own.root);
  return root == nullptr ? nullptr : static_cast<std::byte*>(root) + own.offset;
}

NdArray ExecutionContext::SlotArray(int slot) const { return NdArray::View(SlotMemory(slot), specs_[slot]); }

void ExecutionContext::BindSlot(int slot, void* memory) {
  memory_[slot] = memory;
  for (const Place& place : places_[slot]) {
    BoundStep& step = bound_[place.step];
    if (place.output) {
      step.outputs[place.index].data = SlotMemory(place.slot);
      step.outputs[place.index].spec = specs_[place.slot];
    } else {
      step.inputs[place.index].data = SlotMemory(place.slot);
      step.inputs[place.index].spec = specs_[place.slot];
    }
  }
}

void ExecutionContext::BindInputs(const std::vector<NdArray>& inputs) {
  for (std::size_t i = 0; i < program_->input_slots.size(); ++i) {
    const int slot = program_->input_slots[i];
    if (program_->slots[slot].memory != ArrayMemory::kInput || memory_[slot] == inputs[i].raw()) continue;
    BindSlot(slot, inputs[i].raw());
  }
  inputs_ = inputs;
}

void ExecutionContext::BindNext(const std::vector<NdArray>& next) {
  for (std::size_t i = 0; i < program_->replaced.size(); ++i) {
    const StateSlots& place = program_->replaced[i];
    if (place.made == StateSlots::Made::kBeside && memory_[place.slot] != next[i].raw())
      BindSlot(place.slot, next[i].raw());
  }
  next_ = next;
}

void ExecutionContext::BindGrowing(const std::vector<GrowingArray*>& growing) {
  for (std::size_t i = 0; i < program_->growing.size(); ++i) {
    const GrowingSlots& slots = program_->growing[i];
    GrowingArray& array = *growing[i];
    const auto axis = static_cast<std::size_t>(slots.input.axis);
    const int64_t length = array.length();
    const int64_t added = specs_[slots.added].shape[axis];
    array.Reserve(length + added);
    // The specs are changed in place, because new ones would take memory in each run.
    const auto bind = [&](int slot, int64_t first, int64_t extent) {
      specs_[slot].type = array.empty_spec().type;
      specs_[slot].shape[axis] = extent;
      specs_[slot].strides = array.strides();
      BindSlot(slot, array.At(first));
    };
    bind(slots.past, 0, length);
    bind(slots.added, length, added);
    bind(slots.whole, 0, length + added);
  }
}

void ExecutionContext::BindComputed(const RuntimeOperator& op, const RuntimeOperand& operand, int slot, Value& result) {
  const TensorSpec& planned = program_->slots[slot].spec;
  const auto describe = [&] {
    return result.Is<NdArray>() ? SpecString(result.Get<NdArray>().spec()) : KindName(result);
  };
  const VaryingOperand::Kind kind = program_->varying.at(&operand).kind;
  bool fits = result.Is<NdArray>();
  if (fits) {
    const NdArray& array = result.Get<NdArray>();
    fits = array.type() == planned.type && array.rank() == planned.rank() &&
           (kind == VaryingOperand::Kind::kShape || array.shape() == planned.shape);
  }
  if (!fits) {
    throw OtherShape(ErrorCode::kShape, "operator '" + op.name + "' (" + op.type + ") gives " + describe() +
                                            ", the plan for all lengths expects " + SpecString(planned));
  }
  // If the array's shape is fixed, the static steps that read it were planned for row-major order. If the shape varies,
  // they were planned for any strides whose rows have no gaps.
  const NdArray& array = result.Get<NdArray>();
  const bool gaps = array.rank() > 0 && array.shape().back() > 1 && array.strides().back() != 1;
  if (kind == VaryingOperand::Kind::kContents || gaps) result = array.Contiguous();
  specs_[slot] = result.Get<NdArray>().spec();
  BindSlot(slot, result.Get<NdArray>().raw());
}

void ExecutionContext::Heed(const RunOptions& options, std::size_t next) const {
  const auto stop = [&](ErrorCode code, const char* why) {
    throw Error(code, std::string("the run was stopped before operator '") +
                          program_->operators[program_->steps[next].op]->name + "', step " + std::to_string(next + 1) +
                          " of " + std::to_string(program_->steps.size()) + ": " + why);
  };
  if (options.cancel && options.cancel->cancelled()) stop(ErrorCode::kCancelled, "it was cancelled");
  if (options.deadline && std::chrono::steady_clock::now() >= *options.deadline) {
    stop(ErrorCode::kDeadline, "its deadline has passed");
  }
}

void ExecutionContext::Run(const RunArrays& arrays, const PlanningContext& planning, const RunOptions& options,
                           const StepObserver& observer) {
  Begin(arrays);
  RunBegun(planning, options, observer);
}

void ExecutionContext::RunBegun(const PlanningContext& planning, const RunOptions& options,
                                const StepObserver& observer) {
  using Clock = std::chrono::steady_clock;
  const FloatModeScope scope(FloatMode::Current().WithoutDenormals());
  for (std::size_t i = 0; i < program_->steps.size(); ++i) {
    const Step& step = program_->steps[i];
    Heed(options, i);
    const Clock::time_point start = observer ? Clock::now() : Clock::time_point{};
    const RuntimeOperator& op = *program_->operators[step.op];
    RunStep(i, planning);
    if (observer) observer(op, step, {start, Clock::now()});
    if (options.progress) options.progress({i + 1, program_->steps.size(), op.name, op.type});
  }
}

void ExecutionContext::Begin(const RunArrays& arrays) {
  BindInputs(arrays.inputs);
  BindNext(arrays.next);
  BindGrowing(arrays.growing);
  dynamic_.clear();
  dynamic_lists_.Clear();
}

void ExecutionContext::RunStep(std::size_t index, const PlanningContext& planning) {
  const Step& step = program_->steps[index];
  if (step.dynamic) return RunDynamic(step, planning);
  if (!step.call.run) return;
  if (step.update >= 0) SaveRows(step.update);
  const RuntimeOperator& op = *program_->operators[step.op];
  std::byte* workspace = arena_.data<std::byte>() + step.workspace_offset;
  const RunContext context{bound_[index].inputs.data(), bound_[index].outputs.data(), workspace};
  NamingOperator(op.name, op.type, [&] { step.call.run(context); });
}

void ExecutionContext::SaveRows(int update) {
  const StateUpdate& made = program_->updates[update];
  const BoundStep& step = bound_[made.step];
  const ChangedRows& changed = made.changed;
  const void* const array = step.inputs.front().data;
  std::byte* const saved = arena_.data<std::byte>() + made.saved_offset;
  if (changed.index >= 0) {
    kernel::SaveRows(changed.rows, step.inputs[changed.index], array, saved);
  } else {
    kernel::SaveRows(changed.rows, changed.first, array, saved);
  }
  saved_.push_back(update);
}

void ExecutionContext::UndoUpdates() {
  for (auto update = saved_.rbegin(); update != saved_.rend(); ++update) {  // two updates may have changed one row
    const StateUpdate& made = program_->updates[*update];
    kernel::RestoreRows(made.changed.rows, arena_.data<std::byte>() + made.saved_offset,
                        bound_[made.step].outputs[0].data);
  }
  saved_.clear();
}

void ExecutionContext::RunDynamic(const Step& step, const PlanningContext& planning) {
  const RuntimeOperator& op = *program_->operators[step.op];
  dynamic_lists_.CheckInputs(op);
  std::vector<Value> inputs;
  for (const auto& operand : op.input_operands_seq) inputs.push_back(Get(operand.get()));
  std::vector<Value> results;
  if (const auto* layer = dynamic_cast<const OperatorLayer*>(op.layer.get())) {
    results = Evaluate(layer->call(), inputs, planning.Here());
  } else if (const auto* own = dynamic_cast<const ArrayLayer*>(op.layer.get())) {
    results = RunArrayLayer(op, *own, inputs);
  } else {
    results = RunClassicLayer(op, inputs);
  }
  std::optional<std::vector<Value>> list;
  if (results.size() == 1 && results.front().Is<Value::List>()) list = results.front().Get<Value::List>();
  DealOutResults(op, results, std::move(list));
  const auto& operands = op.output_operands_seq;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    dynamic_lists_.Add(op, *operands[i], results[i]);
    const int* slot = program_->symbols.at(operands[i].get()).slot();
    if (slot != nullptr) BindComputed(op, *operands[i], *slot, results[i]);
    dynamic_[operands[i].get()] = std::move(results[i]);
  }
}

Value ExecutionContext::ToValue(const Symbol& symbol, const RuntimeOperand* operand) const {
  if (const Value* value = symbol.known()) return *value;
  if (const int* slot = symbol.slot()) return SlotArray(*slot);
  if (const Symbol::List* list = symbol.list()) {
    Value::List items;
    for (const Symbol& item : *list) items.push_back(ToValue(item, operand));
    return items;
  }
  const auto computed = dynamic_.find(operand);
  return computed == dynamic_.end() ? Value() : computed->second;
}

Value ExecutionContext::Get(const RuntimeOperand* operand) const {
  const auto symbol = program_->symbols.find(operand);
  return symbol == program_->symbols.end() ? Value() : ToValue(symbol->second, operand);
}

}  // namespace kuiper_infer
