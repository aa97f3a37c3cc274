// SPDX-License-Identifier: MIT
#include "operation/strided_copy.hpp"

#include <utility>

#include "kernel/movement/copy.hpp"
#include "shape/broadcast.hpp"

namespace kuiper_infer {

StridedCopy::StridedCopy(const TensorArgument& source, StridedView target)
    : StridedCopy(source, StridedView(source.spec), std::move(target)) {}

StridedCopy::StridedCopy(const TensorArgument& source, const StridedView& part, StridedView target)
    : input(source.input), from_offset(part.offset), to(std::move(target)) {
  const TensorSpec given(source.spec.type, part.shape, part.strides);
  const Strides strides = BroadcastStrides(given, to.shape);
  from = TensorSpec(given.type, to.shape, strides);
  to_spec = TensorSpec(given.type, to.shape, to.strides);
}

namespace {

int64_t Bytes(int64_t elements, RuntimeDataType type) { return elements * static_cast<int64_t>(ElementBytes(type)); }

}  // namespace

void StridedCopy::Run(const RunContext& context) const {
  const ArrayView& output = context.outputs[0];
  const auto* source = context.inputs[input].as<std::byte>() + Bytes(from_offset, from.type);
  auto* target = output.as<std::byte>() + Bytes(to.offset, output.type());
  if (source == target) return;
  if (output.type() == to_spec.type) return kernel::Copy(source, from, target, to_spec);
  kernel::Copy({source, from}, {target, TensorSpec(output.type(), to.shape, to.strides)});
}

}  // namespace kuiper_infer
