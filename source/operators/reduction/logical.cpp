// SPDX-License-Identifier: MIT
#include <string>

#include "operation/composition.hpp"
#include "operators/reduction/reduction_plan.hpp"

namespace kuiper_infer {
namespace {

using kernel::Reduction;

/// Plans the count of complex numbers that are not zero, or whether all or any of them are so, by the operation `type`.
OperationPlan PlanComplexCount(const Arguments& arguments, const ReductionRequest& request, const char* type) {
  Composition composition(arguments);
  CallArguments call = {{"input", composition.Call("torch.ne", {{"input", request.input}, {"other", 0}})}};
  if (arguments.Has("dim")) call["dim"] = arguments.Get("dim");
  if (request.keep_axes) call["keepdim"] = true;
  return composition.Finish({composition.Call(type, call)});
}

OperationPlan PlanCountNonzero(const Arguments& arguments) {
  const ReductionRequest request = ReadReduction(arguments);
  if (IsComplex(request.input.spec.type)) return PlanComplexCount(arguments, request, "torch.count_nonzero");
  return PlanReduction(arguments, request, Reduction::kCountNonzero);
}

/// Plans all and any. The result is bool, or uint8 for an array of uint8.
template <Reduction kReduction>
OperationPlan PlanLogical(const Arguments& arguments) {
  const ReductionRequest request = ReadReduction(arguments);
  if (IsComplex(request.input.spec.type)) {
    return PlanComplexCount(arguments, request, kReduction == Reduction::kAll ? "torch.all" : "torch.any");
  }
  OperationPlan plan = PlanReduction(arguments, request, kReduction);
  // bool and uint8 have the same width, and true is stored as 1.
  if (request.input.spec.type == RuntimeDataType::kTypeUInt8) {
    plan.outputs.front().spec.type = RuntimeDataType::kTypeUInt8;
  }
  return plan;
}

}  // namespace

void RegisterLogical(OperationTable& table) {
  const InputLayout strided = InputLayout::kStrided;
  const std::string plain = "Tensor input|self, int[]? dim=None, bool keepdim=False";
  table.Add({"torch.all", "Tensor.all", "aten::all"}, plain, PlanLogical<Reduction::kAll>, strided);
  table.Add({"torch.any", "Tensor.any", "aten::any"}, plain, PlanLogical<Reduction::kAny>, strided);
  table.Add({"torch.count_nonzero", "aten::count_nonzero"}, "Tensor input|self, int[]? dim=None", PlanCountNonzero,
            strided);
}

}  // namespace kuiper_infer
