// SPDX-License-Identifier: MIT
#include "kernel/pooling/pooling.hpp"
#include "operators/pooling/pooling_windows.hpp"
#include "utils/dispatch.hpp"

namespace kuiper_infer {
namespace {

/// Plans the p-norm of each window, (sum of x^p)^(1/p), where p is `norm_type`.
template <int64_t kDimensions>
OperationPlan PlanLpPool(const Arguments& arguments) {
  const SpatialInput spatial = ReadSpatialInput(arguments, kDimensions);
  RequireFloating(arguments, spatial.input);
  const WindowGrid grid = ReadPoolingWindows(arguments, spatial);
  const double p = arguments.Float("norm_type");
  arguments.Require(p != 0, "norm_type is 0, expected another number");
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(spatial.type(), spatial.OutputShape(grid.positions))};
  plan.workspace_bytes = ByteCount(spatial.type(), spatial.input.spec.shape);
  plan.run = [grid, p, planes = spatial.planes, input = spatial.input.input](const RunContext& c) {
    DispatchFloating(c.inputs[input].type(), [&](auto tag) {
      using T = typename decltype(tag)::type;
      kernel::LpPool(grid, p, planes, c.inputs[input].as<T>(), reinterpret_cast<T*>(c.workspace), c.outputs[0].as<T>());
    });
  };
  return plan;
}

}  // namespace

void RegisterLpPooling(OperationTable& table) {
  const std::string schema =
      "Tensor input, float norm_type, int[] kernel_size, int[]? stride=None, bool ceil_mode=False";
  table.Add({"nn.LPPool1d", "F.lp_pool1d"}, schema, PlanLpPool<1>);
  table.Add({"nn.LPPool2d", "F.lp_pool2d"}, schema, PlanLpPool<2>);
  table.Add({"nn.LPPool3d", "F.lp_pool3d"}, schema, PlanLpPool<3>);
}

}  // namespace kuiper_infer
