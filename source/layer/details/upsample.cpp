// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <optional>
#include <type_traits>

#include "kernel/adaptive_pooling.hpp"
#include "kernel/resize.hpp"
#include "layer/details/parameters.hpp"
#include "utils/dispatch.hpp"
#include "utils/parallel.hpp"

namespace kuiper_infer {
namespace {

using kernel::ResizeMode;

struct ModeRow {
  const char* name;
  int64_t dimensions;  ///< 0: any from 1 to 3
  ResizeMode mode;
  ResizeMode antialias;
};

constexpr ModeRow kModes[] = {
    {"nearest", 0, ResizeMode::kNearest, ResizeMode::kNearest},
    {"nearest-exact", 0, ResizeMode::kNearestExact, ResizeMode::kNearestExact},
    {"linear", 1, ResizeMode::kLinear, ResizeMode::kLinear},
    {"bilinear", 2, ResizeMode::kLinear, ResizeMode::kLinearAntialias},
    {"bicubic", 2, ResizeMode::kCubic, ResizeMode::kCubicAntialias},
    {"trilinear", 3, ResizeMode::kLinear, ResizeMode::kLinear},
    {"area", 0, ResizeMode::kNearest, ResizeMode::kNearest},
};

const ModeRow& ReadMode(const Arguments& arguments) {
  const std::string mode = arguments.String("mode");
  for (const ModeRow& row : kModes) {
    if (mode == row.name) return row;
  }
  std::string names;
  for (const ModeRow& row : kModes) names += std::string(names.empty() ? "'" : ", '") + row.name + "'";
  arguments.Fail(ErrorCode::kArgument, "mode is '" + mode + "', expected one of " + names);
}

/// The scale of each axis, as far as there is one: `scale_factor`, or the raw operators' scales_d, scales_h, scales_w.
std::vector<std::optional<double>> ReadScales(const Arguments& arguments, int64_t axes) {
  std::vector<std::optional<double>> scales(static_cast<std::size_t>(axes));
  if (arguments.Has("scale_factor")) {
    std::vector<double> factors = arguments.Floats("scale_factor");
    if (factors.size() == 1) factors.resize(scales.size(), factors.front());
    arguments.Require(factors.size() == scales.size(), "scale_factor has " + std::to_string(factors.size()) +
                                                           " numbers, expected " + std::to_string(axes));
    std::copy(factors.begin(), factors.end(), scales.begin());
    return scales;
  }
  const char* const names[] = {"scales_d", "scales_h", "scales_w"};
  for (int64_t axis = 0; axis < axes; ++axis) {
    const char* name = names[3 - axes + axis];
    if (arguments.Has(name)) scales[axis] = arguments.Float(name);
  }
  return scales;
}

/// Extents of the output: `size`, or floor(extent * scale).
Shape ReadExtents(const Arguments& arguments, const Shape& image, const std::vector<std::optional<double>>& scales) {
  const auto axes = static_cast<int64_t>(image.size());
  Shape extents(image.size());
  if (arguments.Has("size")) {
    extents = arguments.Ints("size", axes);
  } else {
    for (int64_t axis = 0; axis < axes; ++axis) {
      arguments.Require(scales[axis].has_value(), "neither size nor scale_factor is given");
      const double extent = std::floor(static_cast<double>(image[axis]) * *scales[axis]);
      arguments.Require(extent >= 1 && extent < 9.0e15, "scale_factor " + std::to_string(*scales[axis]) +
                                                            " makes no image of an extent of " +
                                                            std::to_string(image[axis]));
      extents[axis] = static_cast<int64_t>(extent);
    }
  }
  for (int64_t axis = 0; axis < axes; ++axis) {
    arguments.Require(image[axis] > 0 && extents[axis] > 0,
                      "resizing from " + ShapeString(image) + " to " + ShapeString(extents) + ", expected extents above 0");
  }
  return extents;
}

/// Fills depth, height and width from the last axes of a shape.
Extents3 ToExtents3(const Shape& extents) {
  Extents3 result{1, 1, 1};
  std::copy(extents.begin(), extents.end(), result.end() - static_cast<std::ptrdiff_t>(extents.size()));
  return result;
}

template <class T>
void PlanSampling(OperationPlan& plan, const SpatialInput& spatial, ResizeMode mode, const Shape& extents,
                  const std::vector<std::optional<double>>& scales, bool align_corners) {
  std::array<kernel::ResizeAxis<T>, 3> axes;
  const std::size_t lead = 3 - extents.size();
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    axes[lead + axis] =
        kernel::MakeResizeAxis<T>(mode, spatial.image[axis], extents[axis], scales[axis], align_corners);
  }
  const int64_t slots = kernel::ResizeSlots(axes, spatial.planes, MaxThreads());
  plan.workspace_bytes = slots * spatial.image.back() * static_cast<int64_t>(sizeof(T));
  plan.run = [axes, slots, planes = spatial.planes, input = spatial.input.input](const RunContext& c) {
    kernel::Resize(axes, planes, slots, c.inputs[input].as<T>(), reinterpret_cast<T*>(c.workspace),
                   c.outputs[0].as<T>());
  };
}

OperationPlan PlanUpsample(const Arguments& arguments) {
  const ModeRow& row = ReadMode(arguments);
  const int64_t rank = arguments.Tensor("input").spec.rank();
  const int64_t axes = row.dimensions > 0 ? row.dimensions : std::clamp<int64_t>(rank - 2, 1, 3);
  const SpatialInput spatial = ReadSpatialInput(arguments, axes, false);
  RequireFloating(arguments, spatial.input);
  std::vector<std::optional<double>> scales = ReadScales(arguments, axes);
  const Shape extents = ReadExtents(arguments, spatial.image, scales);
  const bool recompute = arguments.Has("recompute_scale_factor") && arguments.Bool("recompute_scale_factor");
  if (recompute) std::fill(scales.begin(), scales.end(), std::nullopt);
  const bool align_corners = arguments.Has("align_corners") && arguments.Bool("align_corners");
  const bool antialias = arguments.Has("antialias") && arguments.Bool("antialias");
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(spatial.type(), spatial.OutputShape(extents))};
  if (row.name == std::string("area")) {
    plan.run = [from = ToExtents3(spatial.image), to = ToExtents3(extents), planes = spatial.planes,
                input = spatial.input.input](const RunContext& c) {
      DispatchFloating(c.inputs[input].type(), [&](auto tag) {
        using T = typename decltype(tag)::type;
        kernel::AdaptiveAveragePool(from, to, planes, c.inputs[input].as<T>(), c.outputs[0].as<T>());
      });
    };
    return plan;
  }
  DispatchFloating(spatial.type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    PlanSampling<T>(plan, spatial, antialias ? row.antialias : row.mode, extents, scales, align_corners);
  });
  return plan;
}

}  // namespace

