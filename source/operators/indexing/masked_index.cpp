// SPDX-License-Identifier: MIT
// Indexing that leaves out places of a mask. Index numbers there may be out of range.
#include "operators/elementwise/formula.hpp"

namespace kuiper_infer {
namespace {

/// The index arrays, kept within the axes that they index.
Argument KeptIndices(Composition& composition, const Shape& shape) {
  const Argument& given = composition.outer().Get("indices");
  const Argument::List single = {given};
  const Argument::List* items = given.tensor() != nullptr ? &single : given.list();
  composition.outer().Require(
      items != nullptr && items->size() <= shape.size(),
      "indices is " + Describe(given) + ", expected a list of at most " + std::to_string(shape.size()) + " arrays");
  Argument::List kept;
  for (std::size_t axis = 0; axis < items->size(); ++axis) {
    const TensorArgument* index = (*items)[axis].tensor();
    if (index == nullptr) {
      kept.push_back((*items)[axis]);
      continue;
    }
    composition.outer().Require(IsInteger(index->spec.type),
                                "indices hold " + SpecString(index->spec) + ", expected integers");
    const TensorArgument inside = ApplyFormula(composition, "minimum(maximum(index, least), most)",
                                               {{"index", *index}, {"least", -shape[axis]}, {"most", shape[axis] - 1}});
    kept.push_back(Argument{inside});
  }
  return Argument{std::move(kept)};
}

/// Plans x[indices] where the mask is true, and otherwise a number.
OperationPlan PlanMaskedIndex(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  Composition composition(arguments);
  const TensorArgument taken =
      composition.Call("Tensor.index", {{"input", input}, {"indices", KeptIndices(composition, input.spec.shape)}});
  const TensorArgument fill = composition.Convert(arguments.Tensor("fill"), input.spec.type);
  return composition.Finish(
      {composition.Call("torch.where", {{"condition", arguments.Tensor("mask")}, {"input", taken}, {"other", fill}})});
}

/// Plans x with values added at x[indices] where the mask is true.
OperationPlan PlanMaskedIndexPut(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  Composition composition(arguments);
  const TensorArgument zero = composition.Constant(ArrayFromNumber(Value(0)).To(arguments.Tensor("values").spec.type));
  const TensorArgument values = composition.Call(
      "torch.where", {{"condition", arguments.Tensor("mask")}, {"input", arguments.Tensor("values")}, {"other", zero}});
  return composition.Finish(
      {composition.Call("Tensor.index_put", {{"input", input},
                                             {"indices", KeptIndices(composition, input.spec.shape)},
                                             {"values", values},
                                             {"accumulate", true}})});
}

}  // namespace

void RegisterMaskedIndex(OperationTable& table) {
  table.Add({"aten::_unsafe_masked_index"}, "Tensor input|self, Tensor mask, any indices, Tensor fill",
            PlanMaskedIndex);
  table.Add({"aten::_unsafe_masked_index_put_accumulate"}, "Tensor input|self, Tensor mask, any indices, Tensor values",
            PlanMaskedIndexPut);
}

}  // namespace kuiper_infer
