// SPDX-License-Identifier: MIT
// PyTorch's operators between float32 and integer arrays. The integers are arrays of their own, which any operator can
// read. A pair of both operators is one rounding to a grid (runtime/repair/quantized_pairs.cpp), which the planner
// fuses.
#include <limits>
#include <string>

#include "operators/quantization/channel_plan.hpp"
#include "utils/dispatch.hpp"

namespace kuiper_infer {
namespace {

/// Calls function(TypeTag<T>) for the integers of quantised arrays; false for other types.
template <class Function>
bool DispatchIntegers(RuntimeDataType type, const Function& function) {
  switch (type) {
    case RuntimeDataType::kTypeInt8:
      function(TypeTag<int8_t>{});
      return true;
    case RuntimeDataType::kTypeUInt8:
      function(TypeTag<uint8_t>{});
      return true;
    case RuntimeDataType::kTypeInt16:
      function(TypeTag<int16_t>{});
      return true;
    case RuntimeDataType::kTypeInt32:
      function(TypeTag<int32_t>{});
      return true;
    default:
      return false;
  }
}

OperationPlan PlanQuantize(const Arguments& arguments) {
  const TensorArgument& given = arguments.Tensor("input");
  arguments.Require(IsFloating(given.spec.type),
                    std::string("input is ") + TypeName(given.spec.type) + ", expected floating numbers");
  Composition composition(arguments);
  const ChannelParameters parameters = ReadChannelParameters(composition);
  const TensorArgument input = composition.Convert(given, RuntimeDataType::kTypeFloat32);
  const RuntimeDataType type = arguments.Type("dtype");
  TensorArgument result;
  const bool known = DispatchIntegers(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const bool fits = parameters.grids.least >= std::numeric_limits<T>::min() &&
                      parameters.grids.most <= std::numeric_limits<T>::max();
    arguments.Require(fits, "quant_min is " + std::to_string(parameters.grids.least) + " and quant_max " +
                                std::to_string(parameters.grids.most) + ", expected numbers of " + TypeName(type));
    result = ApplyChannels(composition, parameters, input, type,
                           [](const kernel::ChannelGrids& grids, const void* from, void* to) {
                             kernel::QuantizeChannels(grids, static_cast<const float*>(from), static_cast<T*>(to));
                           });
  });
  arguments.Require(known, std::string("dtype is ") + TypeName(type) + ", expected int8, uint8, int16 or int32");
  return composition.Finish({result});
}

OperationPlan PlanDequantize(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  Composition composition(arguments);
  const ChannelParameters parameters = ReadChannelParameters(composition);
  TensorArgument result;
  const bool known = DispatchIntegers(input.spec.type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    result = ApplyChannels(composition, parameters, input, RuntimeDataType::kTypeFloat32,
                           [](const kernel::ChannelGrids& grids, const void* from, void* to) {
                             kernel::DequantizeChannels(grids, static_cast<const T*>(from), static_cast<float*>(to));
                           });
  });
  arguments.Require(known,
                    std::string("input is ") + TypeName(input.spec.type) + ", expected int8, uint8, int16 or int32");
  const RuntimeDataType type = arguments.Type("out_dtype");
  return composition.Finish({type == RuntimeDataType::kTypeUnknown ? result : composition.Convert(result, type)});
}

}  // namespace

void RegisterDecomposed(OperationTable& table) {
  const std::string space = "quantized_decomposed::";
  const std::string one = "Tensor input, Tensor scale, Tensor zero_point, ";
  const std::string several = "Tensor input, Tensor scale|scales, Tensor? zero_point|zero_points=None, int axis, ";
  const std::string bounds = "int quant_min, int quant_max, dtype dtype";
  table.Add({space + "quantize_per_tensor"}, one + bounds, PlanQuantize);
  table.Add({space + "dequantize_per_tensor"}, one + bounds + ", dtype? out_dtype=None", PlanDequantize);
  table.Add({space + "quantize_per_channel"}, several + bounds, PlanQuantize);
  table.Add({space + "dequantize_per_channel"}, several + bounds + ", dtype? out_dtype=None", PlanDequantize);
}

}  // namespace kuiper_infer
