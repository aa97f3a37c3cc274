// SPDX-License-Identifier: MIT
#include "operation/parameters.hpp"
#include "operators/elementwise/formula.hpp"

namespace kuiper_infer {
namespace {

/// Plans m and e of x = m * 2^e with a magnitude of m in [0.5, 1); e is int32.
OperationPlan PlanFrexp(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  RequireFloating(arguments, input);
  Composition composition(arguments);
  const TensorArgument mantissa = ApplyFormula(composition, "frexp_mantissa(input)");
  const TensorArgument exponent = ApplyFormula(composition, "frexp_exponent(input)");
  return composition.Finish({mantissa, composition.Convert(exponent, RuntimeDataType::kTypeInt32)});
}

}  // namespace

void RegisterFrexp(OperationTable& table) {
  table.Add({"torch.frexp", "aten::frexp"}, "Tensor input|self", PlanFrexp, InputLayout::kStrided);
}

}  // namespace kuiper_infer
