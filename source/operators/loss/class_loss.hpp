// SPDX-License-Identifier: MIT
#pragma once

#include "operation/parameters.hpp"
#include "operators/loss/loss.hpp"
#include "utils/dispatch.hpp"

namespace kuiper_infer {

/// Parts of the losses whose targets are class numbers.

/// Reads argument `target`: class numbers, int64 of this shape. Throws Error for any other array.
inline const TensorArgument& ReadTargets(const Arguments& arguments, const Shape& shape) {
  const TensorArgument& target = arguments.Tensor("target");
  arguments.Require(target.spec.type == RuntimeDataType::kTypeInt64 && target.spec.shape == shape,
                    "target is " + SpecString(target.spec) + ", expected " +
                        SpecString(TensorSpec(RuntimeDataType::kTypeInt64, shape)));
  return target;
}

/// Plans losses of this shape and their reduction. `write(context, losses)` fills the losses, numbers of `type` in
/// row-major order, and returns the divisor of a mean.
template <class Write>
OperationPlan PlanReducedLoss(const Arguments& arguments, RuntimeDataType type, const Shape& losses, Write write) {
  const LossReduction reduction = ReadLossReduction(arguments);
  const int64_t count = ElementCount(losses);
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(type, reduction == LossReduction::kNone ? losses : Shape{})};
  plan.workspace_bytes = ByteCount(type, {count});
  plan.run = [=](const RunContext& c) {
    DispatchFloating(type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      T* out = c.outputs[0].template as<T>();
      T* each = reduction == LossReduction::kNone ? out : reinterpret_cast<T*>(c.workspace);
      const double divisor = write(c, each);
      if (reduction == LossReduction::kNone) return;
      double sum = 0;
      for (int64_t i = 0; i < count; ++i) sum += static_cast<double>(each[i]);
      *out = static_cast<T>(reduction == LossReduction::kMean ? sum / divisor : sum);
    });
  };
  return plan;
}

}  // namespace kuiper_infer
