// SPDX-License-Identifier: MIT
#include <string>

#include "kernel/copy.hpp"
#include "layer/abstract/operation.hpp"

namespace kuiper_infer {
namespace {

/// A new array of shape `out_shape` whose elements, counted up row by row, are those of the row-major input seen as
/// `split` with its axes in `order`.
OperationPlan PlanRearranged(const TensorArgument& input, const Shape& split, const std::vector<int>& order,
                             const Shape& out_shape) {
  const Strides strides = RowMajorStrides(split);
  Shape shape;
  Strides steps;
  for (const int axis : order) {
    shape.push_back(split[axis]);
    steps.push_back(strides[axis]);
  }
  const TensorSpec from(input.spec.type, shape, steps);
  const TensorSpec to(input.spec.type, shape);
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(input.spec.type, out_shape)};
  plan.run = [from, to, index = input.input](const RunContext& c) {
    kernel::Copy({c.inputs[index].data, from}, {c.outputs[0].data, to});
  };
  return plan;
}

/// The extents behind any number of leading axes: (leading, channels, height, width).
struct Images {
  Shape leading;
  int64_t count = 1;
  int64_t channels, height, width;
};

Images ReadImages(const Arguments& arguments, const TensorArgument& input) {
  const Shape& shape = input.spec.shape;
  arguments.Require(shape.size() >= 3, "input is " + ShapeString(shape) + ", expected rank 3 or more");
  Images images{{shape.begin(), shape.end() - 3}, 1, shape.end()[-3], shape.end()[-2], shape.end()[-1]};
  images.count = ElementCount(images.leading);
  return images;
}

int64_t ReadFactor(const Arguments& arguments, const char* name) {
  const int64_t factor = arguments.Int(name);
  arguments.Require(factor >= 1 && factor <= (int64_t{1} << 20),
                    std::string(name) + " is " + std::to_string(factor) + ", expected a positive factor");
  return factor;
}

Shape Join(Shape leading, std::initializer_list<int64_t> extents) {
  leading.insert(leading.end(), extents);
  return leading;
}

/// Channel c * r * r + y * r + x of an input pixel becomes the pixel (y, x) of an r by r square in channel c.
OperationPlan PlanPixelShuffle(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  const Images images = ReadImages(arguments, input);
  const int64_t r = ReadFactor(arguments, "upscale_factor");
  const int64_t channels = images.channels / (r * r);
  arguments.Require(images.channels % (r * r) == 0, "input has " + std::to_string(images.channels) +
                                                        " channels, expected a multiple of " + std::to_string(r * r));
  return PlanRearranged(input, {images.count, channels, r, r, images.height, images.width}, {0, 1, 4, 2, 5, 3},
                        Join(images.leading, {channels, images.height * r, images.width * r}));
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
  return PlanRearranged(input, {images.count, images.channels, height, r, width, r}, {0, 1, 3, 5, 2, 4},
                        Join(images.leading, {images.channels * r * r, height, width}));
}

/// Channels seen as (groups, channels / groups) with the two axes exchanged.
OperationPlan PlanChannelShuffle(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  const Shape& shape = input.spec.shape;
  arguments.Require(shape.size() >= 3, "input is " + ShapeString(shape) + ", expected rank 3 or more");
  const int64_t groups = ReadFactor(arguments, "groups");
  arguments.Require(shape[1] % groups == 0, "input has " + std::to_string(shape[1]) +
                                                " channels, expected a multiple of groups " + std::to_string(groups));
  const int64_t inner = ElementCount({shape.begin() + 2, shape.end()});
  return PlanRearranged(input, {shape[0], groups, shape[1] / groups, inner}, {0, 2, 1, 3}, shape);
}

}  // namespace

void RegisterPixelShuffle(OperationTable& table) {
  table.Add({"nn.PixelShuffle", "F.pixel_shuffle", "torch.pixel_shuffle", "aten::pixel_shuffle"},
            "Tensor input|self, int upscale_factor", PlanPixelShuffle);
  table.Add({"nn.PixelUnshuffle", "F.pixel_unshuffle", "torch.pixel_unshuffle", "aten::pixel_unshuffle"},
            "Tensor input|self, int downscale_factor", PlanPixelUnshuffle);
  table.Add({"nn.ChannelShuffle", "F.channel_shuffle", "torch.channel_shuffle", "aten::channel_shuffle",
             "aten::native_channel_shuffle"},
            "Tensor input|self, int groups", PlanChannelShuffle);
}

}  // namespace kuiper_infer
