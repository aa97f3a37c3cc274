// SPDX-License-Identifier: MIT
#include <cmath>
#include <string>

#include "operators/reduction/reduction_plan.hpp"

namespace kuiper_infer {
namespace {

using kernel::Reduction;

/// The number that is subtracted from the count: `correction`, or `unbiased` as a flag or as that number itself.
double ReadCorrection(const Arguments& arguments) {
  for (const char* name : {"correction", "unbiased"}) {
    if (arguments.Has(name)) return arguments.Float(name);
  }
  return 1;
}

OperationPlan PlanSpread(const Arguments& arguments, const std::vector<Reduction>& reductions) {
  const ReductionRequest request = ReadReduction(arguments);
  RequireFloating(arguments, request);
  kernel::ReductionOptions options;
  options.correction = ReadCorrection(arguments);
  return PlanReductions(arguments, request, reductions, options);
}

template <Reduction kReduction>
OperationPlan PlanOne(const Arguments& arguments) {
  return PlanSpread(arguments, {kReduction});
}

template <Reduction kReduction>
OperationPlan PlanWithMean(const Arguments& arguments) {
  return PlanSpread(arguments, {kReduction, Reduction::kMean});
}

void AddRows(OperationTable& table, const std::string& name, const PlanFunction& plan) {
  const InputLayout strided = InputLayout::kStrided;
  table.Add({"torch." + name, "Tensor." + name},
            "Tensor input|self, int[]? dim=None, Scalar? unbiased=None, bool keepdim=False, Scalar? correction=None",
            plan, strided);
  // PyTorch's overloads: flag only; axes with a flag or a correction.
  table.Add({"aten::" + name}, "Tensor input|self, Scalar? unbiased=None", plan, strided);
  table.Add({"aten::" + name}, "Tensor input|self, int[]? dim, Scalar? unbiased|correction, bool keepdim", plan,
            strided);
  // A file that names its arguments may leave out those that have a default.
  table.Add({"aten::" + name},
            "Tensor input|self, int[]? dim=None, Scalar? unbiased|correction=None, bool keepdim=False", plan, strided);
}

/// Plans the Euclidean, or another, norm of all elements of each output.
OperationPlan PlanNorm(const Arguments& arguments) {
  const ReductionRequest request = ReadReduction(arguments);
  RequireFloating(arguments, request);
  kernel::ReductionOptions options;
  const Value* p = arguments.Get("p").known();
  const bool named = p != nullptr && p->Is<std::string>();
  const std::string name = named ? p->Get<std::string>() : "";
  if (name == "inf" || name == "-inf") {
    options.p = name == "inf" ? HUGE_VAL : -HUGE_VAL;
  } else if (named && name != "fro") {
    arguments.Fail(ErrorCode::kUnsupported, "p is '" + name + "', expected a number, inf, -inf or fro");
  } else if (!named && arguments.Has("p")) {
    options.p = arguments.Float("p");
  }
  return PlanReduction(arguments, request, Reduction::kNorm, options);
}

}  // namespace

void RegisterVariance(OperationTable& table) {
  AddRows(table, "var", PlanOne<Reduction::kVariance>);
  AddRows(table, "std", PlanOne<Reduction::kDeviation>);
  AddRows(table, "var_mean", PlanWithMean<Reduction::kVariance>);
  AddRows(table, "std_mean", PlanWithMean<Reduction::kDeviation>);
  const InputLayout strided = InputLayout::kStrided;
  const std::string tail = ", int[]? dim=None, bool keepdim=False, dtype? dtype=None";
  table.Add({"torch.norm", "Tensor.norm", "aten::norm"}, "Tensor input|self, any? p=fro" + tail, PlanNorm, strided);
  table.Add({"torch.linalg.vector_norm", "aten::linalg_vector_norm"}, "Tensor input|self, any p|ord=2" + tail, PlanNorm,
            strided);
  table.Add({"aten::frobenius_norm"}, "Tensor input|self, int[]? dim=None, bool keepdim=False", PlanNorm, strided);
}

}  // namespace kuiper_infer
