// SPDX-License-Identifier: MIT
// Value-preserving operators on arrays of a grid, in all cases. The planner has to know that their results lie on the
// grid: quantisation rounds arrays in front of these operators (quantization/grid_plan.hpp), and the layers behind them
// should read integers.
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "kuiper_infer/runtime/ir.h"
#include "kuiper_infer/runtime/runtime_graph.hpp"
#include "model/op_case.hpp"
#include "operation/planning_context.hpp"
#include "planning/passes.hpp"
#include "quantization/graph_edits.hpp"
#include "runtime/preserved_operands.hpp"

namespace kuiper_infer::test {
namespace {

using Operands = std::vector<pnnx::Operand*>;

/// A value-preserving operator of float arrays.
struct Preserving {
  std::string type;
  Operands sources;
  std::vector<std::string> results;
};

std::vector<Preserving> FindPreserving(const pnnx::Graph& graph) {
  const auto holds_floats = [](const pnnx::Operand* operand) {
    return static_cast<RuntimeDataType>(operand->type) == RuntimeDataType::kTypeFloat32;
  };
  std::vector<Preserving> found;
  for (const pnnx::Operator* op : graph.ops) {
    Preserving preserving{op->type, PreservedOperands(*op), {}};
    const Operands& sources = preserving.sources;
    if (sources.empty() || !std::all_of(sources.begin(), sources.end(), holds_floats)) continue;
    for (const pnnx::Operand* output : op->outputs) preserving.results.push_back(output->name);
    found.push_back(std::move(preserving));
  }
  return found;
}

/// Rounds the inputs of all value-preserving operators to one grid, and counts the operators whose results are on the
/// grid for the planner.
int CheckCase(const OpCase& op_case) {
  const std::string folder = WriteModel(op_case);
  auto file = std::make_unique<pnnx::Graph>();
  EXPECT_EQ(file->load(folder + "/model.param", folder + "/model.bin"), 0) << op_case.text();
  std::filesystem::remove_all(folder);
  const std::vector<Preserving> operators = FindPreserving(*file);
  std::map<std::string, std::vector<std::string>> sources;
  std::set<pnnx::Operand*> rounded;
  for (const Preserving& op : operators) {
    for (pnnx::Operand* source : op.sources) {
      if (rounded.insert(source).second) quantization::InsertQuantize(*file, source, {0.25F, 3, 0, 255});
      for (const std::string& result : op.results) sources[result].push_back(source->name);
    }
  }
  RuntimeGraph graph(std::move(file));
  graph.Build();
  std::vector<TensorSpec> specs;
  const std::vector<NdArray> inputs = Arrays(op_case, "in");
  for (const std::string& name : graph.input_names()) specs.push_back(InputFor(name, inputs).spec());
  const PlanningGraph plan = PlanGraph(graph.get_topo_queues(), specs, false, DefaultPlanningContext());

  std::map<std::string, const Symbol*> symbols;
  for (const auto& [operand, symbol] : plan.symbols) symbols[operand->name] = &symbol;
  const auto is_constant = [&](const std::string& operand) {
    return symbols.count(operand) != 0 && symbols[operand]->known() != nullptr;
  };
  int found = 0;
  for (const Preserving& op : operators) {
    for (const std::string& result : op.results) {
      const std::vector<std::string>& read = sources[result];
      // Constants have no grid, and an operator that nothing depends on is not planned.
      if (symbols.count(result) == 0 || std::any_of(read.begin(), read.end(), is_constant)) continue;
      ForEachArray(*symbols[result], [&](int array) {
        EXPECT_TRUE(plan.StorageOf(array).grid) << op_case.text() << ": " << op.type << " makes " << result;
        ++found;
      });
    }
  }
  return found;
}

TEST(PreservedGridsTest, ThePlannerFindsTheGridOfWhatValuePreservingOperatorsMake) {
  int found = 0;
  ForEachOpCase([&](const OpCase& op_case) { found += CheckCase(op_case); });
  EXPECT_GT(found, 900);
}

}  // namespace
}  // namespace kuiper_infer::test
