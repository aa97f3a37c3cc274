// SPDX-License-Identifier: MIT
#include "runtime/executor.hpp"

#include <algorithm>
#include <chrono>

#include "data/mapped_array.hpp"
#include "kuiper_infer/layer/abstract/operator_layer.hpp"
#include "operation/operator_errors.hpp"
#include "planning/array_layer_plan.hpp"
#include "runtime/classic_layer.hpp"
#include "utils/float_mode.hpp"

namespace kuiper_infer {

ExecutionContext::ExecutionContext(std::shared_ptr<const Program> program)
    : program_(std::move(program)),
      arena_(MappedArray(RuntimeDataType::kTypeUInt8, {program_->arena_bytes})),
      input_memory_(program_->slots.size(), nullptr) {
  for (const Step& step : program_->steps) {
    BoundStep bound;
    for (const Source& source : step.inputs) {
      if (source.slot >= 0) {
        bound.inputs.push_back({SlotMemory(source.slot), program_->slots[source.slot].spec});
      } else {
        bound.inputs.push_back(source.constant.view());
      }
    }
    for (const int slot : step.outputs) bound.outputs.push_back({SlotMemory(slot), program_->slots[slot].spec});
    bound_.push_back(std::move(bound));
  }
}

void* ExecutionContext::SlotMemory(int slot) const {
  const Slot& own = program_->slots[slot];
  if (own.memory == ArrayMemory::kArena) return arena_.data<std::byte>() + own.offset;
  if (own.memory == ArrayMemory::kInput) return input_memory_[slot];
  if (own.memory == ArrayMemory::kNone) return nullptr;
  void* root = SlotMemory(own.root);
  return root == nullptr ? nullptr : static_cast<std::byte*>(root) + own.offset;
}

NdArray ExecutionContext::SlotArray(int slot) const {
  return NdArray::View(SlotMemory(slot), program_->slots[slot].spec);
}

void ExecutionContext::BindInputs(const std::vector<NdArray>& inputs) {
  const bool same = inputs_.size() == inputs.size() &&
                    std::equal(inputs.begin(), inputs.end(), inputs_.begin(),
                               [](const NdArray& a, const NdArray& b) { return a.raw() == b.raw(); });
  if (same) return;
  inputs_ = inputs;
  for (std::size_t i = 0; i < program_->input_slots.size(); ++i) {
    input_memory_[program_->input_slots[i]] = inputs_[i].raw();
  }
  for (std::size_t i = 0; i < program_->steps.size(); ++i) {
    const Step& step = program_->steps[i];
    for (std::size_t k = 0; k < step.inputs.size(); ++k) {
      if (step.inputs[k].slot < 0) continue;
      const int slot = step.inputs[k].slot;
      if (program_->slots[program_->RootOf(slot)].memory == ArrayMemory::kInput)
        bound_[i].inputs[k].data = SlotMemory(slot);
    }
  }
}

/// Throws before step `next` if the run was asked to stop or its deadline has passed.
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

void ExecutionContext::Run(const std::vector<NdArray>& inputs, const PlanningContext& planning,
                           const RunOptions& options, const StepObserver& observer) {
  using Clock = std::chrono::steady_clock;
  const FloatModeScope scope(FloatMode::Current().WithoutDenormals());
  BindInputs(inputs);
  dynamic_.clear();
  dynamic_lists_.Clear();
  for (std::size_t i = 0; i < program_->steps.size(); ++i) {
    const Step& step = program_->steps[i];
    Heed(options, i);
    const Clock::time_point start = observer ? Clock::now() : Clock::time_point{};
    const RuntimeOperator& op = *program_->operators[step.op];
    if (step.dynamic) {
      RunDynamic(step, planning);
    } else if (step.call.run) {
      std::byte* workspace = arena_.data<std::byte>() + step.workspace_offset;
      const RunContext context{bound_[i].inputs.data(), bound_[i].outputs.data(), workspace};
      NamingOperator(op.name, op.type, [&] { step.call.run(context); });
    }
    if (observer) observer(op, step, {start, Clock::now()});
    if (options.progress) options.progress({i + 1, program_->steps.size(), op.name, op.type});
  }
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
