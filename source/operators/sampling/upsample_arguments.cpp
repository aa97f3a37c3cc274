// SPDX-License-Identifier: MIT
#include "operators/sampling/upsample_arguments.hpp"

#include <algorithm>
#include <cmath>

#include "utils/numbers_string.hpp"

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

bool Flag(const Arguments& arguments, const char* name) { return arguments.Has(name) && arguments.Bool(name); }

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

/// The extents of the output: `size`, or floor(extent * scale).
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
    arguments.Require(image[axis] > 0 && extents[axis] > 0, "resizing from " + ShapeString(image) + " to " +
                                                                NumbersString(extents) + ", expected extents above 0");
  }
  return extents;
}

/// Drops the scales that have no influence on coordinates.
void DropScales(const Arguments& arguments, UpsampleArguments& read) {
  const bool recompute = Flag(arguments, "recompute_scale_factor");
  // PyTorch's nearest in two dimensions follows the extents, not the scale, if they stay the same or double.
  const bool nearest = read.mode == ResizeMode::kNearest && read.extents.size() == 2;
  for (std::size_t axis = 0; axis < read.extents.size(); ++axis) {
    const int64_t extent = read.spatial.image[axis];
    const bool plain = read.extents[axis] == extent || read.extents[axis] == 2 * extent;
    if (recompute || (nearest && plain)) read.scales[axis] = std::nullopt;
  }
}

}  // namespace

UpsampleArguments ReadUpsample(const Arguments& arguments) {
  const ModeRow& row = ReadMode(arguments);
  const int64_t rank = arguments.Tensor("input").spec.rank();
  const int64_t axes = row.dimensions > 0 ? row.dimensions : std::clamp<int64_t>(rank - 2, 1, 3);
  UpsampleArguments read;
  read.spatial = ReadSpatialInput(arguments, axes, false);
  read.area = row.name == std::string("area");
  // Nearest elements of bytes are copied; other modes compute, which is not done in bytes.
  const bool copies = !read.area && (row.mode == ResizeMode::kNearest || row.mode == ResizeMode::kNearestExact);
  if (!copies || read.spatial.type() != RuntimeDataType::kTypeUInt8) RequireFloating(arguments, read.spatial.input);
  read.scales = ReadScales(arguments, axes);
  read.extents = ReadExtents(arguments, read.spatial.image, read.scales);
  read.mode = Flag(arguments, "antialias") ? row.antialias : row.mode;
  read.align_corners = Flag(arguments, "align_corners");
  DropScales(arguments, read);
  return read;
}

}  // namespace kuiper_infer
