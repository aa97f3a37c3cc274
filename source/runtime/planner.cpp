// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>

#include "kuiper_infer/layer/abstract/operator_layer.hpp"
#include "layer/abstract/half_results.hpp"
#include "layer/abstract/operator_errors.hpp"
#include "runtime/arena.hpp"
#include "runtime/fusion.hpp"
#include "runtime/placement.hpp"
#include "runtime/program_builder.hpp"

namespace kuiper_infer {
namespace {

bool ContainsDynamic(const Symbol& symbol) {
  const Symbol::List* list = symbol.list();
  return symbol.dynamic() || (list != nullptr && std::any_of(list->begin(), list->end(), ContainsDynamic));
}

Value ToValue(const Symbol& symbol) {
  if (const Value* value = symbol.known()) return *value;
  Value::List items;
  if (symbol.list() != nullptr) {
    for (const Symbol& item : *symbol.list()) items.push_back(ToValue(item));
  }
  return items;
}

/// What a step keeps of a constant; a weight that it has in packed form is given up here.
NdArray KeptValues(const OperationPlan& plan, const TensorArgument& constant) {
  for (const OperationPlan::PackedInput& packed : plan.packed_inputs) {
    if (packed.input != constant.input) continue;
    if (packed.restore) constant.weight->ReplaceBy(packed.restore);
    return NdArray::View(nullptr, constant.spec, constant.weight);
  }
  return constant.values();
}

class Planner {
 public:
  Planner(const Operators& order, const std::vector<TensorSpec>& inputs, bool keep_all, const Placements& placements,
          const PlanningContext& context)
      : context_(context),
        keep_all_(keep_all),
        placer_(placements),
        builder_(order, inputs),
        program_(builder_.program()) {
    for (const auto& op : order) {
      for (const auto& operand : op->input_operands_seq) ++readers_[operand.get()];
    }
  }

  Program Run() {
    for (std::size_t i = 0; i < program_.operators.size(); ++i) PlanOperator(i);
    for (const auto& output : OutputOperators(program_.operators)) {
      const RuntimeOperand* operand = output->input_operands_seq.front().get();
      program_.output_operands.push_back(operand);
      builder_.KeepToEnd(builder_.symbol(*operand));
    }
    PlaceInArena(program_, keep_all_);
    return std::move(program_);
  }

 private:
  void PlanOperator(std::size_t index) {
    const RuntimeOperator& op = *program_.operators[index];
    if (op.type == "pnnx.Input" || op.type == "pnnx.Output") return;
    builder_.CheckLists(op);
    const auto* layer = dynamic_cast<const OperatorLayer*>(op.layer.get());
    bool dynamic = layer == nullptr;
    for (const auto& operand : op.input_operands_seq) dynamic = dynamic || ContainsDynamic(builder_.symbol(*operand));
    try {
      if (dynamic || !PlanStatic(index, op, *layer)) PlanDynamic(index, op);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kShape) throw;
      throw Error(error.code(), error.what() + NameConstants(op));
    }
  }

  /// False when shapes or arguments depend on data.
  bool PlanStatic(std::size_t index, const RuntimeOperator& op, const OperatorLayer& layer) {
    const InputLayout layout = LayoutOf(op.type);
    std::vector<Source> sources;
    std::vector<Argument> arguments;
    for (const auto& operand : op.input_operands_seq) {
      arguments.push_back(builder_.ToArgument(index, builder_.symbol(*operand), layout, sources));
    }
    const bool computed = std::any_of(sources.begin(), sources.end(), [](const Source& s) { return s.slot >= 0; });
    const bool half = std::any_of(sources.begin(), sources.end(), [this](const Source& source) {
      return IsHalf(source.slot >= 0 ? program_.slots[source.slot].spec.type : source.constant.type());
    });
    if (half && computed) return false;
    if (!computed && !IsRandom(op.type)) {
      FoldConstant(op, layer);
      return true;
    }
    auto plan = NamingOperator(op.name, op.type, [&]() -> std::optional<OperationPlan> {
      const Binding binding = Bind(layer.call(), arguments, static_cast<int>(sources.size()), context_);
      if (binding.needs_values || binding.operation->kind == OperationKind::kDataDependent) return std::nullopt;
      OperationPlan made = MakePlan(binding);
      if (made.data_dependent) return std::nullopt;
      for (const TensorArgument& constant : binding.constants) sources.push_back({-1, KeptValues(made, constant)});
      return made;
    });
    if (!plan) return false;
    AddPlan(index, op, *std::move(plan), std::move(sources));
    return true;
  }

