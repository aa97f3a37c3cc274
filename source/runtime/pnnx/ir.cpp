// SPDX-License-Identifier: MIT
#include "kuiper_infer/runtime/ir.h"

#include <algorithm>
#include <cstring>

#include "kuiper_infer/data/ndarray.hpp"
#include "kuiper_infer/utils/error.hpp"

namespace pnnx {
namespace {

using kuiper_infer::NdArray;
using kuiper_infer::RuntimeDataType;
using kuiper_infer::TensorSpec;

kuiper_infer::Shape ShapeOf(const Attribute& attribute) { return {attribute.shape.begin(), attribute.shape.end()}; }

}  // namespace

Attribute::Attribute(std::vector<int> attribute_shape, const std::vector<float>& values)
    : type(static_cast<int>(RuntimeDataType::kTypeFloat32)), shape(std::move(attribute_shape)) {
  set_float32_data(values);
}

std::size_t Attribute::elemsize() const { return kuiper_infer::ElementBytes(static_cast<RuntimeDataType>(type)); }

int64_t Attribute::elemcount() const { return kuiper_infer::ElementCount(ShapeOf(*this)); }

std::vector<float> Attribute::get_float32_data() const {
  const TensorSpec spec(static_cast<RuntimeDataType>(type), ShapeOf(*this));
  if (static_cast<int64_t>(data.size()) != kuiper_infer::ByteCount(spec.type, spec.shape)) {
    throw kuiper_infer::Error(kuiper_infer::ErrorCode::kArgument, "an attribute of " + SpecString(spec) + " holds " +
                                                                      std::to_string(data.size()) +
                                                                      " bytes, expected as many as its elements take");
  }
  const NdArray values = NdArray::View(const_cast<char*>(data.data()), spec).To(RuntimeDataType::kTypeFloat32);
  return {values.data<float>(), values.data<float>() + values.size()};
}

void Attribute::set_float32_data(const std::vector<float>& values) {
  if (static_cast<int64_t>(values.size()) != elemcount()) {
    throw kuiper_infer::Error(kuiper_infer::ErrorCode::kShape, std::to_string(values.size()) +
                                                                   " values for an attribute of shape " +
                                                                   kuiper_infer::ShapeString(ShapeOf(*this)));
  }
  NdArray source =
      NdArray::View(const_cast<float*>(values.data()), TensorSpec(RuntimeDataType::kTypeFloat32, ShapeOf(*this)));
  const NdArray converted = source.To(static_cast<RuntimeDataType>(type));
  data.resize(values.size() * elemsize());
  if (!data.empty()) std::memcpy(data.data(), converted.raw(), data.size());
}

void Operand::remove_consumer(const Operator* consumer) {
  const auto found = std::find(consumers.begin(), consumers.end(), consumer);
  if (found != consumers.end()) consumers.erase(found);
}

Operator* Graph::new_operator(const std::string& type, const std::string& name) {
  return new_operator_before(type, name, nullptr);
}

Operator* Graph::new_operator_before(const std::string& type, const std::string& name, const Operator* cur) {
  owned_ops_.push_back(std::make_unique<Operator>());
  Operator* op = owned_ops_.back().get();
  op->type = type;
  op->name = name;
  ops.insert(cur == nullptr ? ops.end() : std::find(ops.begin(), ops.end(), cur), op);
  return op;
}

Operator* Graph::new_operator_after(const std::string& type, const std::string& name, const Operator* cur) {
  const auto position = std::find(ops.begin(), ops.end(), cur);
  return new_operator_before(type, name,
                             position == ops.end() || position + 1 == ops.end() ? nullptr : *(position + 1));
}

Operand* Graph::new_operand(const std::string& name) {
  owned_operands_.push_back(std::make_unique<Operand>());
  Operand* operand = owned_operands_.back().get();
  operand->name = name;
  operands.push_back(operand);
  by_name_.emplace(name, operand);
  return operand;
}

Operand* Graph::get_operand(const std::string& name) {
  return const_cast<Operand*>(static_cast<const Graph&>(*this).get_operand(name));
}

const Operand* Graph::get_operand(const std::string& name) const {
  const auto found = by_name_.find(name);
  if (found != by_name_.end() && found->second->name == name) return found->second;
  // An operand that was renamed since it was made is not found by its key.
  const auto renamed =
      std::find_if(operands.begin(), operands.end(), [&](const Operand* operand) { return operand->name == name; });
  return renamed == operands.end() ? nullptr : *renamed;
}

}  // namespace pnnx
