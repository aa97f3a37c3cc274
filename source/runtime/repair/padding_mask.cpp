// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "runtime/repair/constant.hpp"
#include "runtime/repair/recorded_shape.hpp"
#include "runtime/repair/repairs.hpp"

namespace kuiper_infer {
namespace {

constexpr float kMasked = -INFINITY;

/// Whether the operator fills -inf into its first operand at the places that its second operand marks.
bool FillsMasked(const pnnx::Operator& op) {
  const auto value = op.params.find("value");
  return op.type == "Tensor.masked_fill" && op.inputs.size() == 2 && op.outputs.size() == 1 &&
         op.inputs[0] != nullptr && op.inputs[1] != nullptr && value != op.params.end() && value->second.type == 3 &&
         value->second.f == kMasked;
}

/// Whether the operator is an attention that takes an array of this shape for the padding of its keys. The first extent
/// of the array is then the batch size. If there are as many queries, the array may be a mask of (queries, keys).
bool TakesAsPadding(const pnnx::Operator& op, const pnnx::Operand* mask, const Shape& shape) {
  if (op.type != "nn.MultiheadAttention" || op.inputs.size() < 2 || op.inputs.back() != mask) return false;
  const pnnx::Operand* query = op.inputs.front();
  if (query == nullptr || query == mask || !query->has_shape || query->shape.size() != 3) return false;
  const auto batch_first = op.params.find("batch_first");
  const bool first = batch_first != op.params.end() && batch_first->second.b;
  const int64_t batch = query->shape[first ? 0 : 1];
  const int64_t length = query->shape[first ? 1 : 0];
  return batch == shape[0] && length != kUnknownExtent && length != shape[0];
}

}  // namespace

void ClearPaddingMask(pnnx::Operator& op) {
  constexpr int kFloat32 = 1;
  if (!FillsMasked(op)) return;
  pnnx::Attribute* constant = FoldedConstantOf(op.inputs[0]);
  if (constant == nullptr || constant->type != kFloat32 || constant->shape.size() != 2) return;
  if (op.inputs[0]->consumers.size() != 1 || !op.inputs[1]->has_shape || op.inputs[1]->shape != constant->shape) return;
  const pnnx::Operand* mask = op.outputs[0];
  const Shape shape(constant->shape.begin(), constant->shape.end());
  const bool padding = !mask->consumers.empty() &&
                       std::all_of(mask->consumers.begin(), mask->consumers.end(),
                                   [&](const pnnx::Operator* user) { return TakesAsPadding(*user, mask, shape); });
  if (!padding) return;
  std::vector<float> values = FloatsOf(*constant);
  const bool written =
      std::all_of(values.begin(), values.end(), [](float value) { return value == 0 || value == kMasked; });
  if (!written || values.empty()) return;
  std::fill(values.begin(), values.end(), 0.0F);
  constant->set_float32_data(values);
  constant->stored = nullptr;
}

}  // namespace kuiper_infer
