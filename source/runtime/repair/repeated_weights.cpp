// SPDX-License-Identifier: MIT
#include <algorithm>

#include "runtime/repair/repairs.hpp"

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

}  // namespace

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

}  // namespace kuiper_infer
