// SPDX-License-Identifier: MIT
#include <cmath>
#include <string>

#include "operation/composition.hpp"
#include "operators/reduction/reduction_plan.hpp"
#include "shape/reduction.hpp"
#include "utils/dispatch.hpp"
#include "utils/rounding.hpp"

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

/// Plans the variance of complex numbers, which is the sum of the variances of their real and their imaginary parts.
OperationPlan PlanComplexSpread(const ReductionRequest& request, const std::vector<Reduction>& reductions,
                                const kernel::ReductionOptions& options) {
  const bool root = reductions.front() == Reduction::kDeviation;
  const bool with_mean = reductions.size() > 1;
  const ReductionRequest parts = PartsOf(request);
  const TensorSpec spec = parts.input.spec;
  const kernel::ReductionGeometry geometry = kernel::MakeReductionGeometry(spec, request.axes);
  const Shape shape = ReducedShape(request.input.spec.shape, request.axes, request.keep_axes);
  const TensorSpec variances(spec.type, {geometry.outputs});
  const int64_t scratch = AlignedBytes(kernel::ReduceWorkspace(Reduction::kVariance, geometry));
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(spec.type, shape)};
  if (with_mean) plan.outputs.push_back(OutputPlan::New(request.input.spec.type, shape));
  plan.workspace_bytes = scratch + ByteCount(spec.type, variances.shape);
  plan.run = [=, index = request.input.input](const RunContext& c) {
    const ConstArrayView input{c.inputs[index].data, spec};
    const ArrayView of_parts{c.workspace + scratch, variances};
    kernel::Reduce(Reduction::kVariance, options, geometry, input, c.workspace, of_parts);
    DispatchFloating(spec.type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      const T* const from = of_parts.template as<T>();
      T* const to = c.outputs[0].template as<T>();
      for (int64_t i = 0; i < geometry.outputs / 2; ++i) {
        const T sum = from[2 * i] + from[2 * i + 1];
        to[i] = root ? std::sqrt(sum) : sum;
      }
    });
    if (!with_mean) return;
    kernel::Reduce(Reduction::kMean, options, geometry, input, c.workspace, {c.outputs[1].data, variances});
  };
  return plan;
}

OperationPlan PlanSpread(const Arguments& arguments, const std::vector<Reduction>& reductions) {
  const ReductionRequest request = ReadReduction(arguments);
  kernel::ReductionOptions options;
  options.correction = ReadCorrection(arguments);
  if (IsComplex(request.input.spec.type)) return PlanComplexSpread(request, reductions, options);
  RequireFloating(arguments, request);
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

/// Plans the norm of complex numbers, which is that of their absolute values.
OperationPlan PlanComplexNorm(const Arguments& arguments, const ReductionRequest& request) {
  Composition composition(arguments);
  CallArguments call = {{"input", composition.Call("torch.abs", {{"input", request.input}})},
                        {"keepdim", request.keep_axes}};
  if (!request.axes.empty()) call["dim"] = request.axes;
  if (arguments.Has("p")) call["p"] = arguments.Get("p");
  return composition.Finish({composition.Call("torch.norm", call)});
}

/// Plans the Euclidean, or another, norm of all elements of each output.
OperationPlan PlanNorm(const Arguments& arguments) {
  const ReductionRequest request = ReadReduction(arguments);
  if (IsComplex(request.input.spec.type) && request.type == RuntimeDataType::kTypeUnknown) {
    return PlanComplexNorm(arguments, request);
  }
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
