// SPDX-License-Identifier: MIT
#include "quantization/grid_plan.hpp"

#include <algorithm>
#include <iterator>

#include "operation/operation.hpp"
#include "quantization/additions.hpp"
#include "quantization/search/layer_choice.hpp"
#include "runtime/preserved_operands.hpp"

namespace kuiper_infer::quantization {
namespace {

using Operands = std::vector<const pnnx::Operand*>;

/// The operands that have to be rounded so that this one is on a grid: each once, in no particular order.
Operands RootsOf(const pnnx::Operand* operand) {
  Operands roots;
  Operands waiting{operand};
  std::set<const pnnx::Operand*> seen{operand};
  while (!waiting.empty()) {
    const pnnx::Operand* const at = waiting.back();
    waiting.pop_back();
    const pnnx::Operator* const producer = at->producer;
    const auto preserved = producer == nullptr ? std::vector<pnnx::Operand*>() : PreservedOperands(*producer);
    if (preserved.empty()) roots.push_back(at);
    for (const pnnx::Operand* source : preserved) {
      if (seen.insert(source).second) waiting.push_back(source);
    }
  }
  return roots;
}

/// Sets of operands that share a grid. Two sets are merged if they share an operand.
class SharedGrids {
 public:
  void Join(const Operands& operands) {
    for (const pnnx::Operand* operand : operands) parents_.emplace(operand, operand);
    for (const pnnx::Operand* operand : operands) parents_[First(operand)] = First(operands.front());
  }

  bool Has(const pnnx::Operand* operand) const { return parents_.count(operand) != 0; }

  const pnnx::Operand* First(const pnnx::Operand* operand) const {
    while (parents_.at(operand) != operand) operand = parents_.at(operand);
    return operand;
  }

 private:
  std::map<const pnnx::Operand*, const pnnx::Operand*> parents_;
};

/// Whether the operator is an activation, which the layer before it can apply to its result.
bool IsActivation(const pnnx::Operator& op) {
  const std::vector<Operation>& rows = OperationTable::Instance().Find(op.type);
  return op.inputs.size() == 1 && std::any_of(rows.begin(), rows.end(), [](const Operation& row) {
           return row.values.kind == OutputValues::Kind::kUnary;
         });
}

/// The addition that produces this operand, perhaps followed by an activation; null if there is none.
const pnnx::Operator* AdditionBehind(const pnnx::Operand* operand) {
  const pnnx::Operator* op = operand->producer;
  if (op != nullptr && IsActivation(*op) && op->inputs.front()->consumers.size() == 1) {
    op = op->inputs.front()->producer;
  }
  return op != nullptr && IsAddition(*op) ? op : nullptr;
}

/// The term of a rounded sum that can be stored as integers although no layer reads it; null if there is none.
const pnnx::Operand* TermToRound(const pnnx::Operand* sum, const std::set<std::string>& layers,
                                 const SharedGrids& shared) {
  const pnnx::Operator* const addition = AdditionBehind(sum);
  if (addition == nullptr) return nullptr;
  for (const pnnx::Operand* term : addition->inputs) {
    const Operands roots = RootsOf(term);
    if (std::all_of(roots.begin(), roots.end(), [&](const pnnx::Operand* root) { return shared.Has(root); })) {
      return nullptr;
    }
    const bool only_here = term->consumers.size() == 1;
    if (!only_here || term->producer == nullptr || layers.count(term->producer->name) == 0) return nullptr;
  }
  const auto reads = [](const pnnx::Operand* term) { return term->producer->inputs.front(); };
  const bool side_by_side = reads(addition->inputs.front()) == reads(addition->inputs.back());
  return side_by_side ? nullptr : addition->inputs.back();
}

}  // namespace

GridPlan PlanGrids(const pnnx::Graph& graph, const std::set<std::string>& quantized) {
  SharedGrids shared;
  std::map<std::string, const pnnx::Operand*> reads;
  std::set<std::string> layers;
  for (const pnnx::Operator* op : graph.ops) {
    if (quantized.count(op->name) == 0 || WeightOf(*op).empty()) continue;
    layers.insert(op->name);
    const Operands roots = RootsOf(op->inputs.front());
    shared.Join(roots);
    reads[op->name] = roots.front();
  }
  Operands terms;
  for (const pnnx::Operand* operand : graph.operands) {
    if (!shared.Has(operand)) continue;
    if (const pnnx::Operand* term = TermToRound(operand, layers, shared)) terms.push_back(term);
  }
  for (const pnnx::Operand* term : terms) shared.Join({term});

  GridPlan plan;
  std::map<const pnnx::Operand*, std::size_t> grids;
  for (const pnnx::Operand* operand : graph.operands) {
    if (!shared.Has(operand)) continue;
    const auto [grid, added] = grids.emplace(shared.First(operand), plan.grids.size());
    if (added) plan.grids.emplace_back();
    plan.grids[grid->second].push_back(operand->name);
  }
  for (const auto& [layer, root] : reads) plan.grid_of[layer] = grids.at(shared.First(root));
  return plan;
}

}  // namespace kuiper_infer::quantization
