// SPDX-License-Identifier: MIT
#include <string>
#include <utility>

#include "kernel/movement/copy.hpp"
#include "operation/computation.hpp"
#include "operation/operation.hpp"
#include "shape/layout.hpp"

namespace kuiper_infer {
namespace {

/// The spec with one axis seen as several, the last one fastest.
TensorSpec SplitAxis(TensorSpec spec, int64_t axis, const Shape& parts) {
  const int64_t step = spec.strides[axis];
  Strides strides = RowMajorStrides(parts);
  for (int64_t& stride : strides) stride *= step;
  spec.shape.erase(spec.shape.begin() + axis);
  spec.strides.erase(spec.strides.begin() + axis);
  spec.shape.insert(spec.shape.begin() + axis, parts.begin(), parts.end());
  spec.strides.insert(spec.strides.begin() + axis, strides.begin(), strides.end());
  return spec;
}

/// Plans a new array `out` that gets the input's elements: `from` and `to` are input and output with axes split, and
/// axis i of `to` stands for axis order[i] of `from`.
OperationPlan PlanRearranged(const TensorArgument& input, const TensorSpec& from, const AxisOrder& order,
                             const TensorSpec& out, const TensorSpec& to) {
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(out)};
  plan.run = [from = PermuteAxes(from, order), to, index = input.input](const RunContext& c) {
    kernel::Copy(c.inputs[index].data, from, c.outputs[0].data, to);
  };
  return plan;
}

/// The extents of images with any number of leading axes, merged into one: (leading, channels, height, width).
struct Images {
  Shape leading;
  int64_t channels, height, width;
  int64_t axis;  ///< of the channels
};

Images ReadImages(const Arguments& arguments, const TensorArgument& input) {
  const Shape& shape = input.spec.shape;
  arguments.Require(shape.size() >= 3, "input is " + ShapeString(shape) + ", expected rank 3 or more");
  return {{shape.begin(), shape.end() - 3}, shape.end()[-3], shape.end()[-2], shape.end()[-1], input.spec.rank() - 3};
}

int64_t ReadFactor(const Arguments& arguments, const char* name) {
  const int64_t factor = arguments.Int(name);
  arguments.Require(factor >= 1 && factor <= (int64_t{1} << 20),
                    std::string(name) + " is " + std::to_string(factor) + ", expected a positive factor");
  return factor;
}

/// The spec of an output that lies like the input.
TensorSpec OutputSpec(const TensorArgument& input, Shape leading, std::initializer_list<int64_t> extents) {
  leading.insert(leading.end(), extents);
  return OrderedSpec(input.spec.type, leading, MemoryOrder(input.spec));
}

/// The order of all axes: the leading ones, then `axes`.
AxisOrder Behind(int64_t leading, const AxisOrder& axes) {
  AxisOrder order = RowMajorOrder(leading);
  for (const std::size_t axis : axes) order.push_back(static_cast<std::size_t>(leading) + axis);
  return order;
}

/// Plans pixel_shuffle: channel c * r * r + y * r + x of an input pixel becomes the pixel (y, x) of an r by r square in
/// channel c.
OperationPlan PlanPixelShuffle(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  const Images images = ReadImages(arguments, input);
  const int64_t r = ReadFactor(arguments, "upscale_factor");
  const int64_t channels = images.channels / (r * r);
  arguments.Require(images.channels % (r * r) == 0, "input has " + std::to_string(images.channels) +
                                                        " channels, expected a multiple of " + std::to_string(r * r));
  const TensorSpec out = OutputSpec(input, images.leading, {channels, images.height * r, images.width * r});
  const TensorSpec rows = SplitAxis(out, images.axis + 2, {images.width, r});
  return PlanRearranged(input, SplitAxis(input.spec, images.axis, {channels, r, r}),
                        Behind(images.axis, {0, 3, 1, 4, 2}), out,
                        SplitAxis(rows, images.axis + 1, {images.height, r}));
}

OperationPlan PlanPixelUnshuffle(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  const Images images = ReadImages(arguments, input);
  const int64_t r = ReadFactor(arguments, "downscale_factor");
  arguments.Require(images.height % r == 0 && images.width % r == 0,
                    "input is " + ShapeString(input.spec.shape) + ", expected height and width to be multiples of " +
                        std::to_string(r));
  const int64_t height = images.height / r;
  const int64_t width = images.width / r;
  const TensorSpec out = OutputSpec(input, images.leading, {images.channels * r * r, height, width});
  const TensorSpec rows = SplitAxis(input.spec, images.axis + 2, {width, r});
  return PlanRearranged(input, SplitAxis(rows, images.axis + 1, {height, r}), Behind(images.axis, {0, 2, 4, 1, 3}), out,
                        SplitAxis(out, images.axis, {images.channels, r, r}));
}

/// Plans channel_shuffle: channels seen as (groups, channels / groups) with the two axes exchanged.
OperationPlan PlanChannelShuffle(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  const Shape& shape = input.spec.shape;
  arguments.Require(shape.size() >= 3, "input is " + ShapeString(shape) + ", expected rank 3 or more");
  const int64_t groups = ReadFactor(arguments, "groups");
  arguments.Require(shape[1] % groups == 0, "input has " + std::to_string(shape[1]) +
                                                " channels, expected a multiple of groups " + std::to_string(groups));
  const int64_t size = shape[1] / groups;
  const TensorSpec out = OrderedSpec(input.spec.type, shape, MemoryOrder(input.spec));
  AxisOrder order = RowMajorOrder(input.spec.rank() + 1);
  std::swap(order[1], order[2]);
  return PlanRearranged(input, SplitAxis(input.spec, 1, {groups, size}), order, out, SplitAxis(out, 1, {size, groups}));
}

}  // namespace

void RegisterPixelShuffle(OperationTable& table) {
  const InputLayout strided = InputLayout::kStrided;
  const OutputValues moved = Preserves({"input"});
  table.Add({"nn.PixelShuffle", "F.pixel_shuffle", "torch.pixel_shuffle", "aten::pixel_shuffle"},
            "Tensor input|self, int upscale_factor", PlanPixelShuffle, strided, moved);
  table.Add({"nn.PixelUnshuffle", "F.pixel_unshuffle", "torch.pixel_unshuffle", "aten::pixel_unshuffle"},
            "Tensor input|self, int downscale_factor", PlanPixelUnshuffle, strided, moved);
  table.Add({"nn.ChannelShuffle", "F.channel_shuffle", "torch.channel_shuffle", "aten::channel_shuffle",
             "aten::native_channel_shuffle"},
            "Tensor input|self, int groups", PlanChannelShuffle, strided, moved);
}

}  // namespace kuiper_infer
