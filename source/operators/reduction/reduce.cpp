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

/// Plans the sum of complex numbers: the sums of their real and their imaginary parts.
OperationPlan PlanComplexSum(const Arguments& arguments, const ReductionRequest& request) {
  Composition composition(arguments);
  TensorArgument sums = composition.Call("torch.view_as_real", {{"input", request.input}});
  if (!request.axes.empty()) {
    sums = composition.Call("torch.sum", {{"input", sums}, {"dim", request.axes}, {"keepdim", request.keep_axes}});
  }
  return composition.Finish({composition.Call("torch.view_as_complex", {{"input", sums}})});
}

/// Sums and products: integers are summed as int64 unless another type is asked for.
template <Reduction kReduction>
OperationPlan PlanTotal(const Arguments& arguments) {
  ReductionRequest request = ReadReduction(arguments);
  if (kReduction == Reduction::kSum && IsComplex(request.input.spec.type) && !arguments.Has("dtype")) {
    return PlanComplexSum(arguments, request);
  }
  const TensorArgument whole = request.input;
  return PlanTotalInAskedType(arguments, whole, [&](const TensorArgument& input, RuntimeDataType type) {
    // The kernel reads integers of any type and adds them up as int64.
    const bool as_they_are = !IsFloating(type) && !IsComplex(type) && !IsFloating(input.spec.type);
    request.input = input;
    request.type = as_they_are ? RuntimeDataType::kTypeUnknown : type;
    return PlanReduction(arguments, request, kReduction);
  });
}

/// Reductions of floating elements.
template <Reduction kReduction>
OperationPlan PlanFloating(const Arguments& arguments) {
  ReductionRequest request = ReadReduction(arguments);
  if (!IsComplex(request.input.spec.type)) {
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
    return IsFloating(request.input.spec.type) ? PlanIntegerNanSum(arguments) : PlanTotal<Reduction::kSum>(arguments);
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

/// Plans all and any. The result is bool, or uint8 for an array of uint8.
template <Reduction kReduction>
OperationPlan PlanLogical(const Arguments& arguments) {
  const ReductionRequest request = ReadReduction(arguments);
  OperationPlan plan = PlanReduction(arguments, request, kReduction);
  // bool and uint8 have the same width, and true is stored as 1.
  if (request.input.spec.type == RuntimeDataType::kTypeUInt8) {
    plan.outputs.front().spec.type = RuntimeDataType::kTypeUInt8;
  }
  return plan;
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
  table.Add({"aten::sum"}, all_raw, PlanTotal<Reduction::kSum>, strided);
  table.Add({"torch.sum", "Tensor.sum", "aten::sum"}, typed, PlanTotal<Reduction::kSum>, strided);
  table.Add({"aten::prod"}, all_raw, PlanTotal<Reduction::kProduct>, strided);
  table.Add({"torch.prod", "Tensor.prod", "aten::prod"}, typed, PlanTotal<Reduction::kProduct>, strided);
  table.Add({"aten::mean"}, all_raw, PlanFloating<Reduction::kMean>, strided);
  table.Add({"torch.mean", "Tensor.mean", "aten::mean"}, typed, PlanFloating<Reduction::kMean>, strided);
  table.Add({"torch.nansum", "aten::nansum"}, typed, PlanNanSum, strided);
  table.Add({"torch.nanmean", "aten::nanmean"}, typed, PlanFloating<Reduction::kNanMean>, strided);
  table.Add({"torch.logsumexp", "Tensor.logsumexp", "aten::logsumexp", "aten::special_logsumexp"}, plain, PlanLogSumExp,
            strided);
  table.Add({"torch.amax", "Tensor.amax", "aten::amax"}, plain, PlanAnyType<Reduction::kMax>, strided, chosen);
  table.Add({"torch.amin", "Tensor.amin", "aten::amin"}, plain, PlanAnyType<Reduction::kMin>, strided, chosen);
  table.Add({"torch.aminmax", "aten::aminmax"}, plain, PlanExtremes, strided, chosen);
  table.Add({"torch.all", "Tensor.all", "aten::all"}, plain, PlanLogical<Reduction::kAll>, strided);
  table.Add({"torch.any", "Tensor.any", "aten::any"}, plain, PlanLogical<Reduction::kAny>, strided);
  table.Add({"torch.count_nonzero", "aten::count_nonzero"}, "Tensor input|self, int[]? dim=None",
            PlanAnyType<Reduction::kCountNonzero>, strided);
  table.Add({"torch.trace", "aten::trace"}, "Tensor input|self", PlanTrace, strided);
}

}  // namespace kuiper_infer
