// SPDX-License-Identifier: MIT
#include "data/bool_bytes.hpp"
#include "kuiper_infer/runtime/runtime_op.hpp"
#include "operation/binder.hpp"
#include "operation/classic_parameters.hpp"
#include "operation/half_results.hpp"
#include "operation/weights/quantized_weight.hpp"

namespace kuiper_infer {
namespace {

/// The attribute's weight, which takes its bytes over.
std::shared_ptr<Weight> WeightOf(const std::string& type, const std::string& key, RuntimeAttribute& attribute) {
  if (attribute.weight != nullptr) return attribute.weight;
  const TensorSpec spec(attribute.type, Shape(attribute.shape.begin(), attribute.shape.end()));
  const int64_t expected = ByteCount(spec.type, spec.shape);
  if (static_cast<int64_t>(attribute.weight_data.size()) != expected) {
    throw BindError("attribute '" + key + "' holds " + std::to_string(attribute.weight_data.size()) +
                        " bytes, expected " + std::to_string(expected) + " for " + SpecString(spec),
                    key, true);
  }
  const auto bytes = std::make_shared<std::vector<char>>(std::move(attribute.weight_data));
  const NdArray array = NdArray::View(bytes->data(), spec, bytes);
  MakeBoolBytes(array);
  const bool widens = IsHalf(spec.type) && type != "pnnx.Attribute" && kernel::FindParameter(key) == nullptr;
  attribute.weight = std::make_shared<Weight>(widens ? array.To(RuntimeDataType::kTypeFloat32) : array);
  return attribute.weight;
}

}  // namespace

OperatorCall MakeOperatorCall(const RuntimeOperator& op) {
  OperatorCall call;
  call.name = op.name;
  call.type = op.type;
  call.params = ParameterValues(op);
  for (const auto& [key, attribute] : op.attribute) {
    if (attribute == nullptr) continue;
    if (attribute->type == RuntimeDataType::kTypeUnknown) {
      call.untyped_attributes.push_back(key);
    } else {
      call.attributes[key] = WeightOf(call.type, key, *attribute);
    }
  }
  JoinQuantizedWeights(call.attributes);
  call.input_names = op.input_names;
  call.input_count = static_cast<int>(op.input_operands_seq.size());
  call.output_count = static_cast<int>(op.output_operands_seq.size());
  if (!op.output_operands_seq.empty() && op.output_operands_seq.front() != nullptr) {
    const RuntimeOperand& output = *op.output_operands_seq.front();
    call.recorded = {output.type, output.has_shape ? static_cast<int64_t>(output.shapes.size()) : -1};
  }
  return call;
}

}  // namespace kuiper_infer
