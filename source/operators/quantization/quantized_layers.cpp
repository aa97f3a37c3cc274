// SPDX-License-Identifier: MIT
#include "operators/quantization/quantized_result.hpp"

namespace kuiper_infer {
namespace {

/// Plans the float operation `type`, whose result is rounded. A weight of int8 comes as float numbers, unless the file
/// has no scale for them.
template <bool kRelu>
OperationPlan PlanLayer(const Arguments& arguments, const char* type) {
  const TensorArgument& weight = arguments.Tensor("weight");
  if (weight.spec.type == RuntimeDataType::kTypeInt8) {
    arguments.Fail(ErrorCode::kUnsupported,
                   "the file has no 'weight.q_per_channel_scales': a scale for the whole weight is not stored");
  }
  if (!weight.is_constant() || weight.spec.type != RuntimeDataType::kTypeFloat32) {
    arguments.Fail(ErrorCode::kUnsupported, "weight is " + SpecString(weight.spec) + ", expected a constant of int8");
  }
  return PlanRounded(arguments, PlanAs(arguments, type), kRelu);
}

template <bool kRelu>
OperationPlan PlanQuantizedConvolution(const Arguments& arguments) {
  return PlanLayer<kRelu>(arguments, "nn.Conv2d");
}

template <bool kRelu>
OperationPlan PlanQuantizedLinear(const Arguments& arguments) {
  return PlanLayer<kRelu>(arguments, "nn.Linear");
}

}  // namespace

void RegisterQuantizedLayers(OperationTable& table) {
  const std::string arrays = "Tensor input, Tensor weight, Tensor? bias=None, float scale, float zero_point, ";
  const std::string convolution =
      arrays +
      "int[] stride=1, any padding=0, int[] dilation=1, int groups=1, str padding_mode=zeros, int? in_channels=None, "
      "int? out_channels=None, int[]? kernel_size=None";
  table.Add({"nn.quantized.Conv2d"}, convolution, PlanQuantizedConvolution<false>);
  table.Add({"nn.quantized.ConvReLU2d", "nn.intrinsic.quantized.ConvReLU2d"}, convolution,
            PlanQuantizedConvolution<true>);
  const std::string linear = arrays + "int? in_features=None, int? out_features=None";
  table.Add({"nn.quantized.Linear"}, linear, PlanQuantizedLinear<false>);
  table.Add({"nn.quantized.LinearReLU", "nn.intrinsic.quantized.LinearReLU"}, linear, PlanQuantizedLinear<true>);
}

}  // namespace kuiper_infer
