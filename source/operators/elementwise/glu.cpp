// SPDX-License-Identifier: MIT
#include "kernel/elementwise/functions.hpp"
#include "operation/operation.hpp"
#include "operators/elementwise/elementwise_plan.hpp"
#include "operators/elementwise/elementwise_program.hpp"

namespace kuiper_infer {
namespace {

/// Plans glu: the first half of an axis times the sigmoid of the second.
OperationPlan PlanGlu(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  const int64_t axis = arguments.Axis("dim", input.spec.rank());
  const int64_t extent = input.spec.rank() > 0 ? input.spec.shape[axis] : 1;
  arguments.Require(
      input.spec.rank() > 0 && extent % 2 == 0,
      "input is " + ShapeString(input.spec.shape) + ", expected an even extent along axis " + std::to_string(axis));
  TensorArgument first = input;
  first.spec.shape[axis] = extent / 2;
  const int64_t offset = extent / 2 * input.spec.strides[axis];
  const auto bytes = static_cast<int64_t>(ElementBytes(input.spec.type));
  kernel::BlockProgram program;
  program.instructions = {InputInstruction(0, input.spec.type), InputInstruction(1, input.spec.type),
                          UnaryInstruction(*kernel::FindUnary("sigmoid"), input.spec.type),
                          BinaryInstruction(*kernel::FindBinary("mul"), input.spec.type)};
  program.stack_depth = 2;
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(input.spec.type, first.spec.shape)};
  const kernel::PreparedProgram prepared =
      kernel::PrepareProgram(program, {first.spec, first.spec}, plan.outputs.front().spec);
  plan.run = [prepared, offset, bytes, index = input.input](const RunContext& c) {
    const auto* memory = static_cast<const std::byte*>(c.inputs[index].data);
    const void* const halves[] = {memory, memory + offset * bytes};
    kernel::RunProgram(prepared, halves, c.outputs[0].data);
  };
  return plan;
}

}  // namespace

void RegisterGlu(OperationTable& table) {
  table.Add({"nn.GLU", "F.glu", "aten::glu"}, "Tensor input|self, int dim=-1", PlanGlu, InputLayout::kStrided);
}

}  // namespace kuiper_infer
