// SPDX-License-Identifier: MIT
// PyTorch's native forms of batch normalisation, which give the statistics saved for training, too.
#include "operation/composition.hpp"
#include "operators/normalization/batch_norm.hpp"
#include "operators/normalization/statistics.hpp"

namespace kuiper_infer {
namespace {

/// Plans the output and the statistics of the batch, which are computed only if the model has operands for them.
OperationPlan PlanOwnStatistics(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  Composition composition(arguments);
  CallArguments call = {{"input", input}, {"training", true}, {"eps", arguments.Get("eps")}};
  for (const char* name : {"weight", "bias"}) call[name] = arguments.Get(name);
  const TensorArgument result = composition.Call("aten::batch_norm", call);
  if (arguments.output_count() == 1) return composition.Finish({result});
  std::vector<int64_t> axes;
  for (int64_t axis = 0; axis < input.spec.rank(); ++axis) {
    if (axis != 1) axes.push_back(axis);
  }
  const RowStatistics statistics = ComputeStatistics(composition, input, axes, false);
  return composition.Finish({result, statistics.mean, statistics.deviation});
}

/// The statistics saved for training are empty outside of it.
OperationPlan PlanNativeBatchNorm(const Arguments& arguments) {
  if (arguments.Bool("training")) return PlanOwnStatistics(arguments);
  OperationPlan plan = PlanKnownStatistics(arguments, 1);
  const RuntimeDataType type = plan.outputs.front().spec.type;
  for (int i = 1; i < arguments.output_count(); ++i) plan.outputs.push_back(OutputPlan::New(type, {0}));
  return plan;
}

}  // namespace

void RegisterNativeBatchNorm(OperationTable& table) {
  const std::string affine = "Tensor input, Tensor? weight=None, Tensor? bias=None, ";
  const std::string statistics = "Tensor? running_mean=None, Tensor? running_var=None, ";
  const std::string rest = "float momentum=0.1, float eps=1e-5";
  table.Add({"aten::native_batch_norm", "aten::_native_batch_norm_legit"},
            affine + statistics + "bool training=False, " + rest, PlanNativeBatchNorm);
  // The overload without statistics.
  table.Add({"aten::_native_batch_norm_legit"}, affine + "bool training=True, " + rest, PlanOwnStatistics);
  table.Add({"aten::_native_batch_norm_legit_no_training", "aten::_batch_norm_no_update"},
            affine + statistics + rest + ", bool training=False", PlanNativeBatchNorm);
}

}  // namespace kuiper_infer
