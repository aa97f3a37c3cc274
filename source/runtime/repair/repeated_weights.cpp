// SPDX-License-Identifier: MIT
#include <algorithm>

#include "data/stored_bytes.hpp"
#include "runtime/repair/constant.hpp"
#include "runtime/repair/repairs.hpp"

namespace kuiper_infer {
namespace {

bool HoldSame(const pnnx::Attribute& a, const pnnx::Attribute& b) {
  if (a.type != b.type || a.shape != b.shape) return false;
  if (a.stored == nullptr && b.stored == nullptr) return a.data == b.data;
  const bool differ = a.stored != nullptr && b.stored != nullptr && a.stored->crc() != b.stored->crc();
  return !differ && BytesOf(a) == BytesOf(b);
}

/// Whether the input has the contents of one of the operator's attributes.
bool RepeatsAttribute(const pnnx::Operator& op, const pnnx::Operand* input) {
  const pnnx::Attribute* constant = ConstantOf(input);
  return constant != nullptr && std::any_of(op.attrs.begin(), op.attrs.end(),
                                            [&](const auto& entry) { return HoldSame(entry.second, *constant); });
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
