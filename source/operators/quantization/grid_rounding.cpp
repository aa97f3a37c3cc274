// SPDX-License-Identifier: MIT
#include "operators/quantization/grid_rounding.hpp"

#include "operation/strided_operand.hpp"
#include "shape/layout.hpp"

namespace kuiper_infer {

bool GridRounding::CanFuse(const Fusion& fusion) const {
  return fusion.factor < 0 && fusion.residual < 0 && fusion.activation.function == nullptr;
}

bool GridRounding::Writes(RuntimeDataType stored, const Fusion& /*fusion*/) const {
  return stored == RuntimeDataType::kTypeUInt8 && FitsBytes(grid_);
}

KernelCall GridRounding::MakeCall(const Fusion& fusion, const PlanningContext& /*context*/) const {
  KernelCall call;
  const int64_t count = input_.spec.size();
  const AxisOrder order = CommonOrder({input_.spec});
  const bool ready = OrderedSpec(input_.spec.type, input_.spec.shape, order).strides == input_.spec.strides;
  const StridedOperand input = MakeOrderedOperand(input_, order, ready, call.workspace_bytes);
  if (fusion.result.type == RuntimeDataType::kTypeUInt8) {
    call.method = "bytes";
    call.run = [grid = ByteGrid(grid_), count, input](const RunContext& c) {
      kernel::RoundToBytes(grid, count, static_cast<const float*>(OperandData(input, c)), c.outputs[0].as<uint8_t>());
    };
  } else {
    call.run = [grid = grid_, count, input](const RunContext& c) {
      kernel::RoundToGrid(grid, count, static_cast<const float*>(OperandData(input, c)), c.outputs[0].as<float>());
    };
  }
  return call;
}

OperationPlan PlanGridRounding(const TensorArgument& input, const kernel::QuantizationGrid& grid) {
  const TensorSpec& spec = input.spec;
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(OrderedSpec(spec.type, spec.shape, CommonOrder({spec})))};
  plan.computation = std::make_shared<const GridRounding>(input, grid);
  plan.grid = grid;
  return plan;
}

}  // namespace kuiper_infer
