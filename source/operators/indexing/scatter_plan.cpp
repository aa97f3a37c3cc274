// SPDX-License-Identifier: MIT
#include "operators/indexing/scatter_plan.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "operation/converted_operand.hpp"
#include "operation/strided_copy.hpp"
#include "operators/indexing/indexing.hpp"

namespace kuiper_infer {

using kernel::ScatterKind;

namespace {

/// The initial value of an element if its own value does not take part.
NdArray Neutral(ScatterKind kind, RuntimeDataType type) {
  const bool extreme = kind == ScatterKind::kMax || kind == ScatterKind::kMin;
  const double sign = kind == ScatterKind::kMax ? -1 : 1;
  if (extreme && type == RuntimeDataType::kTypeBool) return NdArray::Scalar(type, kind == ScatterKind::kMin);
  // Conversion to an integer type saturates at its limits.
  const double number = extreme ? sign * HUGE_VAL : (kind == ScatterKind::kMultiply ? 1 : 0);
  return NdArray::Scalar(RuntimeDataType::kTypeFloat64, number).To(type);
}

}  // namespace

OperationPlan PlanScatterWith(const Arguments& arguments, const ScatterRequest& request, const char* source_name) {
  const TensorArgument& input = arguments.Tensor("input");
  const TensorArgument& index = arguments.Tensor("index");
  RequireIndexType(arguments, index);
  const RuntimeDataType type = input.spec.type;
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(type, input.spec.shape)};
  const StridedCopy all(input, StridedView(plan.outputs.front().spec));
  const ConvertedOperand numbers(index, RuntimeDataType::kTypeInt64, plan.workspace_bytes);
  const ConvertedOperand source(arguments.Tensor(source_name), type, plan.workspace_bytes);

  const TensorSpec target = AtLeastOneAxis(plan.outputs.front().spec);
  const int64_t axis = arguments.Axis("dim", target.rank());
  const TensorSpec positions = AtLeastOneAxis(numbers.spec());
  // The shape of the walk: the index array's, or the input's with as many elements along the axis as there are
  // positions.
  Shape walked = positions.shape;
  Strides index_strides = positions.strides;
  if (request.one_dimensional) {
    arguments.Require(positions.rank() == 1, "index is " + ShapeString(index.spec.shape) + ", expected rank 1");
    walked = target.shape;
    walked[axis] = positions.shape[0];
    index_strides.assign(walked.size(), 0);
    index_strides[axis] = positions.strides[0];
  }
  const TensorSpec given =
      source.spec().rank() == 0 ? TensorSpec(type, walked, Strides(walked.size(), 0)) : source.spec();
  bool fits = ElementCount(walked) == 0 ||
              (given.rank() == target.rank() && static_cast<int64_t>(walked.size()) == target.rank());
  for (std::size_t i = 0; fits && ElementCount(walked) > 0 && i < walked.size(); ++i) {
    fits = walked[i] <= given.shape[i] && (static_cast<int64_t>(i) == axis || walked[i] <= target.shape[i]);
  }
  arguments.Require(fits, "index " + ShapeString(index.spec.shape) + " and source " + ShapeString(source.spec().shape) +
                              ", expected extents that fit into the input " + ShapeString(input.spec.shape));
  const auto copy = [all, first = input.input](const RunContext& c) {
    if (!InPlace(c, first)) all.Run(c);
  };
  if (ElementCount(walked) == 0) {
    plan.run = copy;
    return plan;
  }
  Strides to = target.strides;
  to[axis] = 0;
  const kernel::ScatterLoop loop(walked, {index_strides, given.strides, to});
  const kernel::ScatterLoop constant_loop(walked, {index_strides, Strides(walked.size(), 0), to});
  const kernel::IndexedAxis range{target.shape[axis], target.strides[axis], request.one_dimensional};
  const int64_t count_offset = plan.workspace_bytes;
  const int64_t size = input.spec.size();
  if (request.mean) plan.workspace_bytes += ByteCount(RuntimeDataType::kTypeInt64, {size});
  if (request.one_dimensional && !request.mean && input.input == 0 && index.input >= 0) {
    plan.changed_rows = ChangedRows{kernel::ChooseRows(target, axis, walked[axis]), index.input};
  }
  const NdArray neutral = Neutral(request.kind, type);
  plan.run = [=](const RunContext& c) {
    copy(c);
    void* out = c.outputs[0].data;
    const auto* at = static_cast<const int64_t*>(numbers.Data(c));
    const auto check = [&](const std::optional<kernel::IndexFault>& fault) { CheckIndex(fault, axis, range); };
    if (!request.include_self) {
      check(kernel::Scatter(ScatterKind::kAssign, constant_loop, range, type, 1, at, neutral.raw(), out));
    }
    check(kernel::Scatter(request.kind, loop, range, type, request.alpha, at, source.Data(c), out));
    if (!request.mean) return;
    auto* counts = reinterpret_cast<int64_t*>(c.workspace + count_offset);
    std::fill_n(counts, size, request.include_self ? 1 : 0);
    const int64_t one = 1;
    kernel::Scatter(ScatterKind::kAdd, constant_loop, range, RuntimeDataType::kTypeInt64, 1, at, &one, counts);
    kernel::DivideByCounts(type, size, counts, out);
  };
  return plan;
}

}  // namespace kuiper_infer
