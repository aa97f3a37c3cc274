// SPDX-License-Identifier: MIT
#include "kernel/functions.hpp"
#include "layer/abstract/operation_list.hpp"
#include "layer/details/elementwise_plan.hpp"
#include "layer/details/elementwise_program.hpp"

namespace kuiper_infer {
namespace {

/// Plans max(x, 0) + weight * min(x, 0), the weight along axis 1.
OperationPlan PlanPrelu(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  TensorArgument weight = arguments.Tensor("weight");
  const int64_t channels = input.spec.rank() > 1 ? input.spec.shape[1] : 1;
  const int64_t count = weight.spec.size();
  arguments.Require(count == 1 || count == channels, "weight has shape " + ShapeString(weight.spec.shape) +
                                                         ", the input " + ShapeString(input.spec.shape) + " has " +
                                                         std::to_string(channels) + " channels");
  Shape shape(input.spec.shape.size(), 1);
  if (count != 1) shape[1] = count;
  weight.spec = TensorSpec(weight.spec.type, shape);
  const RuntimeDataType type = input.spec.type;
  kernel::BlockProgram program;
  const auto push = [&](const kernel::BlockInstruction& instruction) { program.instructions.push_back(instruction); };
  const auto apply = [&](const char* name) { push(BinaryInstruction(arguments, *kernel::FindBinary(name), type)); };
  push(InputInstruction(0, type));
  push(ConstantInstruction(0.0));
  apply("maximum");
  push(InputInstruction(0, type));
  push(ConstantInstruction(0.0));
  apply("minimum");
  push(InputInstruction(1, weight.spec.type));
  apply("mul");
  apply("add");
  return PlanBlockProgram(std::move(program), {input, weight});
}

/// Plans the first half of an axis times the sigmoid of the second.
OperationPlan PlanGlu(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  const int64_t axis = arguments.Axis("dim", input.spec.rank());
  const int64_t extent = input.spec.rank() > 0 ? input.spec.shape[axis] : 1;
  arguments.Require(
      input.spec.rank() > 0 && extent % 2 == 0,
      "the input " + ShapeString(input.spec.shape) + " has an odd extent along axis " + std::to_string(axis));
  TensorArgument first = input;
  first.spec.shape[axis] = extent / 2;
  const int64_t offset = extent / 2 * input.spec.strides[axis];
  const auto bytes = static_cast<int64_t>(ElementBytes(input.spec.type));
  kernel::BlockProgram program;
  program.instructions = {InputInstruction(0, input.spec.type), InputInstruction(1, input.spec.type),
                          UnaryInstruction(arguments, *kernel::FindUnary("sigmoid"), input.spec.type),
                          BinaryInstruction(arguments, *kernel::FindBinary("mul"), input.spec.type)};
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

void RegisterPrelu(OperationTable& table) {
  table.Add({"nn.PReLU", "F.prelu", "aten::prelu"}, "Tensor input|self, Tensor weight, int? num_parameters=None",
            PlanPrelu, InputLayout::kStrided);
  table.Add({"nn.GLU", "F.glu", "aten::glu"}, "Tensor input|self, int dim=-1", PlanGlu, InputLayout::kStrided);
}

}  // namespace kuiper_infer
