// SPDX-License-Identifier: MIT
#include "runtime/graph_repair.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <vector>

#include "kuiper_infer/utils/data_type.hpp"

namespace kuiper_infer {
namespace {

/// Whether the input holds what one of the operator's attributes holds.
bool RepeatsAttribute(const pnnx::Operator& op, const pnnx::Operand* input) {
  const pnnx::Operator* producer = input == nullptr ? nullptr : input->producer;
  if (producer == nullptr || producer->type != "pnnx.Attribute" || producer->attrs.size() != 1) return false;
  const pnnx::Attribute& constant = producer->attrs.begin()->second;
  return std::any_of(op.attrs.begin(), op.attrs.end(), [&](const auto& entry) {
    const pnnx::Attribute& own = entry.second;
    return own.type == constant.type && own.shape == constant.shape && own.data == constant.data;
  });
}

/// Where modules share a module that is a part of another one, the converter writes its weights twice: as attributes of
/// the operator and as inputs in front of those that PyTorch's module takes. The inputs go.
void DropRepeatedWeights(pnnx::Operator& op) {
  constexpr std::size_t kMostAttributes = 64;  // of a module; comparing more would take long
  if (op.type.compare(0, 3, "nn.") != 0 || op.attrs.size() > kMostAttributes) return;
  std::size_t repeated = 0;
  while (repeated < op.attrs.size() && repeated + 1 < op.inputs.size() && RepeatsAttribute(op, op.inputs[repeated])) {
    op.inputs[repeated++]->remove_consumer(&op);
  }
  const auto erase_front = [repeated](auto& list) {
    list.erase(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(std::min(repeated, list.size())));
  };
  erase_front(op.inputs);
  erase_front(op.inputnames);
}

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

/// The expression with each call of div, but not of a function whose name ends so, as one of floor_divide.
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
        // A list of indices has no element type; it is made of integers where all that it reads are.
        const bool list = !next->has_shape;
        if (list ? std::all_of(op.inputs.begin(), op.inputs.end(), HoldsIntegers) : HoldsIntegers(next)) {
          Rewrite(expression->second);
        }
        open.insert(open.end(), op.inputs.begin(), op.inputs.end());
      } else if (!op.inputs.empty() && Moves(op.type)) {
        open.push_back(op.inputs.front());
      }
    }
  }

 private:
  static bool Moves(const std::string& type) {
    static const std::set<std::string> kTypes{"torch.unsqueeze", "torch.squeeze",  "torch.flatten", "torch.transpose",
                                              "Tensor.expand",   "Tensor.reshape", "Tensor.view",   "Tensor.permute",
                                              "Tensor.repeat",   "torch.clone"};
    return kTypes.count(type) != 0;
  }

  static void Rewrite(pnnx::Parameter& expression) {
    expression.s = WithFloorDivision(expression.s);
    if (!expression.text.empty()) expression.text = WithFloorDivision(expression.text);
  }

  std::set<const pnnx::Operand*> seen_;
};

}  // namespace

void RepairGraph(pnnx::Graph& graph) {
  IndexRepair indices;
  for (pnnx::Operator* op : graph.ops) {
    DropRepeatedWeights(*op);
    indices.Follow(IndexOf(*op));
  }
}

}  // namespace kuiper_infer