void RegisterUpsample(OperationTable& table) {
  const std::string any = "Tensor input, int[]? size=None, float[]? scale_factor=None, ";
  table.Add({"nn.Upsample", "F.upsample", "F.interpolate"},
            any + "str mode=nearest, bool? align_corners=None, bool? recompute_scale_factor=None, bool? antialias=None",
            PlanUpsample);
  table.Add({"nn.UpsamplingNearest2d", "F.upsample_nearest"}, any + "str mode=nearest", PlanUpsample);
  table.Add({"nn.UpsamplingBilinear2d", "F.upsample_bilinear"}, any + "str mode=bilinear, bool align_corners=True",
            PlanUpsample);
  // Raw operators: first the overload that takes a list of scales, then the one with a scale for each axis.
  const auto add_raw = [&](const std::string& type, const std::string& align, const std::string& scales,
                           const std::string& fixed) {
    table.Add({type}, "Tensor input, int[]? size|output_size, " + align + "float[]? scale_factor|scale_factors=None, " + fixed,
              PlanUpsample);
    table.Add({type}, "Tensor input|self, int[] size|output_size, " + align + scales + fixed, PlanUpsample);
  };
  const std::string scales1 = "float? scales_w|scales=None, ";
  const std::string scales2 = "float? scales_h=None, float? scales_w=None, ";
  const std::string scales3 = "float? scales_d=None, " + scales2;
  const std::string align = "bool align_corners, ";
  add_raw("aten::upsample_nearest1d", "", scales1, "str mode=nearest");
  add_raw("aten::upsample_nearest2d", "", scales2, "str mode=nearest");
  add_raw("aten::upsample_nearest3d", "", scales3, "str mode=nearest");
  add_raw("aten::_upsample_nearest_exact1d", "", scales1, "str mode=nearest-exact");
  add_raw("aten::_upsample_nearest_exact2d", "", scales2, "str mode=nearest-exact");
  add_raw("aten::_upsample_nearest_exact3d", "", scales3, "str mode=nearest-exact");
  add_raw("aten::upsample_linear1d", align, scales1, "str mode=linear");
  add_raw("aten::upsample_bilinear2d", align, scales2, "str mode=bilinear");
  add_raw("aten::upsample_bicubic2d", align, scales2, "str mode=bicubic");
  add_raw("aten::upsample_trilinear3d", align, scales3, "str mode=trilinear");
  add_raw("aten::_upsample_bilinear2d_aa", align, scales2, "str mode=bilinear, bool antialias=True");
  add_raw("aten::_upsample_bicubic2d_aa", align, scales2, "str mode=bicubic, bool antialias=True");
}

}  // namespace kuiper_infer
