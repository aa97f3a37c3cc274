// SPDX-License-Identifier: MIT
// PyTorch's native forms of normalisations, which give the statistics, too. Statistics are computed only for models
// that have operands for them.
#include <limits>
#include <numeric>
#include <string>

#include "operation/parameters.hpp"
#include "operators/normalization/statistics.hpp"

namespace kuiper_infer {
namespace {

/// The plan of another operation, which has the names of its arguments in common with this one.
OperationPlan PlanAs(const Arguments& arguments, const char* type) {
  return OperationTable::Instance().Get(type).plan(arguments);
}

/// The last axes, as many as normalized_shape has.
std::vector<int64_t> NormalizedAxes(const Arguments& arguments) {
  const auto count = static_cast<int64_t>(arguments.Ints("normalized_shape").size());
  std::vector<int64_t> axes(static_cast<std::size_t>(count));
  std::iota(axes.begin(), axes.end(), -count);
  return axes;
}

OperationPlan PlanNativeLayerNorm(const Arguments& arguments) {
  if (arguments.output_count() == 1) return PlanAs(arguments, "aten::layer_norm");
  const TensorArgument& input = arguments.Tensor("input");
  Composition composition(arguments);
  const TensorArgument result =
      composition.Call("aten::layer_norm", {{"input", input},
                                            {"normalized_shape", arguments.Get("normalized_shape")},
                                            {"weight", arguments.Get("weight")},
                                            {"bias", arguments.Get("bias")},
                                            {"eps", arguments.Get("eps")}});
  const RowStatistics statistics = ComputeStatistics(composition, input, NormalizedAxes(arguments), true);
  return composition.Finish({result, statistics.mean, statistics.deviation});
}

/// Plans the output and the reciprocal root of the mean square of each row.
OperationPlan PlanFusedRmsNorm(const Arguments& arguments) {
  if (arguments.output_count() == 1) return PlanAs(arguments, "aten::rms_norm");
  const TensorArgument& input = arguments.Tensor("input");
  Composition composition(arguments);
  const TensorArgument result =
      composition.Call("aten::rms_norm", {{"input", input},
                                          {"normalized_shape", arguments.Get("normalized_shape")},
                                          {"weight", arguments.Get("weight")},
                                          {"eps", arguments.Get("eps")}});
  const TensorArgument squares = ApplyFormula(composition, "square(input)", {{"input", input}});
  const TensorArgument mean =
      composition.Call("torch.mean", {{"input", squares}, {"dim", NormalizedAxes(arguments)}, {"keepdim", true}});
  const double machine = input.spec.type == RuntimeDataType::kTypeFloat64 ? std::numeric_limits<double>::epsilon()
                                                                          : std::numeric_limits<float>::epsilon();
  const double epsilon = arguments.Has("eps") ? arguments.Float("eps") : machine;
  return composition.Finish(
      {result, ApplyFormula(composition, "rsqrt(add(mean, eps))", {{"mean", mean}, {"eps", epsilon}})});
}

/// Throws Error unless N, C and HxW are the extents of the input.
void RequireExtents(const Arguments& arguments) {
  const Shape& shape = arguments.Tensor("input").spec.shape;
  const Shape given = {arguments.Int("N"), arguments.Int("C"), arguments.Int("HxW")};
  const bool fits =
      shape.size() >= 2 && given == Shape{shape[0], shape[1], ElementCount({shape.begin() + 2, shape.end()})};
  arguments.Require(fits, "input is " + ShapeString(shape) + ", expected N, C and HxW of " + ShapeString(given));
}

OperationPlan PlanNativeGroupNorm(const Arguments& arguments) {
  RequireExtents(arguments);
  if (arguments.output_count() == 1) return PlanAs(arguments, "aten::group_norm");
  const TensorArgument& input = arguments.Tensor("input");
  Composition composition(arguments);
  const TensorArgument result = composition.Call("aten::group_norm", {{"input", input},
                                                                      {"num_groups", arguments.Get("num_groups")},
                                                                      {"weight", arguments.Get("weight")},
                                                                      {"bias", arguments.Get("bias")},
                                                                      {"eps", arguments.Get("eps")}});
  const int64_t images = input.spec.shape[0];
  const int64_t groups = arguments.Int("num_groups");
  const Shape rows = {images, groups, images * groups == 0 ? 0 : input.spec.size() / (images * groups)};
  const TensorArgument grouped = composition.Call("Tensor.reshape", {{"input", input}, {"shape", rows}});
  const RowStatistics statistics = ComputeStatistics(composition, grouped, {2}, false);
  return composition.Finish({result, statistics.mean, statistics.deviation});
}

}  // namespace

void RegisterNativeNorm(OperationTable& table) {
  const std::string affine = "Tensor? weight=None, Tensor? bias=None, ";
  table.Add({"aten::native_layer_norm"},
            "Tensor input, int[] normalized_shape, " + affine + "float eps=1e-5, bool? elementwise_affine=None",
            PlanNativeLayerNorm);
  table.Add({"aten::_fused_rms_norm"},
            "Tensor input, int[] normalized_shape, Tensor? weight=None, float? eps=None, "
            "bool? elementwise_affine=None",
            PlanFusedRmsNorm);
  table.Add(
      {"aten::native_group_norm"},
      "Tensor input, " + affine + "int N, int C, int HxW, int num_groups|group, float eps=1e-5, bool? affine=None",
      PlanNativeGroupNorm, InputLayout::kStridedFirst);
}

}  // namespace kuiper_infer
