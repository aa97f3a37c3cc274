// SPDX-License-Identifier: MIT
#include "runtime/repair/constant.hpp"

#include <algorithm>
#include <map>
#include <string>

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

std::optional<std::size_t> WeightInputOf(const pnnx::Operator& op) {
  static const std::map<std::string, std::size_t> kPlaces = {// in calls without names
                                                             {"F.linear", 1},
                                                             {"aten::linear", 1},
                                                             {"F.embedding", 1},
                                                             {"aten::embedding", 0}};
  const auto place = kPlaces.find(op.type);
  if (place == kPlaces.end() || op.attrs.count("weight") != 0) return std::nullopt;
  const auto begin = op.inputnames.begin();
  const auto end = op.inputnames.end();
  const bool named = std::any_of(begin, end, [](const std::string& name) { return !name.empty(); });
  const auto at = named ? static_cast<std::size_t>(std::find(begin, end, "weight") - begin) : place->second;
  const bool found = at < op.inputs.size() && (!named || at < op.inputnames.size());
  return found ? std::optional<std::size_t>(at) : std::nullopt;
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
