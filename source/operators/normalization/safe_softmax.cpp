// SPDX-License-Identifier: MIT
#include "operators/elementwise/formula.hpp"

namespace kuiper_infer {
namespace {

/// Plans softmax in which lines of minus infinities only give zeros.
OperationPlan PlanSafeSoftmax(const Arguments& arguments) {
  Composition composition(arguments);
  const TensorArgument& input = arguments.Tensor("input");
  CallArguments call = {{"input", input}, {"dim", arguments.Get("dim")}};
  if (arguments.Has("dtype")) call["dtype"] = arguments.Get("dtype");
  const TensorArgument result = composition.Call("torch.softmax", call);
  if (input.spec.size() == 0) return composition.Finish({result});
  const TensorArgument largest =
      composition.Call("torch.amax", {{"input", input}, {"dim", arguments.Get("dim")}, {"keepdim", true}});
  const TensorArgument masked = ApplyFormula(composition, "isneginf(x)", {{"x", largest}});
  const TensorArgument zero = composition.Constant(ArrayFromNumber(Value(0)).To(result.spec.type));
  return composition.Finish(
      {composition.Call("torch.where", {{"condition", masked}, {"input", zero}, {"other", result}})});
}

}  // namespace

void RegisterSafeSoftmax(OperationTable& table) {
  table.Add({"aten::_safe_softmax"}, "Tensor input|self, int dim, dtype? dtype=None", PlanSafeSoftmax);
}

}  // namespace kuiper_infer
