// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <vector>

#include "kuiper_infer/utils/data_type.hpp"
#include "runtime/preserved_operands.hpp"
#include "runtime/repair/repairs.hpp"

namespace kuiper_infer {
namespace {

/// The operand that `op` takes as indices, or null.
pnnx::Operand* IndexOf(const pnnx::Operator& op) {
  if (op.inputs.empty()) return nullptr;
  if (op.type == "nn.Embedding" || op.type == "F.embedding") return op.inputs.front();
  for (std::size_t i = 0; i < op.inputs.size() && i < op.inputnames.size(); ++i) {
    const std::string& name = op.inputnames[i];
    if (name == "index" || name == "indices" || (name == "expr" && op.type == "Tensor.index")) return op.inputs[i];
  }
  return nullptr;
}

bool HoldsIntegers(const pnnx::Operand* operand) {
  return operand != nullptr && IsInteger(static_cast<RuntimeDataType>(operand->type));
}

/// The expression with floor_divide in the place of div. Functions whose names only end with "div" stay.
std::string WithFloorDivision(const std::string& expression) {
  std::string text;
  for (std::size_t at = 0; at < expression.size();) {
    const bool begins =
        at == 0 || (std::isalpha(static_cast<unsigned char>(expression[at - 1])) == 0 && expression[at - 1] != '_');
    if (begins && expression.compare(at, 4, "div(") == 0) {
      text += "floor_divide(";
      at += 4;
    } else {
      text += expression[at++];
    }
  }
  return text;
}

/// Follows an index to the expressions that compute it, through operators that only move elements and through lists.
class IndexRepair {
 public:
  void Follow(pnnx::Operand* operand) {
    std::vector<pnnx::Operand*> open{operand};
    while (!open.empty()) {
      pnnx::Operand* next = open.back();
      open.pop_back();
      if (next == nullptr || next->producer == nullptr || !seen_.insert(next).second) continue;
      pnnx::Operator& op = *next->producer;
      const auto expression = op.params.find("expr");
      if (op.type == "pnnx.Expression" && expression != op.params.end()) {
        // A list of indices has no element type; it consists of integers if all operands that it reads do.
        const bool list = !next->has_shape;
        if (list ? std::all_of(op.inputs.begin(), op.inputs.end(), HoldsIntegers) : HoldsIntegers(next)) {
          Rewrite(expression->second);
        }
        open.insert(open.end(), op.inputs.begin(), op.inputs.end());
      } else {
        const std::vector<pnnx::Operand*> preserved = PreservedOperands(op);
        open.insert(open.end(), preserved.begin(), preserved.end());
      }
    }
  }

 private:
  static void Rewrite(pnnx::Parameter& expression) {
    expression.s = WithFloorDivision(expression.s);
    if (!expression.text.empty()) expression.text = WithFloorDivision(expression.text);
  }

  std::set<const pnnx::Operand*> seen_;
};

}  // namespace

void RoundIndexDivisions(pnnx::Graph& graph) {
  IndexRepair indices;
  for (const pnnx::Operator* op : graph.ops) indices.Follow(IndexOf(*op));
}

}  // namespace kuiper_infer
