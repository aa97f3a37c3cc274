// SPDX-License-Identifier: MIT
#include "operators/elementwise/formula.hpp"
#include "operators/indexing/indexing.hpp"
#include "shape/broadcast.hpp"

namespace kuiper_infer {
namespace {

TensorArgument Flat(const TensorArgument& x) { return Reshaped(x, {x.spec.size()}); }

/// Plans the input with the elements of a source, in their order, at places of the flattened input.
OperationPlan PlanPut(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  Composition composition(arguments);
  Argument::List places = {Argument{Flat(arguments.Tensor("index"))}};
  const TensorArgument result = composition.Call("Tensor.index_put", {{"input", Flat(input)},
                                                                      {"indices", Argument{std::move(places)}},
                                                                      {"values", Flat(arguments.Tensor("source"))},
                                                                      {"accumulate", arguments.Bool("accumulate")}});
  return composition.Finish({Reshaped(result, input.spec.shape)});
}

/// Plans a copy of the input in which the element at the k-th true element of the mask is replaced by element k of a
/// source.
OperationPlan PlanMaskedScatter(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  const TensorArgument& mask = arguments.Tensor("mask");
  const TensorArgument& source = arguments.Tensor("source");
  arguments.Require(mask.spec.type == RuntimeDataType::kTypeBool,
                    std::string("mask is ") + TypeName(mask.spec.type) + ", expected bool");
  arguments.Require(input.spec.type == source.spec.type, "source is " + SpecString(source.spec) + ", expected " +
                                                             TypeName(input.spec.type) + " like the input");
  const Shape shape = BroadcastShapes(input.spec.shape, mask.spec.shape);
  Composition composition(arguments);
  if (source.spec.size() == 0) {
    return composition.Finish({composition.Call("Tensor.expand", {{"input", input}, {"sizes", shape}})});
  }
  const TensorArgument marks = composition.Call("Tensor.expand", {{"input", mask}, {"sizes", shape}});
  const TensorArgument flat = composition.Call("Tensor.reshape", {{"input", marks}, {"shape", Shape{-1}}});
  const TensorArgument counts = composition.Call("torch.cumsum", {{"input", flat}, {"dim", 0}});
  // Unmarked places take any element; one marked place too many is an index out of range.
  const TensorArgument order =
      ApplyFormula(composition, "mul(maximum(sub(count, 1), 0), mark)", {{"count", counts}, {"mark", flat}});
  const TensorArgument index = composition.Convert(order, RuntimeDataType::kTypeInt64);
  const TensorArgument taken = composition.Call("torch.take", {{"input", source}, {"index", index}});
  return composition.Finish(
      {composition.Call("torch.where", {{"condition", marks}, {"input", Reshaped(taken, shape)}, {"other", input}})});
}

}  // namespace

void RegisterPut(OperationTable& table) {
  table.Add({"Tensor.put", "torch.put", "aten::put"},
            "Tensor input|self, Tensor index, Tensor source, bool accumulate=False", PlanPut, InputLayout::kRowMajor,
            Preserves({"input", "source"}, Overwrites));
  table.Add({"Tensor.masked_scatter", "torch.masked_scatter", "aten::masked_scatter"},
            "Tensor input|self, Tensor mask, Tensor source", PlanMaskedScatter, InputLayout::kRowMajor,
            Preserves({"input", "source"}));
}

}  // namespace kuiper_infer
