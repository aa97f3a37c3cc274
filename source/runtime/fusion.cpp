// SPDX-License-Identifier: MIT
#include "runtime/fusion.hpp"

#include <algorithm>
#include <string>

#include "layer/details/convolution_chain.hpp"
#include "layer/details/elementwise_plan.hpp"

namespace kuiper_infer {
namespace {

/// Whether the step's only result is input `input` of `op`, and nobody else reads it.
bool IsOnlyReader(const Step& step, const ReaderCounts& readers, const RuntimeOperator& op, std::size_t input,
                  const Source& source) {
  return step.result != nullptr && step.outputs == std::vector<int>{source.slot} &&
         step.result == op.input_operands_seq[input].get() && readers.at(step.result) == 1;
}

/// The step whose only result is input `input` of `op`, which nobody else reads; null where there is none that can do
/// more work.
Step* FindProducer(Program& program, const ReaderCounts& readers, const RuntimeOperator& op, std::size_t input,
                   const Source& source) {
  if (source.slot < 0 || input >= op.input_operands_seq.size()) return nullptr;
  const Slot& slot = program.slots[source.slot];
  const auto producer = static_cast<std::size_t>(slot.first);
  if (slot.memory != Slot::Memory::kArena || producer >= program.steps.size()) return nullptr;
  Step& step = program.steps[producer];
  return step.run_fused && IsOnlyReader(step, readers, op, input, source) ? &step : nullptr;
}

/// The step planned last, if its only result is input `input` of `op`, which nobody else reads, and has memory of its
/// own; else null.
const Step* FindLast(const Program& program, const ReaderCounts& readers, const RuntimeOperator& op,
                     const std::vector<Source>& sources, std::size_t input = 0) {
  const bool exists = input < sources.size() && input < op.input_operands_seq.size();
  if (program.steps.empty() || !exists || sources[input].slot < 0) return nullptr;
  const Step& last = program.steps.back();
  const bool own = program.slots[sources[input].slot].memory == Slot::Memory::kArena;
  return own && IsOnlyReader(last, readers, op, input, sources[input]) ? &last : nullptr;
}

/// Takes the step planned last away: its only result is never written.
void DropLast(Program& program) {
  const Step& last = program.steps.back();
  program.slots[last.outputs.front()].memory = Slot::Memory::kNone;
  program.multiply_adds -= last.multiply_adds;
  program.steps.pop_back();
}

/// Whether an array exists, and keeps its contents, when step `index` runs.
bool IsReadyFor(const Program& program, const Source& source, int64_t index) {
  if (source.slot < 0) return false;
  const Slot& root = program.slots[program.RootOf(source.slot)];
  return root.memory == Slot::Memory::kInput || program.slots[source.slot].written < index;
}

int FuseActivation(Program& program, const ReaderCounts& readers, const RuntimeOperator& op,
                   const std::vector<Source>& sources, const OperationPlan& plan) {
  Step* step = FindProducer(program, readers, op, 0, sources.front());
  if (step == nullptr || plan.outputs.front().spec.shape != program.slots[sources.front().slot].spec.shape) return -1;
  step->fusion.activation = plan.activation;
  step->run = step->run_fused(step->fusion);
  step->run_fused = nullptr;  // nothing comes behind an activation
  step->result = op.output_operands_seq.front().get();
  return step->outputs.front();
}

int FuseAddition(Program& program, const ReaderCounts& readers, const RuntimeOperator& op,
                 const std::vector<Source>& sources) {
  if (sources.size() != 2 || sources[0].slot == sources[1].slot) return -1;
  for (std::size_t input = 0; input < 2; ++input) {
    Step* step = FindProducer(program, readers, op, input, sources[input]);
    const Source& other = sources[1 - input];
    const int64_t index = program.slots[std::max(sources[input].slot, 0)].first;
    if (step == nullptr || step->fusion.addend >= 0 || !IsReadyFor(program, other, index)) continue;
    Fusion fusion = step->fusion;
    fusion.addend = static_cast<int>(step->inputs.size());
    fusion.addend_spec = program.slots[other.slot].spec;
    auto run = step->run_fused(fusion);
    if (!run) continue;
    step->run = std::move(run);
    step->fusion = std::move(fusion);
    step->inputs.push_back(other);
    step->result = op.output_operands_seq.front().get();
    Slot& root = program.slots[program.RootOf(other.slot)];
    root.last = std::max(root.last, index);
    return step->outputs.front();
  }
  return -1;
}

}  // namespace

int FuseIntoProducer(Program& program, const ReaderCounts& readers, const RuntimeOperator& op,
                     const std::vector<Source>& sources, const OperationPlan& plan) {
  if (plan.activation.function != nullptr) return FuseActivation(program, readers, op, sources, plan);
  return plan.adds_inputs ? FuseAddition(program, readers, op, sources) : -1;
}

Fusion TakeOverFactor(Program& program, const ReaderCounts& readers, const RuntimeOperator& op,
                      std::vector<Source>& sources, OperationPlan& plan) {
  const Step* last = FindLast(program, readers, op, sources);
  if (!plan.run_fused || last == nullptr || last->product.array < 0) return {};
  const Source array = last->inputs[last->product.array];
  const Source factor = last->inputs[last->product.factor];
  if (array.slot < 0 || factor.slot < 0) return {};
  Fusion fusion;
  fusion.factor = static_cast<int>(sources.size());
  fusion.factor_spec = program.slots[factor.slot].spec;
  auto run = plan.run_fused(fusion);
  if (!run) return {};
  plan.run = std::move(run);
  program.symbols[last->result] = Symbol{array.slot};  // of the same shape
  DropLast(program);
  sources.front() = array;
  sources.push_back(factor);
  return fusion;
}

void TakeOverConvolution(Program& program, const ReaderCounts& readers, const RuntimeOperator& op,
                         std::vector<Source>& sources, OperationPlan& plan, int threads) {
  const Step* last = FindLast(program, readers, op, sources);
  if (plan.stages.size() != 1 || last == nullptr || last->stages.empty()) return;
  if (last->fusion.addend >= 0 || last->fusion.factor >= 0) return;
  std::vector<ConvolutionStage> stages = last->stages;
  stages.back().activation = last->fusion.activation;
  stages.push_back(plan.stages.front());
  // The own inputs but the first follow those of the step that is taken over.
  const auto inputs = static_cast<int>(last->inputs.size());
  if (stages.back().bias >= 0) stages.back().bias += inputs - 1;
  int64_t workspace_bytes = 0;
  auto run_fused = ChainConvolutions(stages, threads, workspace_bytes);
  if (!run_fused) return;
  plan.run_fused = std::move(run_fused);
  plan.run = plan.run_fused({});
  plan.workspace_bytes = workspace_bytes;
  plan.multiply_adds += last->multiply_adds;
  plan.method = last->method + ", " + plan.method;
  plan.stages = std::move(stages);
  std::vector<Source> all = last->inputs;
  all.insert(all.end(), sources.begin() + 1, sources.end());
  sources = std::move(all);
  DropLast(program);
}

void TakeOverElementwise(Program& program, const ReaderCounts& readers, const RuntimeOperator& op,
                         std::vector<Source>& sources, OperationPlan& plan) {
  if (plan.elementwise == nullptr) return;
  for (std::size_t input = 0; input < sources.size(); ++input) {
    const Step* last = FindLast(program, readers, op, sources, input);
    if (last == nullptr || last->elementwise == nullptr) continue;
    auto joined = JoinElementwise(*last->elementwise, static_cast<int>(last->inputs.size()), *plan.elementwise,
                                  static_cast<int>(input));
    if (!joined) return;
    plan = *std::move(joined);
    sources.erase(sources.begin() + static_cast<std::ptrdiff_t>(input));
    sources.insert(sources.begin(), last->inputs.begin(), last->inputs.end());
    DropLast(program);
    return;
  }
}

}  // namespace kuiper_infer
