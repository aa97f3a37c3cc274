// SPDX-License-Identifier: MIT
#include "runtime/output_specs.hpp"

#include <unordered_map>

#include "planning/list_budget.hpp"
#include "runtime/runner.hpp"

namespace kuiper_infer {
namespace {

using Symbols = std::map<const RuntimeOperand*, Symbol>;

/// Collects the arrays that operands stand for. `symbols` says what a plan knows, and `arrays` holds the specs of its
/// slots; without a plan both are empty.
class SpecCollector {
 public:
  SpecCollector(const Operators& operators, const Symbols& symbols, std::vector<TensorSpec> arrays)
      : symbols_(symbols), arrays_(std::move(arrays)) {
    for (const auto& op : operators) {
      const bool joins = op->type == "prim::TupleConstruct" || op->type == "prim::ListConstruct";
      if (joins && op->output_operands_seq.size() == 1) joined_[op->output_operands_seq.front().get()] = op.get();
    }
  }

  std::vector<TensorSpec> Collect(const RuntimeOperand& operand) {
    specs_.clear();
    visited_ = 0;
    Add(operand, 0);
    return std::move(specs_);
  }

 private:
  void Add(const RuntimeOperand& operand, int depth) {
    if (depth > ListBudget::kDeepest || ++visited_ > ListBudget::kMostEntries) {
      throw Error(ErrorCode::kResource, "operand '" + operand.name + "': tuples are nested deeper than " +
                                            std::to_string(ListBudget::kDeepest) + " or hold more than " +
                                            std::to_string(ListBudget::kMostEntries) + " entries");
    }
    if (const auto joined = joined_.find(&operand); joined != joined_.end()) {
      for (const auto& item : joined->second->input_operands_seq) Add(*item, depth + 1);
      return;
    }
    const auto symbol = symbols_.find(&operand);
    const Symbol::Dynamic* unknown = symbol == symbols_.end() ? nullptr : symbol->second.dynamic();
    if (symbol != symbols_.end() && unknown == nullptr) {
      Add(symbol->second);
    } else if (operand.has_shape) {
      TensorSpec recorded;
      recorded.type = operand.type;
      recorded.shape.assign(operand.shapes.begin(), operand.shapes.end());
      if (unknown != nullptr && unknown->free_shape) recorded.shape.assign(recorded.shape.size(), -1);
      specs_.push_back(std::move(recorded));
    } else {
      specs_.emplace_back();
    }
  }

  void Add(const Symbol& symbol) {
    if (const int* slot = symbol.slot()) {
      const TensorSpec& spec = arrays_[static_cast<std::size_t>(*slot)];
      specs_.emplace_back(spec.type, spec.shape);
    } else if (const Value* known = symbol.known()) {
      std::vector<NdArray> arrays;
      FlattenArrays(*known, arrays);
      for (const NdArray& array : arrays) specs_.emplace_back(array.type(), array.shape());
    } else if (const Symbol::List* list = symbol.list()) {
      for (const Symbol& item : *list) Add(item);
    } else {
      specs_.emplace_back();
    }
  }

  const Symbols& symbols_;
  std::vector<TensorSpec> arrays_;
  std::unordered_map<const RuntimeOperand*, const RuntimeOperator*>
      joined_;  ///< the operator that makes a tuple or list of operands
  std::vector<TensorSpec> specs_;
  int64_t visited_ = 0;
};

OutputSpecs CollectOutputs(const BuiltGraph& graph, const Symbols& symbols, std::vector<TensorSpec> arrays) {
  SpecCollector collector(graph.operators, symbols, std::move(arrays));
  OutputSpecs outputs;
  if (!graph.states.empty()) {
    outputs.resize(graph.outputs.size());
    for (std::size_t i = 0; i < graph.states.outputs.size(); ++i) {
      if (graph.states.OfOutput(i) != nullptr) continue;
      const FlatOutput& output = graph.states.outputs[i];
      for (TensorSpec& spec : collector.Collect(*output.operand)) outputs[output.output].push_back(std::move(spec));
    }
    return outputs;
  }
  for (const auto& output : graph.outputs) {
    const auto& operands = output->input_operands_seq;  // Build refuses a graph with more or fewer than one
    outputs.push_back(operands.size() == 1 ? collector.Collect(*operands.front()) : std::vector<TensorSpec>(1));
  }
  return outputs;
}

}  // namespace

OutputSpecs PlannedOutputs(const BuiltGraph& graph, const Program& program) {
  std::vector<TensorSpec> arrays;
  for (const Slot& slot : program.slots) arrays.push_back(slot.spec);
  return CollectOutputs(graph, program.symbols, std::move(arrays));
}

OutputSpecs PlannedOutputs(const BuiltGraph& graph, const PlanningGraph& planned) {
  std::vector<TensorSpec> arrays;
  for (const PlannedArray& array : planned.arrays) arrays.push_back(array.spec);
  return CollectOutputs(graph, planned.symbols, std::move(arrays));
}

OutputSpecs RecordedOutputs(const BuiltGraph& graph) { return CollectOutputs(graph, {}, {}); }

}  // namespace kuiper_infer
