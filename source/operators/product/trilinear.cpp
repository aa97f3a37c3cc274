// SPDX-License-Identifier: MIT
#include "operators/elementwise/formula.hpp"

namespace kuiper_infer {
namespace {

/// Plans the product of three arrays, each of which gets new axes, summed over some axes.
OperationPlan PlanTrilinear(const Arguments& arguments) {
  Composition composition(arguments);
  const auto expanded = [&](const char* name, const char* axes) {
    const std::vector<int64_t> added = arguments.Ints(axes);
    const TensorArgument& given = arguments.Tensor(name);
    return added.empty() ? given : composition.Call("Tensor.unsqueeze", {{"input", given}, {"dim", added}});
  };
  const TensorArgument product = ApplyFormula(
      composition, "mul(mul(a, b), c)",
      {{"a", expanded("i1", "expand1")}, {"b", expanded("i2", "expand2")}, {"c", expanded("i3", "expand3")}});
  const std::vector<int64_t> summed = arguments.Ints("sumdim");
  if (summed.empty()) return composition.Finish({product});
  return composition.Finish({composition.Call("torch.sum", {{"input", product}, {"dim", summed}})});
}

}  // namespace

void RegisterTrilinear(OperationTable& table) {
  table.Add({"aten::_trilinear"},
            "Tensor i1, Tensor i2, Tensor i3, int[] expand1, int[] expand2, int[] expand3, int[] sumdim, "
            "int unroll_dim=1",
            PlanTrilinear);
}

}  // namespace kuiper_infer