  /// By the step before, or by a step of its own, or by none where all results are views.
  void AddPlan(std::size_t index, const RuntimeOperator& op, OperationPlan plan, std::vector<Source> sources) {
    const bool fuses = context_.fuses && !keep_all_;
    if (const int slot = !fuses ? -1 : FuseIntoProducer(program_, readers_, op, sources, plan); slot >= 0) {
      builder_.SetOutputs(op, {Symbol{slot}});
      placer_.Place(program_, op, slot);
      return;
    }
    Step step;
    if (fuses) {
      step.fusion = TakeOverFactor(program_, readers_, op, sources, plan);
      if (step.fusion.factor < 0) TakeOverConvolution(program_, readers_, op, sources, plan, context_.threads);
      TakeOverElementwise(program_, readers_, op, sources, plan);
    }
    std::vector<Symbol> results;
    if (const int slot = placer_.FindTarget(program_, op, plan); slot >= 0) {
      step.outputs = {slot};
      results = {Symbol{slot}};
    } else if (const int view = FindNeighbours(program_, plan, sources); view >= 0) {
      results = {Symbol{view}};
    } else {
      for (const OutputPlan& output : plan.outputs) results.push_back(builder_.ToSymbol(output, sources, step.outputs));
    }
    builder_.SetOutputs(op, std::move(results));
    if (step.outputs.empty()) return;
    step.op = index;
    step.run = std::move(plan.run);
    step.inputs = std::move(sources);
    step.workspace_bytes = plan.workspace_bytes;
    step.multiply_adds = plan.multiply_adds;
    step.method = std::move(plan.method);
    step.run_fused = std::move(plan.run_fused);
    step.product = plan.product;
    step.pieces = std::move(plan.pieces);
    step.stages = std::move(plan.stages);
    step.elementwise = std::move(plan.elementwise);
    step.strided_output = plan.strided_output;
    if (op.output_operands_seq.size() == 1) step.result = op.output_operands_seq.front().get();
    builder_.AddStep(std::move(step));
    const Step& added = program_.steps.back();
    if (added.result != nullptr && added.outputs.size() == 1) placer_.Place(program_, op, added.outputs.front());
  }

  /// All inputs are known: the operator is computed once, now.
  void FoldConstant(const RuntimeOperator& op, const OperatorLayer& layer) {
    std::vector<Value> inputs;
    for (const auto& operand : op.input_operands_seq) inputs.push_back(ToValue(builder_.symbol(*operand)));
    std::vector<Symbol> results;
    for (Value& value : Evaluate(layer.call(), inputs, context_)) results.push_back({std::move(value)});
    builder_.SetOutputs(op, std::move(results));
  }

  void PlanDynamic(std::size_t index, const RuntimeOperator& op) {
    for (const auto& operand : op.input_operands_seq) builder_.KeepToEnd(builder_.symbol(*operand));
    Step step;
    step.op = index;
    step.dynamic = true;
    for (const auto& operand : op.output_operands_seq) program_.symbols[operand.get()] = Symbol{Symbol::Dynamic{}};
    builder_.AddStep(std::move(step));
  }

  /// For messages about shapes: which of the operator's inputs are constants of the file, made for the input shapes
  /// that were recorded.
  std::string NameConstants(const RuntimeOperator& op) const {
    std::string names;
    for (const auto& operand : op.input_operands_seq) {
      for (const auto& producer : program_.operators) {
        const auto& results = producer->output_operands_seq;
        const bool constant = producer->type == "pnnx.Attribute" && results.size() == 1 && results.front() == operand;
        if (constant) names += "; input '" + operand->name + "' is the constant of operator '" + producer->name + "'";
      }
    }
    return names;
  }

  const PlanningContext& context_;
  bool keep_all_;
  Placer placer_;
  ProgramBuilder builder_;
  Program& program_;
  ReaderCounts readers_;
};

}  // namespace

Program PlanProgram(const Operators& order, const std::vector<TensorSpec>& inputs, bool keep_all,
                    const PlanningContext& context) {
  const Operators used = keep_all ? order : WithoutDead(order);
  const Placements none;
  Program plain = Planner(used, inputs, keep_all, none, context).Run();
  const Placements placements = keep_all || !context.places ? Placements{} : FindPlacements(plain);
  if (placements.empty()) return plain;
  Program placed = Planner(used, inputs, keep_all, placements, context).Run();
  // A result that is alive from its first part on may need more memory than its parts.
  constexpr double kMostGrowth = 1.2;
  const bool larger = static_cast<double>(placed.arena_bytes) > kMostGrowth * static_cast<double>(plain.arena_bytes);
  return larger ? plain : placed;
}

}  // namespace kuiper_infer
