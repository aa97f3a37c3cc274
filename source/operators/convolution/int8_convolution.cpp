// SPDX-License-Identifier: MIT
// Convolutions whose weights are stored in integers, of an image that lies on a grid of bytes.
#include "kernel/product/int8/product.hpp"
#include "operation/quantized_weight.hpp"
#include "operators/convolution/channels_last_convolution.hpp"
#include "operators/product/packed_weight.hpp"
#include "operators/quantization/quantized.hpp"
#include "shape/layout.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer {
namespace {

using kernel::QuantizationGrid;

/// The image as the kernel reads it.
struct Image {
  StridedOperand operand;
  QuantizationGrid grid;
  bool rounded = false;     ///< floats become bytes first
  int64_t rounded_at = -1;  ///< in the workspace
  RuntimeDataType type = RuntimeDataType::kTypeUInt8;

  const void* Data(const RunContext& c) const {
    const void* data = OperandData(operand, c);
    if (!rounded) return data;
    auto* bytes = reinterpret_cast<uint8_t*>(c.workspace + rounded_at);
    kernel::RoundToBytes(grid, operand.used.size(), static_cast<const float*>(data), bytes);
    return bytes;
  }
};

Image ReadImage(TensorArgument argument, const Storage& storage, const AxisOrder& order, bool copies,
                bool kernel_rounds, int64_t& workspace_bytes) {
  Image image;
  image.grid = ByteGrid(*storage.grid);
  argument.spec.type = storage.type;
  image.rounded = storage.type == RuntimeDataType::kTypeFloat32 && !kernel_rounds;
  const TensorSpec& spec = argument.spec;
  const bool dense = OrderedSpec(spec.type, spec.shape, order).strides == spec.strides;
  image.operand = MakeOrderedOperand(argument, order, !copies && (dense || !image.rounded), workspace_bytes);
  if (image.rounded) {
    image.rounded_at = workspace_bytes;
    workspace_bytes += AlignedBytes(spec.size());
  } else {
    image.type = spec.type;
  }
  return image;
}

}  // namespace

KernelCall Convolution::MakeInt8Call(const Fusion& fusion, const PlanningContext& context) const {
  const kernel::ConvolutionMethod& method = *choice_->method;
  const AxisOrder order = ChannelsLastOrder(arguments_.input.spec.rank(), channel_axis());
  KernelCall call;
  const Image image = ReadImage(arguments_.input, fusion.InputStorage(0), order, choice_->copies, method.rounds_input,
                                call.workspace_bytes);
  const auto convolution = kernel::ScheduleChannelsLast(
      arguments_.geometry, ImageStridesOf(image.operand.used, channel_axis()), context.threads, method);
  const auto packed = PackConvolutionWeight(context, arguments_.weight, convolution);
  NotePacked(arguments_.weight, {packed}, call.packed_inputs);
  call.multiply_adds = arguments_.geometry.multiply_adds();
  call.method = std::string(method.name) + (choice_->copies ? ", input copied" : "");
  const int64_t workspace = call.workspace_bytes;
  call.workspace_bytes += convolution.workspace_bytes;
  kernel::Int8Numbers numbers;
  numbers.input = image.grid;
  numbers.addend = ProductArrayOf(fusion.InputStorage(fusion.addend)).grid;
  numbers.output = ProductArrayOf(fusion.result).grid;
  call.run = [=, scales = ChannelIntegers(arguments_.weight)->scales, bias = arguments_.bias_input(),
              channel_axis = channel_axis()](const RunContext& c) {
    kernel::Int8Numbers scaled = numbers;
    scaled.weight_scales = scales.data<float>();
    kernel::ChannelsLastArrays arrays;
    arrays.int8 = &scaled;
    arrays.input = image.Data(c);
    arrays.input_type = image.type;
    arrays.weight = packed->packed.raw();
    arrays.bias = bias >= 0 ? c.inputs[bias].as<float>() : nullptr;
    SetResult(c, fusion, channel_axis, arrays);
    arrays.workspace = c.workspace + workspace;
    kernel::ConvolveChannelsLast(convolution, arrays);
    if (fusion.result.grid && fusion.result.type == RuntimeDataType::kTypeFloat32) {
      RoundResult(*fusion.result.grid, convolution.geometry, arrays.output_strides, c.outputs[0].as<float>());
    }
  };
  return call;
}

}  // namespace kuiper_infer
