// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "operators/quantization/quantized.hpp"

namespace kuiper_infer {
namespace {

/// The weight's numbers: (q - zero_point) * scale of its output channel, the first axis. A weight that comes without
/// scales is one whose single scale the converter has dropped.
NdArray FloatWeight(const Arguments& arguments, const TensorArgument& weight) {
  if (!weight.is_constant() || weight.spec.type != RuntimeDataType::kTypeInt8) {
    arguments.Fail(ErrorCode::kUnsupported, "weight is " + SpecString(weight.spec) + ", expected a constant of int8");
  }
  const TensorArgument* scales = arguments.OptionalTensor("scales");
  if (scales == nullptr || !scales->is_constant()) {
    arguments.Fail(ErrorCode::kUnsupported,
                   "the file has no 'weight.q_per_channel_scales': a scale for the whole weight is not stored");
  }
  const TensorArgument* zeros = arguments.OptionalTensor("zero_points");
  const Shape channels{weight.spec.rank() > 0 ? weight.spec.shape[0] : 0};
  const auto numbers = [&](const TensorArgument& tensor) {
    arguments.Require(tensor.is_constant() && tensor.spec.shape == channels, "the weight's scales or zero points are " +
                                                                                 ShapeString(tensor.spec.shape) +
                                                                                 ", expected " + ShapeString(channels));
    return tensor.values().To(RuntimeDataType::kTypeFloat64).Contiguous();
  };
  const NdArray scale = numbers(*scales);
  const NdArray zero = zeros != nullptr ? numbers(*zeros) : NdArray();
  const NdArray stored = weight.values().Contiguous();
  NdArray result(RuntimeDataType::kTypeFloat32, weight.spec.shape);
  const int64_t inner = channels[0] > 0 ? result.size() / channels[0] : 0;
  for (int64_t i = 0; i < result.size(); ++i) {
    const double offset = zero.defined() ? zero.data<double>()[i / inner] : 0.0;
    result.data<float>()[i] = static_cast<float>((stored.data<int8_t>()[i] - offset) * scale.data<double>()[i / inner]);
  }
  return result;
}

/// Plans the float operation `type` on the dequantised weight; its result is rounded.
OperationPlan PlanWithWeight(const Arguments& arguments, const char* type, bool relu) {
  constexpr int kMostInputs = 8;
  const TensorArgument weight = arguments.Tensor("weight");
  const NdArray numbers = FloatWeight(arguments, weight);
  std::vector<Argument> values = arguments.values();
  values[arguments.schema().Find("weight")].value = TensorArgument{numbers.spec(), weight.input, numbers};
  const Arguments changed(arguments.type(), &arguments.schema(), values, {}, arguments.context(), 1,
                          arguments.recorded());
  const TensorArgument* bias = arguments.OptionalTensor("bias");
  const int count = 1 + std::max({arguments.Tensor("input").input, weight.input, bias != nullptr ? bias->input : 0});
  arguments.Require(weight.input >= 0 && count <= kMostInputs, "too many inputs");
  OperationPlan plan = PlanRounded(changed, PlanAs(changed, type), relu);
  plan.run = [inner = std::move(plan.run), numbers, count, index = weight.input](const RunContext& c) {
    std::array<ConstArrayView, kMostInputs> inputs;
    std::copy_n(c.inputs, count, inputs.begin());
    inputs[index] = numbers.view();
    inner({inputs.data(), c.outputs, c.workspace});
  };
  return plan;
}

template <bool kRelu>
OperationPlan PlanQuantizedConvolution(const Arguments& arguments) {
  return PlanWithWeight(arguments, "nn.Conv2d", kRelu);
}

template <bool kRelu>
OperationPlan PlanQuantizedLinear(const Arguments& arguments) {
  return PlanWithWeight(arguments, "nn.Linear", kRelu);
}

}  // namespace

void RegisterQuantizedLayers(OperationTable& table) {
  const std::string arrays =
      "Tensor input, Tensor weight, Tensor? bias=None, Tensor? scales|weight.q_per_channel_scales=None, "
      "Tensor? zero_points|weight.q_per_channel_zero_points=None, float scale, float zero_point, ";
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
