// SPDX-License-Identifier: MIT
#include "operators/reduction/reduction_plan.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "kernel/movement/copy.hpp"
#include "operation/parameters.hpp"
#include "shape/reduction.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer {
namespace {

using kernel::Reduction;

bool IsExtreme(Reduction reduction, const kernel::ReductionOptions& options) {
  return reduction == Reduction::kMax || reduction == Reduction::kMin ||
         (reduction == Reduction::kNorm && (options.p < 0 || std::isinf(options.p)));
}

}  // namespace

ReductionRequest ReadReduction(const Arguments& arguments) {
  ReductionRequest request;
  request.input = arguments.Tensor("input");
  request.axes = arguments.Axes("dim", request.input.spec.rank());
  request.keep_axes = arguments.Has("keepdim") && arguments.Bool("keepdim");
  request.type = arguments.Type("dtype");
  return request;
}

void RequireFloating(const Arguments& arguments, const ReductionRequest& request) {
  const RuntimeDataType type = request.type == RuntimeDataType::kTypeUnknown ? request.input.spec.type : request.type;
  arguments.Require(type == RuntimeDataType::kTypeFloat32 || type == RuntimeDataType::kTypeFloat64,
                    std::string("input is ") + TypeName(type) + ", expected float32 or float64");
}

OperationPlan PlanReduction(const Arguments& arguments, const ReductionRequest& request, Reduction reduction,
                            const kernel::ReductionOptions& options) {
  return PlanReductions(arguments, request, {reduction}, options);
}

OperationPlan PlanReductions(const Arguments& arguments, const ReductionRequest& request,
                             const std::vector<Reduction>& reductions, const kernel::ReductionOptions& options) {
  const TensorSpec& given = request.input.spec;
  const bool convert = request.type != RuntimeDataType::kTypeUnknown && request.type != given.type;
  const TensorSpec spec = convert ? TensorSpec(request.type, given.shape) : given;
  const kernel::ReductionGeometry geometry = kernel::MakeReductionGeometry(spec, request.axes);
  const Shape shape = ReducedShape(spec.shape, request.axes, request.keep_axes);
  OperationPlan plan;
  int64_t scratch = 0;
  for (const Reduction reduction : reductions) {
    arguments.Require(geometry.count > 0 || geometry.outputs == 0 || !IsExtreme(reduction, options),
                      "input is " + ShapeString(spec.shape) + ", expected elements to reduce");
    plan.outputs.push_back(OutputPlan::New(kernel::ReducedType(reduction, spec.type), shape));
    scratch = std::max(scratch, AlignedBytes(kernel::ReduceWorkspace(reduction, geometry)));
  }
  plan.workspace_bytes = scratch + (convert ? ByteCount(spec.type, spec.shape) : 0);
  plan.run = [geometry, reductions, options, convert, scratch, spec, given,
              index = request.input.input](const RunContext& c) {
    ConstArrayView input{c.inputs[index].data, given};
    if (convert) {
      const ArrayView converted{c.workspace + scratch, spec};
      kernel::Copy(input, converted);
      input = converted;
    }
    for (std::size_t i = 0; i < reductions.size(); ++i) {
      kernel::Reduce(reductions[i], options, geometry, input, c.workspace, c.outputs[i]);
    }
  };
  return plan;
}

OperationPlan PlanTotal(const Arguments& arguments, const ReductionRequest& request, Reduction reduction) {
  return PlanTotalInAskedType(arguments, request.input, [&](const TensorArgument& input, RuntimeDataType type) {
    // The kernel reads integers of any type and adds them up as int64.
    const bool as_they_are = !IsFloating(type) && !IsComplex(type) && !IsFloating(input.spec.type);
    ReductionRequest converted = request;
    converted.input = input;
    converted.type = as_they_are ? RuntimeDataType::kTypeUnknown : type;
    return PlanReduction(arguments, converted, reduction);
  });
}

ReductionRequest PartsOf(const ReductionRequest& request) {
  ReductionRequest parts = request;
  TensorSpec& spec = parts.input.spec;
  const bool wide = spec.type == RuntimeDataType::kTypeComplex128;
  spec.type = wide ? RuntimeDataType::kTypeFloat64 : RuntimeDataType::kTypeFloat32;
  for (int64_t& step : spec.strides) step *= 2;
  spec.shape.push_back(2);
  spec.strides.push_back(1);
  return parts;
}

OperationPlan PlanOfParts(const Arguments& arguments, const ReductionRequest& request, Reduction reduction) {
  OperationPlan plan = PlanReduction(arguments, PartsOf(request), reduction);
  plan.outputs = {OutputPlan::New(request.input.spec.type,
                                  ReducedShape(request.input.spec.shape, request.axes, request.keep_axes))};
  return plan;
}

}  // namespace kuiper_infer
