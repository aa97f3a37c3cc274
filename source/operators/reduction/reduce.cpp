// SPDX-License-Identifier: MIT
#include <string>

#include "operation/composition.hpp"
#include "operation/parameters.hpp"
#include "operators/elementwise/formula.hpp"
#include "operators/reduction/reduction_plan.hpp"
#include "shape/promote.hpp"
#include "shape/slice.hpp"

namespace kuiper_infer {
namespace {

using kernel::Reduction;

OperationPlan PlanSum(const Arguments& arguments) {
  const ReductionRequest request = ReadReduction(arguments);
  if (IsComplex(request.input.spec.type) && !arguments.Has("dtype")) {
    return PlanOfParts(arguments, request, Reduction::kSum);
  }
  return PlanTotal(arguments, request, Reduction::kSum);
}

/// Reductions of floating elements.
template <Reduction kReduction>
OperationPlan PlanFloating(const Arguments& arguments) {
  ReductionRequest request = ReadReduction(arguments);
  const bool complex = IsComplex(request.input.spec.type);
  if (complex && kReduction == Reduction::kMean && !arguments.Has("dtype")) {
    return PlanOfParts(arguments, request, Reduction::kMean);
  }
  if (!complex) {
    request.type = AskedFloatingType(arguments, FloatingResult(request.input.spec.type));
  }
  RequireFloating(arguments, request);
  return PlanReduction(arguments, request, kReduction);
}

/// Plans the sum of the numbers in an integer type: NaN has none, so that zeros stand for it.
OperationPlan PlanIntegerNanSum(const Arguments& arguments) {
  Composition composition(arguments);
  const TensorArgument& x = arguments.Tensor("input");
  const TensorArgument is_nan = ApplyFormula(composition, "isnan(x)", {{"x", x}});
  CallArguments call = {
      {"input", composition.Call("torch.masked_fill", {{"input", x}, {"mask", is_nan}, {"value", 0}})},
      {"keepdim", arguments.Get("keepdim")},
      {"dtype", arguments.Get("dtype")}};
  if (arguments.Has("dim")) call["dim"] = arguments.Get("dim");
  return composition.Finish({composition.Call("torch.sum", call)});
}

OperationPlan PlanNanSum(const Arguments& arguments) {
  const ReductionRequest request = ReadReduction(arguments);
  if (request.type != RuntimeDataType::kTypeUnknown && !IsFloating(request.type)) {
    return IsFloating(request.input.spec.type) ? PlanIntegerNanSum(arguments) : PlanSum(arguments);
  }
  const RuntimeDataType type = request.type == RuntimeDataType::kTypeUnknown ? request.input.spec.type : request.type;
  return PlanReduction(arguments, request, IsFloating(type) ? Reduction::kNanSum : Reduction::kSum);
}

OperationPlan PlanLogSumExp(const Arguments& arguments) {
  ReductionRequest request = ReadReduction(arguments);
  request.type = FloatingResult(request.input.spec.type);
  RequireFloating(arguments, request);
  return PlanReduction(arguments, request, Reduction::kLogSumExp);
}

/// Reductions of any element type.
template <Reduction kReduction>
OperationPlan PlanAnyType(const Arguments& arguments) {
  return PlanReduction(arguments, ReadReduction(arguments), kReduction);
}

OperationPlan PlanExtremes(const Arguments& arguments) {
  return PlanReductions(arguments, ReadReduction(arguments), {Reduction::kMin, Reduction::kMax});
}

/// The sum of the diagonal.
OperationPlan PlanTrace(const Arguments& arguments) {
  ReductionRequest request;
  request.input = arguments.Tensor("input");
  TensorSpec& spec = request.input.spec;
  arguments.Require(spec.rank() == 2, "input is " + ShapeString(spec.shape) + ", expected rank 2");
  const StridedView diagonal = TakeDiagonal(StridedView(spec), 0, 0, 1);
  spec = TensorSpec(spec.type, diagonal.shape, diagonal.strides);
  request.axes = {0};
  if (IsComplex(spec.type)) return PlanOfParts(arguments, request, Reduction::kSum);
  return PlanReduction(arguments, request, Reduction::kSum);
}

}  // namespace

void RegisterReduce(OperationTable& table) {
  const InputLayout strided = InputLayout::kStrided;
  const OutputValues chosen = Preserves({"input"});
  const std::string typed = "Tensor input|self, int[]? dim=None, bool keepdim=False, dtype? dtype=None";
  const std::string plain = "Tensor input|self, int[]? dim=None, bool keepdim=False";
  const std::string all_raw = "Tensor input|self, dtype? dtype";
  // Raw operators without axes have the element type as second argument.
  table.Add({"aten::sum"}, all_raw, PlanSum, strided);
  table.Add({"torch.sum", "Tensor.sum", "aten::sum"}, typed, PlanSum, strided);
  table.Add({"aten::mean"}, all_raw, PlanFloating<Reduction::kMean>, strided);
  table.Add({"torch.mean", "Tensor.mean", "aten::mean"}, typed, PlanFloating<Reduction::kMean>, strided);
  table.Add({"torch.nansum", "aten::nansum"}, typed, PlanNanSum, strided);
  table.Add({"torch.nanmean", "aten::nanmean"}, typed, PlanFloating<Reduction::kNanMean>, strided);
  table.Add({"torch.logsumexp", "Tensor.logsumexp", "aten::logsumexp", "aten::special_logsumexp"}, plain, PlanLogSumExp,
            strided);
  table.Add({"torch.amax", "Tensor.amax", "aten::amax"}, plain, PlanAnyType<Reduction::kMax>, strided, chosen);
  table.Add({"torch.amin", "Tensor.amin", "aten::amin"}, plain, PlanAnyType<Reduction::kMin>, strided, chosen);
  table.Add({"torch.aminmax", "aten::aminmax"}, plain, PlanExtremes, strided, chosen);
  table.Add({"torch.trace", "aten::trace"}, "Tensor input|self", PlanTrace, strided);
}

}  // namespace kuiper_infer
