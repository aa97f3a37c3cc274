// SPDX-License-Identifier: MIT
#include <cmath>
#include <optional>

#include "operators/elementwise/formula.hpp"

namespace kuiper_infer {
namespace {

/// Plans input + weight (end - input). For weights from 0.5 on, PyTorch computes from `end`, which a weight of 1 gives
/// exactly.
OperationPlan PlanLerp(const Arguments& arguments) {
  static const Formula kFromInput("add(input, mul(sub(end, input), weight))");
  static const Formula kFromEnd("sub(end, mul(sub(end, input), sub(1, weight)))");
  static const Formula kIsSmall("lt(abs(weight), 0.5)");
  const std::optional<double> weight = arguments.Tensor("weight").known_number();
  if (weight) return PlanFormula(arguments, std::abs(*weight) < 0.5 ? kFromInput : kFromEnd);
  Composition composition(arguments);
  return composition.Finish({composition.Call("torch.where", {{"condition", ApplyFormula(composition, kIsSmall)},
                                                              {"input", ApplyFormula(composition, kFromInput)},
                                                              {"other", ApplyFormula(composition, kFromEnd)}})});
}

}  // namespace

void RegisterLerp(OperationTable& table) {
  table.Add({"torch.lerp", "aten::lerp"}, "Tensor input|self, Tensor end, Tensor weight", PlanLerp,
            InputLayout::kStrided);
}

}  // namespace kuiper_infer
