// SPDX-License-Identifier: MIT
#include "kernel/normalization/line_normalization.hpp"
#include "operation/parameters.hpp"
#include "utils/dispatch.hpp"

namespace kuiper_infer {
namespace {

OperationPlan PlanLocalResponseNorm(const Arguments& arguments) {
  const TensorArgument x = arguments.Tensor("input");
  RequireFloating(arguments, x);
  const Shape& shape = x.spec.shape;
  arguments.Require(x.spec.rank() >= 3, "input is " + ShapeString(shape) + ", expected at least rank 3");
  const kernel::LocalResponse parameters{arguments.Int("size"), arguments.Float("alpha"), arguments.Float("beta"),
                                         arguments.Float("k")};
  arguments.Require(parameters.size >= 1, "size is " + std::to_string(parameters.size) + ", expected at least 1");
  const AxisGeometry geometry{shape[0], shape[1], ElementCount(Shape(shape.begin() + 2, shape.end()))};
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(x.spec.type, shape)};
  plan.run = [parameters, geometry, input = x.input](const RunContext& c) {
    DispatchFloating(c.inputs[input].type(), [&](auto tag) {
      using T = typename decltype(tag)::type;
      kernel::LocalResponseNormalize(parameters, geometry, c.inputs[input].as<T>(), c.outputs[0].as<T>());
    });
  };
  return plan;
}

}  // namespace

void RegisterLocalResponseNorm(OperationTable& table) {
  table.Add({"nn.LocalResponseNorm", "F.local_response_norm"},
            "Tensor input, int size, float alpha=1e-4, float beta=0.75, float k=1", PlanLocalResponseNorm);
}

}  // namespace kuiper_infer
