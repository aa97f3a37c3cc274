// SPDX-License-Identifier: MIT
#include "operation/strided_operand.hpp"

#include "kernel/movement/copy.hpp"
#include "shape/broadcast.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer {

StridedOperand MakeStridedOperand(const TensorArgument& tensor, bool copy, int64_t& workspace_bytes) {
  return MakeOrderedOperand(tensor, RowMajorOrder(tensor.spec.rank()), !copy, workspace_bytes);
}

StridedOperand MakeRowMajorOperand(const TensorArgument& tensor, int64_t& workspace_bytes) {
  return MakeStridedOperand(tensor, !tensor.spec.contiguous(), workspace_bytes);
}

StridedOperand MakeOrderedOperand(const TensorArgument& tensor, const AxisOrder& order, bool ready,
                                  int64_t& workspace_bytes) {
  StridedOperand operand{tensor.input, tensor.spec, -1, tensor.spec, {}};
  if (ready) return operand;
  operand.copy_offset = AlignedBytes(workspace_bytes);
  operand.used = operand.copied = OrderedSpec(tensor.spec.type, tensor.spec.shape, order);
  workspace_bytes = AlignedBytes(operand.copy_offset + ByteCount(tensor.spec.type, tensor.spec.shape));
  return operand;
}

StridedOperand MakePaddedOperand(const TensorArgument& tensor, const AxisOrder& order, kernel::PadMode mode,
                                 const Shape& begin, const Shape& shape, int64_t& workspace_bytes) {
  StridedOperand operand{tensor.input, tensor.spec, -1, tensor.spec, {}};
  operand.copy_offset = AlignedBytes(workspace_bytes);
  operand.used = operand.copied = OrderedSpec(tensor.spec.type, shape, order);
  workspace_bytes = AlignedBytes(operand.copy_offset + ByteCount(tensor.spec.type, shape));
  StridedOperand::Padding padding;
  padding.mode = mode;
  for (const std::size_t axis : order) padding.begin.push_back(begin[axis]);
  padding.from = PermuteAxes(tensor.spec, order);
  padding.to = PermuteAxes(operand.copied, order);
  operand.padding = std::move(padding);
  return operand;
}

const void* OperandData(const StridedOperand& operand, const RunContext& c) {
  if (operand.input < 0) return nullptr;
  const void* data = c.inputs[operand.input].data;
  if (operand.copy_offset < 0) return data;
  void* copy = c.workspace + operand.copy_offset;
  if (operand.padding) {
    const StridedOperand::Padding& padding = *operand.padding;
    kernel::Pad(padding.mode, padding.begin, nullptr, {data, padding.from}, {copy, padding.to});
  } else {
    kernel::Copy(data, operand.given, copy, operand.copied);
  }
  return copy;
}

ConstArrayView ReadOperand(const StridedOperand& operand, const RunContext& c) {
  if (operand.input < 0) return {};
  return {OperandData(operand, c), operand.used};
}

TensorSpec WithLeading(const TensorSpec& spec, const Shape& leading) {
  Shape shape = leading;
  shape.insert(shape.end(), spec.shape.end() - 2, spec.shape.end());
  return {spec.type, shape, BroadcastStrides(spec, shape)};
}

}  // namespace kuiper_infer
