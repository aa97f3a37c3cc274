// SPDX-License-Identifier: MIT
#include <algorithm>

#include "kernel/movement/copy.hpp"
#include "kernel/normalization/line_normalization.hpp"
#include "operation/parameters.hpp"
#include "utils/dispatch.hpp"

namespace kuiper_infer {
namespace {

/// The spec with the axes of the norm moved to the end.
TensorSpec MoveAxesBack(const TensorSpec& spec, const std::vector<int64_t>& axes) {
  TensorSpec moved(spec.type, {}, {});
  for (const bool reduced : {false, true}) {
    for (int64_t axis = 0; axis < spec.rank(); ++axis) {
      if ((std::find(axes.begin(), axes.end(), axis) != axes.end()) != reduced) continue;
      moved.shape.push_back(spec.shape[axis]);
      moved.strides.push_back(spec.strides[axis]);
    }
  }
  return moved;
}

OperationPlan PlanNormalize(const Arguments& arguments) {
  const TensorArgument x = arguments.Tensor("input");
  RequireFloating(arguments, x);
  const Shape& shape = x.spec.shape;
  std::vector<int64_t> axes = arguments.Axes("dim", x.spec.rank());
  std::sort(axes.begin(), axes.end());
  const double p = arguments.Float("p");
  const double eps = arguments.Float("eps");
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(x.spec.type, shape)};

  const bool neighbours = axes.empty() || axes.back() - axes.front() + 1 == static_cast<int64_t>(axes.size());
  const TensorSpec row_major(x.spec.type, shape);
  const TensorSpec from = neighbours ? row_major : MoveAxesBack(row_major, axes);
  const TensorSpec packed(from.type, from.shape);
  const auto count = static_cast<int64_t>(axes.size());
  const int64_t first = neighbours && count > 0 ? axes.front() : x.spec.rank() - count;
  const auto axis = from.shape.begin() + first;
  const AxisGeometry geometry{ElementCount(Shape(from.shape.begin(), axis)), ElementCount(Shape(axis, axis + count)),
                              ElementCount(Shape(axis + count, from.shape.end()))};
  if (!neighbours) plan.workspace_bytes = ByteCount(packed.type, packed.shape);
  plan.run = [p, eps, geometry, neighbours, from, packed, input = x.input](const RunContext& c) {
    DispatchFloating(from.type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      if (neighbours) {
        kernel::NormalizeLines(p, eps, geometry, c.inputs[input].as<T>(), c.outputs[0].as<T>());
        return;
      }
      T* lines = reinterpret_cast<T*>(c.workspace);
      kernel::Copy({c.inputs[input].data, from}, {lines, packed});
      kernel::NormalizeLines(p, eps, geometry, lines, lines);
      kernel::Copy({lines, packed}, {c.outputs[0].data, from});
    });
  };
  return plan;
}

}  // namespace

void RegisterNormalize(OperationTable& table) {
  table.Add({"F.normalize"}, "Tensor input, float p=2, int[]? dim=1, float eps=1e-12", PlanNormalize);
}

}  // namespace kuiper_infer
