// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>
#include <string>

#include "operation/operation.hpp"

namespace kuiper_infer {
namespace {

/// Plans an array with the argument's bytes as elements of another type. If an element then has more or fewer bytes,
/// the last axis has fewer or more elements.
OperationPlan PlanViewType(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  const RuntimeDataType type = arguments.Type("dtype");
  const auto from = static_cast<int64_t>(ElementBytes(input.spec.type));
  const auto to = static_cast<int64_t>(ElementBytes(type));
  arguments.Require(to > 0, "dtype is None, expected an element type");
  Shape shape = input.spec.shape;
  if (from != to) {
    arguments.Require(!shape.empty() && shape.back() * from % to == 0,
                      "input is " + SpecString(input.spec) +
                          ", expected a last axis whose bytes are elements of type " + TypeName(type));
    shape.back() = shape.back() * from / to;
  }
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(type, shape)};
  const auto bytes = static_cast<std::size_t>(input.spec.size() * from);
  const bool bools = type == RuntimeDataType::kTypeBool;  // bytes of other types become 0 or 1
  plan.run = [bytes, bools, index = input.input](const RunContext& c) {
    const auto* const source = c.inputs[index].as<uint8_t>();
    auto* const target = c.outputs[0].as<uint8_t>();
    if (bools) {
      std::transform(source, source + bytes, target, [](uint8_t byte) { return static_cast<uint8_t>(byte != 0); });
    } else if (bytes > 0) {
      std::memcpy(target, source, bytes);
    }
  };
  return plan;
}

}  // namespace

void RegisterViewType(OperationTable& table) {
  table.Add({"aten::view.dtype"}, "Tensor input|self, dtype dtype", PlanViewType);
}

}  // namespace kuiper_infer
