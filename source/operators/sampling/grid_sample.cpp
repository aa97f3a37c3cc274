// SPDX-License-Identifier: MIT
#include "kernel/sampling/grid_sample.hpp"

#include <algorithm>

#include "operation/parameters.hpp"
#include "utils/dispatch.hpp"
#include "utils/numbers_string.hpp"

namespace kuiper_infer {
namespace {

using kernel::GridBorder;
using kernel::GridMode;

/// Reads one of PyTorch's names, or its number among them, as raw operators write it; `aliases` are ONNX's words.
int64_t ReadChoice(const Arguments& arguments, const char* name, const std::vector<std::string>& names,
                   const std::vector<std::string>& aliases) {
  const Value* value = arguments.Get(name).known();
  if (value != nullptr && value->Is<std::string>()) {
    const auto& word = value->Get<std::string>();
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (word == names[i] || word == aliases[i]) return static_cast<int64_t>(i);
    }
    arguments.Fail(ErrorCode::kArgument, std::string(name) + " is '" + word + "', expected '" + names[0] + "', '" +
                                             names[1] + "' or '" + names[2] + "'");
  }
  const std::vector<int64_t> number = arguments.Ints(name);
  if (number.size() != 1 || number[0] < 0 || number[0] > 2) {
    arguments.Fail(ErrorCode::kArgument, std::string(name) + " is " + NumbersString(number) + ", expected 0, 1 or 2");
  }
  return number[0];
}

GridMode ReadMode(const Arguments& arguments) {
  return static_cast<GridMode>(
      ReadChoice(arguments, "mode", {"bilinear", "nearest", "bicubic"}, {"linear", "nearest", "cubic"}));
}

OperationPlan PlanGridSample(const Arguments& arguments) {
  const TensorArgument input = arguments.Tensor("input");
  const TensorArgument grid = arguments.Tensor("grid");
  RequireFloating(arguments, input);
  const Shape& from = input.spec.shape;
  const Shape& points = grid.spec.shape;
  arguments.Require(from.size() == 4 || from.size() == 5, "input is " + ShapeString(from) + ", expected rank 4 or 5");
  kernel::GridSampleGeometry geometry;
  geometry.dimensions = input.spec.rank() - 2;
  arguments.Require(grid.spec.type == input.spec.type && points.size() == from.size() && points[0] == from[0] &&
                        points.back() == geometry.dimensions,
                    "grid is " + SpecString(grid.spec) + ", expected the input's " + TypeName(input.spec.type) +
                        ", rank and batch, and a last extent of " + std::to_string(geometry.dimensions) +
                        ", for an input of " + ShapeString(from));
  geometry.mode = ReadMode(arguments);
  geometry.border = static_cast<GridBorder>(
      ReadChoice(arguments, "padding_mode", {"zeros", "border", "reflection"}, {"zeros", "border", "reflection"}));
  geometry.align_corners = arguments.Has("align_corners") && arguments.Bool("align_corners");
  arguments.Require(geometry.mode != GridMode::kBicubic || geometry.dimensions == 2,
                    "mode is 'bicubic' for an input of " + ShapeString(from) + ", expected rank 4");
  geometry.batch = from[0];
  geometry.channels = from[1];
  std::copy(from.begin() + 2, from.end(), geometry.image.end() - geometry.dimensions);
  arguments.Require(std::all_of(from.begin() + 2, from.end(), [](int64_t extent) { return extent > 0; }),
                    "input is " + ShapeString(from) + ", expected no empty image");
  Shape shape{from[0], from[1]};
  shape.insert(shape.end(), points.begin() + 1, points.end() - 1);
  geometry.points = ElementCount(Shape(shape.begin() + 2, shape.end()));
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(input.spec.type, shape)};
  plan.run = [geometry, image = input.input, where = grid.input](const RunContext& c) {
    DispatchFloating(c.inputs[image].type(), [&](auto tag) {
      using T = typename decltype(tag)::type;
      kernel::GridSample(geometry, c.inputs[image].as<T>(), c.inputs[where].as<T>(), c.outputs[0].as<T>());
    });
  };
  return plan;
}

OperationPlan PlanAffineGrid(const Arguments& arguments) {
  const TensorArgument theta = arguments.Tensor("theta");
  RequireFloating(arguments, theta, "theta");
  const std::vector<int64_t> size = arguments.Ints("size");
  arguments.Require(size.size() == 4 || size.size() == 5, "size is " + NumbersString(size) + ", expected rank 4 or 5");
  arguments.Require(std::all_of(size.begin(), size.end(), [](int64_t extent) { return extent > 0; }),
                    "size is " + NumbersString(size) + ", expected extents above 0");
  const auto dimensions = static_cast<int64_t>(size.size()) - 2;
  const Shape expected{size[0], dimensions, dimensions + 1};
  arguments.Require(theta.spec.shape == expected,
                    "theta is " + ShapeString(theta.spec.shape) + ", expected " + ShapeString(expected));
  Extents3 extents{1, 1, 1};
  std::copy(size.begin() + 2, size.end(), extents.end() - dimensions);
  Shape shape{size[0]};
  shape.insert(shape.end(), size.begin() + 2, size.end());
  shape.push_back(dimensions);
  const bool align_corners = arguments.Has("align_corners") && arguments.Bool("align_corners");
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(theta.spec.type, shape)};
  plan.run = [batch = size[0], dimensions, extents, align_corners, input = theta.input](const RunContext& c) {
    DispatchFloating(c.inputs[input].type(), [&](auto tag) {
      using T = typename decltype(tag)::type;
      kernel::AffineGrid(batch, dimensions, extents, align_corners, c.inputs[input].as<T>(), c.outputs[0].as<T>());
    });
  };
  return plan;
}

bool TakesNearest(const Arguments& arguments) { return ReadMode(arguments) == GridMode::kNearest; }

}  // namespace

void RegisterGridSample(OperationTable& table) {
  const OutputValues chosen = Preserves({"input"}, TakesNearest);
  table.Add({"F.grid_sample", "torch.grid_sampler"},
            "Tensor input, Tensor grid, any mode|interpolation_mode=bilinear, any padding_mode=zeros, "
            "bool? align_corners=None",
            PlanGridSample, InputLayout::kRowMajor, chosen);
  table.Add({"aten::grid_sampler", "aten::grid_sampler_2d", "aten::grid_sampler_3d", "aten::grid_sample"},
            "Tensor input, Tensor grid, any mode|interpolation_mode, any padding_mode, bool? align_corners=None",
            PlanGridSample, InputLayout::kRowMajor, chosen);
  table.Add({"F.affine_grid", "aten::affine_grid_generator", "aten::affine_grid"},
            "Tensor theta, int[] size, bool? align_corners=None", PlanAffineGrid);
}

}  // namespace kuiper_infer
