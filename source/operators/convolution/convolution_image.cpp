// SPDX-License-Identifier: MIT
#include "operators/convolution/convolution_image.hpp"

#include "shape/layout.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer {

ConvolutionImage::ConvolutionImage(const ConvolutionArguments& arguments, const Storage& storage,
                                   const kernel::ConvolutionChoice& choice, bool copies, int64_t& workspace_bytes)
    : type_(storage.type) {
  const AxisOrder order = ChannelsLastOrder(arguments.input.spec.rank(), arguments.batched ? 1 : 0);
  if (!choice.in_integers()) {
    operand_ = arguments.Input(order, !copies, workspace_bytes);
    return;
  }
  grid_ = ByteGridOf(storage);
  const bool rounds = storage.type == RuntimeDataType::kTypeFloat32 && !choice.method->rounds_input;
  TensorArgument input = arguments.input;
  input.spec.type = storage.type;
  const bool dense = OrderedSpec(input.spec.type, input.spec.shape, order).strides == input.spec.strides;
  operand_ = MakeOrderedOperand(input, order, !copies && (dense || !rounds), workspace_bytes);
  if (!rounds) return;
  type_ = RuntimeDataType::kTypeUInt8;
  rounded_at_ = workspace_bytes;
  workspace_bytes += AlignedBytes(input.spec.size());
}

const void* ConvolutionImage::Data(const RunContext& c) const {
  const void* data = OperandData(operand_, c);
  if (rounded_at_ < 0) return data;
  auto* bytes = reinterpret_cast<uint8_t*>(c.workspace + rounded_at_);
  kernel::RoundToBytes(grid_, operand_.used.size(), static_cast<const float*>(data), bytes);
  return bytes;
}

}  // namespace kuiper_infer
