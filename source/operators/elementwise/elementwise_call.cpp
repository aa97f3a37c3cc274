// SPDX-License-Identifier: MIT
// The call of a block program, with what its arrays are stored as.
#include <algorithm>
#include <array>

#include "operators/elementwise/elementwise_plan.hpp"
#include "shape/broadcast.hpp"
#include "shape/layout.hpp"

namespace kuiper_infer {

bool Elementwise::CanFuse(const Fusion& fusion) const {
  return result_.type == RuntimeDataType::kTypeFloat32 && fusion.factor < 0 && fusion.residual < 0 &&
         fusion.activation.function == nullptr;
}

bool Elementwise::Reads(RuntimeDataType /*stored*/, int input, const Fusion& /*fusion*/) const {
  return std::all_of(operands_.begin(), operands_.end(), [input](const TensorArgument& operand) {
    return operand.input != input || operand.spec.type == RuntimeDataType::kTypeFloat32;
  });
}

bool Elementwise::Writes(RuntimeDataType stored, const Fusion& fusion) const {
  if (result_.type != RuntimeDataType::kTypeFloat32) return false;
  const auto& grid = fusion.result.grid;
  return stored == RuntimeDataType::kTypeUInt8 ? grid && FitsBytes(*grid) : !grid;
}

KernelCall Elementwise::MakeCall(const Fusion& fusion, const PlanningContext& /*context*/) const {
  const AxisOrder order = CommonOrder({result_});
  std::vector<int> inputs;
  std::vector<TensorSpec> specs;  // axes in the result's order
  kernel::ProgramStorage storage;
  for (const TensorArgument& operand : operands_) {
    inputs.push_back(operand.input);
    const Storage stored = fusion.InputStorage(operand.input);
    storage.inputs.push_back({stored.type, ByteGridOf(stored)});
    const TensorSpec repeated(operand.spec.type, result_.shape, BroadcastStrides(operand.spec, result_.shape));
    specs.push_back(PermuteAxes(repeated, order));
  }
  if (result_.type == RuntimeDataType::kTypeFloat32) {
    storage.result = fusion.result.type;
    storage.grid = fusion.result.grid;
    if (storage.result == RuntimeDataType::kTypeUInt8) storage.grid = ByteGrid(*storage.grid);
  }
  KernelCall call;
  call.run = [inputs, prepared = kernel::PrepareProgram(program_, specs, PermuteAxes(result_, order), storage)](
                 const RunContext& c) {
    std::array<const void*, kUsualOperands> few;
    std::vector<const void*> many(inputs.size() > kUsualOperands ? inputs.size() : 0);
    const void** data = many.empty() ? few.data() : many.data();
    for (std::size_t i = 0; i < inputs.size(); ++i) data[i] = c.inputs[inputs[i]].data;
    kernel::RunProgram(prepared, data, c.outputs[0].data);
  };
  return call;
}

}  // namespace kuiper_infer
