// SPDX-License-Identifier: MIT
#include "operators/convolution/convolution_arguments.hpp"

#include <algorithm>
#include <string>

#include "shape/window.hpp"
#include "utils/numbers_string.hpp"

namespace kuiper_infer {
namespace {

/// Checks the module's own record of a size, which PNNX writes beside the weight.
void CheckRecorded(const Arguments& arguments, const char* name, int64_t weight_says) {
  if (!arguments.Has(name)) return;
  const int64_t recorded = arguments.Int(name);
  arguments.Require(recorded == weight_says, std::string(name) + " is " + std::to_string(recorded) +
                                                 ", but the weight has " + std::to_string(weight_says));
}

void CheckTypes(const Arguments& arguments, const ConvolutionArguments& read) {
  const RuntimeDataType type = read.input.spec.type;
  arguments.Require(type == RuntimeDataType::kTypeFloat32 || type == RuntimeDataType::kTypeFloat64,
                    std::string("input is ") + TypeName(type) + ", expected float32 or float64");
  arguments.Require(read.weight.spec.type == type, std::string("weight is ") + TypeName(read.weight.spec.type) +
                                                       ", expected the input's " + TypeName(type));
  if (!read.bias.has_value()) return;
  arguments.Require(read.bias->spec.type == type, std::string("bias is ") + TypeName(read.bias->spec.type) +
                                                      ", expected the input's " + TypeName(type));
  const Shape expected{read.geometry.channels_out};
  arguments.Require(read.bias->spec.shape == expected,
                    "bias is " + ShapeString(read.bias->spec.shape) + ", expected " + ShapeString(expected));
}

}  // namespace

ConvolutionArguments ReadConvolutionArrays(const Arguments& arguments, int64_t dimensions, bool transposed) {
  ConvolutionArguments read;
  read.input = arguments.Tensor("input");
  read.weight = arguments.Tensor("weight");
  if (const TensorArgument* bias = arguments.OptionalTensor("bias")) read.bias = *bias;
  const Shape& input = read.input.spec.shape;
  const Shape& weight = read.weight.spec.shape;
  const int64_t weight_rank = read.weight.spec.rank();
  if (dimensions == 0) dimensions = weight_rank - 2;
  arguments.Require(dimensions >= 1 && dimensions <= 3 && weight_rank == dimensions + 2,
                    "weight is " + ShapeString(weight) + ", expected rank " +
                        (dimensions >= 1 && dimensions <= 3 ? std::to_string(dimensions + 2) : "3 to 5"));
  const int64_t rank = read.input.spec.rank();
  arguments.Require(rank == dimensions + 1 || rank == dimensions + 2,
                    "input is " + ShapeString(input) + ", expected rank " + std::to_string(dimensions + 2) +
                        " or, without a batch, " + std::to_string(dimensions + 1));
  read.batched = rank == dimensions + 2;
  read.image.assign(input.end() - dimensions, input.end());

  kernel::ConvolutionGeometry& geometry = read.geometry;
  geometry.groups = arguments.Int("groups");
  const std::string groups = " (groups " + std::to_string(geometry.groups) + ")";
  arguments.Require(geometry.groups >= 1, "groups is " + std::to_string(geometry.groups) + ", expected at least 1");
  arguments.Require(weight[0] >= geometry.groups && weight[0] % geometry.groups == 0,
                    "weight is " + ShapeString(weight) + ", expected a first extent that is a multiple of groups " +
                        std::to_string(geometry.groups));
  geometry.batch = read.batched ? input[0] : 1;
  geometry.channels_in = transposed ? weight[0] : weight[1] * geometry.groups;
  geometry.channels_out = transposed ? weight[1] * geometry.groups : weight[0];
  const int64_t channels = input[rank - dimensions - 1];
  arguments.Require(channels == geometry.channels_in, "input has " + std::to_string(channels) +
                                                          " channels, the weight expects " +
                                                          std::to_string(geometry.channels_in) + groups);
  CheckRecorded(arguments, "in_channels", geometry.channels_in);
  CheckRecorded(arguments, "out_channels", geometry.channels_out);
  CheckTypes(arguments, read);

  const Shape kernel(weight.begin() + 2, weight.end());
  for (const int64_t extent : kernel) read.windows.push_back({extent, 1, 0, 0, 1});
  if (arguments.Has("kernel_size")) {
    const Shape recorded = arguments.Ints("kernel_size", dimensions);
    arguments.Require(recorded == kernel,
                      "kernel_size is " + NumbersString(recorded) + ", but the weight has " + ShapeString(kernel));
  }
  return read;
}

ConvolutionArguments ReadConvolution(const Arguments& arguments, int64_t dimensions, bool transposed) {
  ConvolutionArguments read = ReadConvolutionArrays(arguments, dimensions, transposed);
  const auto axes = static_cast<int64_t>(read.windows.size());
  const std::vector<int64_t> stride = arguments.Ints("stride", axes);
  const std::vector<int64_t> dilation = arguments.Ints("dilation", axes);
  for (int64_t axis = 0; axis < axes; ++axis) {
    read.windows[axis].stride = stride[axis];
    read.windows[axis].dilation = dilation[axis];
  }
  return read;
}

void ReadPadding(const Arguments& arguments, std::vector<Window>& windows) {
  const Value* value = arguments.Get("padding").known();
  const bool word = value != nullptr && value->Is<std::string>();
  const std::vector<int64_t> numbers = word ? std::vector<int64_t>() : arguments.Ints("padding");
  if (word) {
    const std::string& text = value->Get<std::string>();
    if (text == "valid") return;
    if (text != "same") {
      arguments.Fail(ErrorCode::kArgument, "padding is '" + text + "', expected 'same', 'valid' or numbers");
    }
    std::for_each(windows.begin(), windows.end(), PadSame);
    return;
  }
  const std::size_t axes = windows.size();
  const bool pairs = numbers.size() == 2 * axes;
  if (numbers.size() != 1 && numbers.size() != axes && !pairs) {
    arguments.Fail(ErrorCode::kArgument, "padding has " + std::to_string(numbers.size()) + " numbers, expected " +
                                             std::to_string(axes) + " or " + std::to_string(2 * axes));
  }
  for (std::size_t axis = 0; axis < axes; ++axis) {
    const std::size_t pair = 2 * (axes - 1 - axis);
    const std::size_t single = numbers.size() == 1 ? 0 : axis;
    windows[axis].padding_begin = numbers[pairs ? pair : single];
    windows[axis].padding_end = numbers[pairs ? pair + 1 : single];
  }
}

Shape ConvolutionOutputShape(const ConvolutionArguments& convolution, const Extents3& extents) {
  Shape shape;
  if (convolution.batched) shape.push_back(convolution.geometry.batch);
  shape.push_back(convolution.geometry.channels_out);
  shape.insert(shape.end(), extents.end() - static_cast<int64_t>(convolution.image.size()), extents.end());
  return shape;
}

}  // namespace kuiper_infer
