// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "runtime/repair/constant.hpp"
#include "runtime/repair/repairs.hpp"

namespace kuiper_infer {
namespace {

constexpr char kKey[] = "data";

/// Whether an operator is a constant of integers, with the parameters of their format as further attributes.
bool IsQuantizedConstant(const pnnx::Operator& op) {
  return op.type == "pnnx.Attribute" && op.outputs.size() == 1 && op.attrs.count(kKey) != 0 && op.attrs.size() > 1;
}

/// Makes the attributes of a constant those of the weight of an operator that reads it as an input. If no other
/// operator reads the constant, its bytes move. Bytes that are still in the file become one weight of all readers.
void Give(pnnx::Operator& constant, pnnx::Operator& reader, std::size_t place) {
  const bool last = constant.outputs.front()->consumers.size() == 1;
  const std::string key = kKey;
  for (auto& [name, attribute] : constant.attrs) {
    if (name.compare(0, key.size(), key) != 0) continue;
    reader.attrs["weight" + name.substr(key.size())] = last ? std::move(attribute) : attribute;
  }
  const auto offset = static_cast<std::ptrdiff_t>(place);
  reader.inputs[place]->remove_consumer(&reader);
  reader.inputs.erase(reader.inputs.begin() + offset);
  if (place < reader.inputnames.size()) reader.inputnames.erase(reader.inputnames.begin() + offset);
}

}  // namespace

void DealOutQuantizedWeights(pnnx::Graph& graph) {
  std::set<const pnnx::Operator*> emptied;
  for (pnnx::Operator* op : graph.ops) {
    if (!IsQuantizedConstant(*op)) continue;
    const pnnx::Operand* const weight = op->outputs.front();
    for (pnnx::Operator* reader : std::vector<pnnx::Operator*>(weight->consumers)) {
      const auto place = WeightInputOf(*reader);
      if (!place || reader->inputs[*place] != weight) continue;
      Give(*op, *reader, *place);
      if (weight->consumers.empty()) emptied.insert(op);
    }
  }
  if (emptied.empty()) return;
  const auto made = [&](const pnnx::Operand* operand) { return emptied.count(operand->producer) != 0; };
  graph.operands.erase(std::remove_if(graph.operands.begin(), graph.operands.end(), made), graph.operands.end());
  const auto gone = [&](const pnnx::Operator* op) { return emptied.count(op) != 0; };
  graph.ops.erase(std::remove_if(graph.ops.begin(), graph.ops.end(), gone), graph.ops.end());
}

}  // namespace kuiper_infer
