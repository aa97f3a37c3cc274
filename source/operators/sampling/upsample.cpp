// SPDX-License-Identifier: MIT
#include <algorithm>

#include "kernel/pooling/adaptive_pooling.hpp"
#include "operation/composition.hpp"
#include "operation/planning_context.hpp"
#include "operation/strided_operand.hpp"
#include "operators/sampling/channels_last_resize.hpp"
#include "operators/sampling/upsample_arguments.hpp"
#include "utils/dispatch.hpp"

namespace kuiper_infer {
namespace {

/// Fills depth, height and width from the last axes of a shape.
Extents3 ToExtents3(const Shape& extents) {
  Extents3 result{1, 1, 1};
  std::copy(extents.begin(), extents.end(), result.end() - static_cast<std::ptrdiff_t>(extents.size()));
  return result;
}

template <class T>
void PlanSampling(OperationPlan& plan, const UpsampleArguments& read, int threads) {
  const std::array<kernel::ResizeAxis<T>, 3> axes = MakeResizeAxes<T>(read);
  const int64_t planes = read.spatial.planes;
  const int64_t workers = kernel::ResizeWorkers(axes, planes, threads);
  const StridedOperand input = MakeRowMajorOperand(read.spatial.input, plan.workspace_bytes);
  const int64_t scratch = plan.workspace_bytes;
  plan.workspace_bytes += workers * read.spatial.image.back() * static_cast<int64_t>(sizeof(T));
  plan.run = [axes, workers, planes, scratch, input](const RunContext& c) {
    kernel::Resize(axes, planes, workers, static_cast<const T*>(OperandData(input, c)),
                   reinterpret_cast<T*>(c.workspace + scratch), c.outputs[0].as<T>());
  };
}

template <class T>
void PlanArea(OperationPlan& plan, const UpsampleArguments& read) {
  const StridedOperand input = MakeRowMajorOperand(read.spatial.input, plan.workspace_bytes);
  plan.run = [from = ToExtents3(read.spatial.image), to = ToExtents3(read.extents), planes = read.spatial.planes,
              input](const RunContext& c) {
    kernel::AdaptiveAveragePool(from, to, planes, static_cast<const T*>(OperandData(input, c)), c.outputs[0].as<T>());
  };
}

/// Plans the nearest elements of bytes, in float32, which holds each byte exactly.
OperationPlan PlanBytes(const Arguments& arguments, const UpsampleArguments& read) {
  Composition composition(arguments);
  const TensorArgument numbers = composition.Convert(read.spatial.input, RuntimeDataType::kTypeFloat32);
  const TensorArgument chosen = composition.Apply({numbers}, [&](const std::vector<TensorArgument>& arrays) {
    UpsampleArguments inner = read;
    inner.spatial.input = arrays.front();
    OperationPlan plan;
    plan.outputs = {OutputPlan::New(inner.spatial.type(), inner.spatial.OutputShape(inner.extents))};
    PlanSampling<float>(plan, inner, arguments.context().threads);
    return plan;
  });
  return composition.Finish({composition.Convert(chosen, RuntimeDataType::kTypeUInt8)});
}

OperationPlan PlanUpsample(const Arguments& arguments) {
  const UpsampleArguments read = ReadUpsample(arguments);
  if (read.spatial.type() == RuntimeDataType::kTypeUInt8) return PlanBytes(arguments, read);
  if (std::optional<OperationPlan> plan = PlanChannelsLastResize(read)) return *std::move(plan);
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(read.spatial.type(), read.spatial.OutputShape(read.extents))};
  DispatchFloating(read.spatial.type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    read.area ? PlanArea<T>(plan, read) : PlanSampling<T>(plan, read, arguments.context().threads);
  });
  return plan;
}

bool TakesNearest(const Arguments& arguments) {
  const std::string mode = arguments.String("mode");
  return mode == "nearest" || mode == "nearest-exact";
}

}  // namespace

void RegisterUpsample(OperationTable& table) {
  const OutputValues chosen = Preserves({"input"}, TakesNearest);
  const std::string any = "Tensor input, int[]? size=None, float[]? scale_factor=None, ";
  table.Add({"nn.Upsample", "F.upsample", "F.interpolate"},
            any + "str mode=nearest, bool? align_corners=None, bool? recompute_scale_factor=None, bool? antialias=None",
            PlanUpsample, InputLayout::kStrided, chosen);
  table.Add({"nn.UpsamplingNearest2d", "F.upsample_nearest"}, any + "str mode=nearest", PlanUpsample,
            InputLayout::kStrided, chosen);
  table.Add({"nn.UpsamplingBilinear2d", "F.upsample_bilinear"}, any + "str mode=bilinear, bool align_corners=True",
            PlanUpsample, InputLayout::kStrided);
  // Raw operators: first the overload that takes a list of scales, then the one with a scale for each axis.
  const auto add_raw = [&](const std::string& type, const std::string& align, const std::string& scales,
                           const std::string& fixed, const OutputValues& values = {}) {
    table.Add({type},
              "Tensor input, int[]? size|output_size, " + align + "float[]? scale_factor|scale_factors=None, " + fixed,
              PlanUpsample, InputLayout::kStrided, values);
    table.Add({type}, "Tensor input|self, int[] size|output_size, " + align + scales + fixed, PlanUpsample,
              InputLayout::kStrided, values);
  };
  const std::string scales1 = "float? scales_w|scales=None, ";
  const std::string scales2 = "float? scales_h=None, float? scales_w=None, ";
  const std::string scales3 = "float? scales_d=None, " + scales2;
  const std::string align = "bool align_corners, ";
  add_raw("aten::upsample_nearest1d", "", scales1, "str mode=nearest", chosen);
  add_raw("aten::upsample_nearest2d", "", scales2, "str mode=nearest", chosen);
  add_raw("aten::upsample_nearest3d", "", scales3, "str mode=nearest", chosen);
  add_raw("aten::_upsample_nearest_exact1d", "", scales1, "str mode=nearest-exact", chosen);
  add_raw("aten::_upsample_nearest_exact2d", "", scales2, "str mode=nearest-exact", chosen);
  add_raw("aten::_upsample_nearest_exact3d", "", scales3, "str mode=nearest-exact", chosen);
  add_raw("aten::upsample_linear1d", align, scales1, "str mode=linear");
  add_raw("aten::upsample_bilinear2d", align, scales2, "str mode=bilinear");
  add_raw("aten::upsample_bicubic2d", align, scales2, "str mode=bicubic");
  add_raw("aten::upsample_trilinear3d", align, scales3, "str mode=trilinear");
  add_raw("aten::_upsample_bilinear2d_aa", align, scales2, "str mode=bilinear, bool antialias=True");
  add_raw("aten::_upsample_bicubic2d_aa", align, scales2, "str mode=bicubic, bool antialias=True");
}

}  // namespace kuiper_infer
