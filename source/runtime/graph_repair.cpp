// SPDX-License-Identifier: MIT
#include "runtime/graph_repair.hpp"

#include <string>
#include <vector>

#include "runtime/repair/repairs.hpp"

namespace kuiper_infer {

std::vector<std::string> ListItems(const pnnx::Parameter& parameter) {
  std::vector<std::string> items = parameter.as;
  for (const int item : parameter.ai) items.push_back(std::to_string(item));
  return items;
}

void InsertUnusedOutput(pnnx::Graph& graph, pnnx::Operator& op, std::size_t position) {
  pnnx::Operand* operand = graph.new_operand(op.name + ".unused" + std::to_string(position));
  operand->producer = &op;
  op.outputs.insert(op.outputs.begin() + static_cast<std::ptrdiff_t>(position), operand);
}

std::vector<std::string> RepairGraph(pnnx::Graph& graph) {
  std::vector<std::string> warnings;
  for (pnnx::Operator* op : graph.ops) {
    DropRepeatedWeights(*op);
    RepairSliceDims(*op);
    RepairIndexShape(*op, warnings);
    NameSamePadding(*op);
    RepairRecurrentOperands(graph, *op);
    RepairAttentionOutputs(graph, *op);
    ClearPaddingMask(*op);
    JoinQuantizedPair(*op);
    JoinQuantizedWeight(*op);
    FindWrittenConstant(*op, warnings);
  }
  DealOutQuantizedWeights(graph);
  RoundIndexDivisions(graph);
  return warnings;
}

}  // namespace kuiper_infer
