// SPDX-License-Identifier: MIT
#include "kernel/indexing/positions.hpp"
#include "operation/composition.hpp"

namespace kuiper_infer {
namespace {

/// Plans the positions of the first `size` elements that are not zero, one row for each. If there are fewer, the other
/// rows hold `fill_value`.
OperationPlan PlanNonzeroStatic(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  const int64_t size = arguments.Int("size");
  arguments.Require(size >= 0, "size is " + std::to_string(size) + ", expected 0 or more");
  Composition composition(arguments);
  const TensorArgument flags = composition.Convert(input, RuntimeDataType::kTypeBool);
  return composition.Finish({composition.Apply({flags}, [&](const std::vector<TensorArgument>& arrays) {
    OperationPlan plan;
    plan.outputs = {OutputPlan::New(RuntimeDataType::kTypeInt64, {size, input.spec.rank()})};
    plan.run = [size, fill = arguments.Int("fill_value"), shape = arrays[0].spec.shape](const RunContext& c) {
      kernel::FirstPositions(shape, c.inputs[0].as<bool>(), size, fill, c.outputs[0].as<int64_t>());
    };
    return plan;
  })});
}

}  // namespace

void RegisterNonzeroStatic(OperationTable& table) {
  table.Add({"torch.nonzero_static", "aten::nonzero_static"}, "Tensor input|self, int size, int fill_value=-1",
            PlanNonzeroStatic);
}

}  // namespace kuiper_infer
