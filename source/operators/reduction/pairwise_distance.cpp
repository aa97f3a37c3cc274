// SPDX-License-Identifier: MIT
#include <string>

#include "kernel/reduction/reduce.hpp"
#include "operation/composition.hpp"
#include "operation/parameters.hpp"
#include "shape/broadcast.hpp"
#include "shape/promote.hpp"
#include "shape/reduction.hpp"
#include "shape/row_loop.hpp"
#include "utils/dispatch.hpp"

namespace kuiper_infer {
namespace {

/// Plans the p-norm of x1 - x2 + eps along the last axis, of floating arrays of one type.
OperationPlan PlanDistance(const Arguments& arguments, const TensorArgument& x1, const TensorArgument& x2) {
  const RuntimeDataType type = x1.spec.type;
  const Shape shape = BroadcastShapes(x1.spec.shape, x2.spec.shape);
  arguments.Require(!shape.empty(), "x1 and x2 are numbers, expected rank 1 or more");
  const TensorSpec differences(type, shape);
  const std::vector<int64_t> axes{differences.rank() - 1};
  const kernel::ReductionGeometry geometry = kernel::MakeReductionGeometry(differences, axes);
  const RowLoop<3> loop(shape,
                        {BroadcastStrides(x1.spec, shape), BroadcastStrides(x2.spec, shape), differences.strides});
  kernel::ReductionOptions options;
  options.p = arguments.Float("p");
  const double eps = arguments.Float("eps");

  OperationPlan plan;
  plan.outputs = {OutputPlan::New(type, ReducedShape(shape, axes, arguments.Bool("keepdim")))};
  plan.workspace_bytes = ByteCount(type, shape);
  plan.run = [loop, geometry, options, eps, differences, a = x1.input, b = x2.input](const RunContext& c) {
    DispatchFloating(differences.type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      const T* left = c.inputs[a].as<T>();
      const T* right = c.inputs[b].as<T>();
      auto* out = reinterpret_cast<T*>(c.workspace);
      const auto strides = loop.strides();
      loop.ForEach(1, [&](const auto& at, int64_t count) {
        for (int64_t i = 0; i < count; ++i) {
          out[at[2] + i * strides[2]] =
              left[at[0] + i * strides[0]] - right[at[1] + i * strides[1]] + static_cast<T>(eps);
        }
      });
    });
    kernel::Reduce(kernel::Reduction::kNorm, options, geometry, {c.workspace, differences}, nullptr, c.outputs[0]);
  };
  return plan;
}

OperationPlan PlanPairwiseDistance(const Arguments& arguments) {
  const TensorArgument& x1 = arguments.Tensor("x1");
  const TensorArgument& x2 = arguments.Tensor("x2");
  const RuntimeDataType type = FloatingResult(Promote(x1.spec, x2.spec));
  arguments.Require(!IsComplex(type),
                    "found " + SpecString(x1.spec) + " and " + SpecString(x2.spec) + ", expected real numbers");
  if (x1.spec.type == type && x2.spec.type == type) return PlanDistance(arguments, x1, x2);
  Composition composition(arguments);
  return composition.Finish(
      {composition.Apply({composition.Convert(x1, type), composition.Convert(x2, type)},
                         [&](const std::vector<TensorArgument>& x) { return PlanDistance(arguments, x[0], x[1]); })});
}

}  // namespace

void RegisterPairwiseDistance(OperationTable& table) {
  table.Add({"F.pairwise_distance", "nn.PairwiseDistance", "aten::pairwise_distance"},
            "Tensor x1|input|self, Tensor x2|other, float p|norm=2.0, float eps=1e-6, bool keepdim=False",
            PlanPairwiseDistance, InputLayout::kStrided);
}

}  // namespace kuiper_infer
