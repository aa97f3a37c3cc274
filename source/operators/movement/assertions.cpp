// SPDX-License-Identifier: MIT
// Checks that an exporter leaves in a graph. They have no outputs, so that no output of the model depends on them:
// their arguments are read when the graph is built, and planning drops them.
#include "operation/operation.hpp"

namespace kuiper_infer {
namespace {

OperationPlan PlanNothing(const Arguments& /*arguments*/) { return {}; }

}  // namespace

void RegisterAssertions(OperationTable& table) {
  const InputLayout strided = InputLayout::kStrided;
  table.Add({"aten::_assert_tensor_metadata"},
            "Tensor a, int[]? size=None, int[]? stride=None, dtype? dtype=None, any device=None, any layout=None",
            PlanNothing, strided);
  table.Add({"aten::_assert_scalar"}, "any self, any assert_msg=None", PlanNothing, strided);
  table.Add({"aten::_assert_async"}, "Tensor input|self, any assert_msg=None", PlanNothing, strided);
  table.Add({"aten::sym_constrain_range", "aten::sym_constrain_range_for_size"}, "any size, any min=None, any max=None",
            PlanNothing, strided);
}

}  // namespace kuiper_infer
