// SPDX-License-Identifier: MIT
#include "runtime/repair/recorded_shape.hpp"
#include "runtime/repair/repairs.hpp"

namespace kuiper_infer {

void NameSamePadding(pnnx::Operator& op) {
  const auto padding = op.params.find("padding");
  if (op.type.rfind("nn.Conv", 0) != 0 || op.type.rfind("nn.ConvT", 0) == 0 || padding == op.params.end() ||
      padding->second.type != 0)
    return;
  if (op.inputs.size() != 1 || op.outputs.size() != 1 || op.inputs[0] == nullptr || op.outputs[0] == nullptr) return;
  const Shape input = RecordedShape(*op.inputs[0]);
  const Shape output = RecordedShape(*op.outputs[0]);
  const auto kernel = op.params.find("kernel_size");
  const std::size_t axes = kernel == op.params.end() ? 0 : kernel->second.ai.size();
  if (axes == 0 || input.size() != output.size() || input.size() <= axes) return;
  const auto image = static_cast<std::ptrdiff_t>(axes);
  if (SameShape(Shape(input.end() - image, input.end()), Shape(output.end() - image, output.end()))) {
    padding->second = pnnx::Parameter("same");
  }
}

}  // namespace kuiper_infer
