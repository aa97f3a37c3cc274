// SPDX-License-Identifier: MIT
#include "runtime/repair/constant.hpp"

#include "data/stored_bytes.hpp"

namespace kuiper_infer {

std::vector<char> BytesOf(const pnnx::Attribute& attribute) {
  if (attribute.stored == nullptr) return attribute.data;
  std::vector<char> bytes(attribute.stored->size());
  ReadAll(*attribute.stored, bytes.data());
  return bytes;
}

pnnx::Attribute* ConstantOf(const pnnx::Operand* operand) {
  pnnx::Operator* producer = operand == nullptr ? nullptr : operand->producer;
  const bool constant = producer != nullptr && producer->type == "pnnx.Attribute" && producer->attrs.size() == 1;
  return constant ? &producer->attrs.begin()->second : nullptr;
}

pnnx::Attribute* FoldedConstantOf(const pnnx::Operand* operand) {
  pnnx::Attribute* constant = ConstantOf(operand);
  return constant != nullptr && operand->producer->name.rfind("pnnx_fold_", 0) == 0 ? constant : nullptr;
}

std::vector<float> FloatsOf(const pnnx::Attribute& attribute) {
  constexpr int kFloat32 = 1;
  constexpr int kFloat16 = 3;
  if (attribute.type < kFloat32 || attribute.type > kFloat16) return {};
  pnnx::Attribute loaded;
  loaded.type = attribute.type;
  loaded.shape = attribute.shape;
  loaded.data = BytesOf(attribute);
  const bool whole = loaded.data.size() == static_cast<std::size_t>(loaded.elemcount()) * loaded.elemsize();
  return whole ? loaded.get_float32_data() : std::vector<float>();
}

}  // namespace kuiper_infer
