// SPDX-License-Identifier: MIT
#include <string>

#include "operators/reduction/reduction_plan.hpp"
#include "shape/reduction.hpp"

namespace kuiper_infer {
namespace {

using kernel::Reduction;

/// Plans the position of the extreme and, if `values`, its value as first output.
OperationPlan PlanPosition(const Arguments& arguments, bool largest, bool values) {
  const ReductionRequest request = ReadReduction(arguments);
  const TensorSpec& spec = request.input.spec;
  const kernel::ReductionGeometry geometry = kernel::MakeReductionGeometry(spec, request.axes, false);
  arguments.Require(geometry.count > 0 || geometry.outputs == 0,
                    "input is " + ShapeString(spec.shape) + ", expected elements to reduce");
  const Shape shape = ReducedShape(spec.shape, request.axes, request.keep_axes);
  OperationPlan plan;
  if (values) plan.outputs.push_back(OutputPlan::New(spec.type, shape));
  plan.outputs.push_back(OutputPlan::New(RuntimeDataType::kTypeInt64, shape));
  plan.run = [geometry, largest, values, index = request.input.input](const RunContext& c) {
    kernel::ReduceToPosition(largest, geometry, c.inputs[index], values ? c.outputs[0].data : nullptr,
                             c.outputs[values ? 1 : 0].as<int64_t>());
  };
  return plan;
}

template <bool kLargest>
OperationPlan PlanArg(const Arguments& arguments) {
  return PlanPosition(arguments, kLargest, false);
}

/// Whether the position of the extreme is no output.
bool GivesExtremeOnly(const Arguments& arguments) { return !arguments.Has("dim") || arguments.output_count() == 1; }

/// Plans max or min of one array: along an axis the extreme and its position, without one the extreme of all elements.
template <bool kLargest>
OperationPlan PlanExtreme(const Arguments& arguments) {
  // The position costs time, so it is left out if nothing reads it.
  if (GivesExtremeOnly(arguments)) {
    return PlanReduction(arguments, ReadReduction(arguments), kLargest ? Reduction::kMax : Reduction::kMin);
  }
  return PlanPosition(arguments, kLargest, true);
}

}  // namespace

void RegisterArgReduce(OperationTable& table) {
  const InputLayout strided = InputLayout::kStrided;
  const OutputValues chosen = Preserves({"input"}, GivesExtremeOnly);
  const std::string schema = "Tensor input|self, int? dim=None, bool keepdim=False";
  table.Add({"torch.max", "Tensor.max", "aten::max"}, schema, PlanExtreme<true>, strided, chosen);
  table.Add({"torch.min", "Tensor.min", "aten::min"}, schema, PlanExtreme<false>, strided, chosen);
  table.Add({"torch.argmax", "Tensor.argmax", "aten::argmax"}, schema, PlanArg<true>, strided);
  table.Add({"torch.argmin", "Tensor.argmin", "aten::argmin"}, schema, PlanArg<false>, strided);
}

}  // namespace kuiper_infer
