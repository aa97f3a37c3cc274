// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>
#include <string_view>
#include <unordered_set>

#include "runtime/repair/constant.hpp"
#include "runtime/repair/recorded_shape.hpp"
#include "runtime/repair/repairs.hpp"

namespace kuiper_infer {
namespace {

/// An operator that gives its first operand with something written into a part of it.
struct Writer {
  std::string_view name;  ///< of the type, behind PyTorch's namespaces
  bool adds;              ///< the old contents count even if the same part is written again
  std::size_t positions;  ///< the operand that tells where to write
};

constexpr Writer kWriters[] = {
    {"index_add", true, 2},   {"scatter_add", true, 2},  {"scatter_reduce", true, 2},
    {"index_put", false, 1},  {"masked_fill", false, 1}, {"masked_scatter", false, 1},
    {"index_copy", false, 2}, {"index_fill", false, 2},  {"scatter", false, 2},
};

const Writer* WriterOf(const pnnx::Operator& op) {
  const std::size_t end = op.type.find_last_of(".:");
  const std::string_view name = std::string_view(op.type).substr(end == std::string::npos ? 0 : end + 1);
  const auto* const found =
      std::find_if(std::begin(kWriters), std::end(kWriters), [&](const Writer& writer) { return writer.name == name; });
  return found == std::end(kWriters) ? nullptr : found;
}

const pnnx::Operand* PositionsOf(const pnnx::Operator& op, const Writer& writer) {
  for (std::size_t i = 0; i < std::min(op.inputs.size(), op.inputnames.size()); ++i) {
    if (op.inputnames[i] == "index" || op.inputnames[i] == "indices" || op.inputnames[i] == "mask") return op.inputs[i];
  }
  return writer.positions < op.inputs.size() ? op.inputs[writer.positions] : nullptr;
}

/// Whether the operand is computed from the model's inputs.
bool DependsOnInputs(const pnnx::Operand* operand) {
  std::vector<const pnnx::Operand*> waiting = {operand};
  std::unordered_set<const pnnx::Operator*> seen;
  while (!waiting.empty()) {
    const pnnx::Operator* producer = waiting.back() == nullptr ? nullptr : waiting.back()->producer;
    waiting.pop_back();
    if (producer == nullptr || !seen.insert(producer).second) continue;
    if (producer->type == "pnnx.Input") return true;
    waiting.insert(waiting.end(), producer->inputs.begin(), producer->inputs.end());
  }
  return false;
}

bool IsUniform(const std::vector<char>& bytes, std::size_t element) {
  for (std::size_t i = element; element > 0 && i + element <= bytes.size(); i += element) {
    if (std::memcmp(bytes.data(), bytes.data() + i, element) != 0) return false;
  }
  return true;
}

/// Whether the mask, broadcast to the constant, has an element that would write `value` only to places that hold it
/// already. If the mask's shape is not known, whether the constant holds `value` anywhere.
bool HoldsFilled(const std::vector<float>& constant, const Shape& shape, const pnnx::Operand& mask, float value) {
  Shape extents(shape.size(), 1);  // the mask's, with axes of 1 in front
  if (mask.has_shape && mask.shape.size() <= shape.size()) {
    std::copy_backward(mask.shape.begin(), mask.shape.end(), extents.end());
  } else {
    extents = shape;
  }
  std::size_t elements = 1;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (extents[axis] != 1) extents[axis] = shape[axis];  // a free extent, or the only one that broadcasts in place
    elements *= static_cast<std::size_t>(extents[axis]);
  }
  std::vector<char> filled(elements, 1);
  for (std::size_t i = 0; i < constant.size(); ++i) {
    std::size_t rest = i;
    std::size_t position = 0;
    std::size_t stride = 1;
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      const auto extent = static_cast<std::size_t>(shape[axis]);
      if (extents[axis] != 1) position += rest % extent * stride;
      stride *= static_cast<std::size_t>(extents[axis]);
      rest /= extent;
    }
    if (constant[i] != value) filled[position] = 0;
  }
  return std::find(filled.begin(), filled.end(), 1) != filled.end();
}

bool MayHoldWritten(const pnnx::Operator& op, const pnnx::Attribute& constant, const pnnx::Operand& positions) {
  const auto value = op.params.find("value");
  const bool fills = value != op.params.end() && (value->second.type == 2 || value->second.type == 3);
  if (fills) {
    const std::vector<float> values = FloatsOf(constant);
    const float filled = value->second.type == 2 ? static_cast<float>(value->second.i) : value->second.f;
    const Shape shape(constant.shape.begin(), constant.shape.end());
    if (!values.empty()) return HoldsFilled(values, shape, positions, filled);
  }
  return !IsUniform(BytesOf(constant), constant.elemsize());  // a fresh array repeats one number
}

/// Whether the operator is the addition in a recurrent cell, which PyTorch does in place, before or after the cut into
/// gates.
bool AddsInCell(const pnnx::Operator& op) {
  const auto expression = op.params.find("expr");
  if (op.type != "pnnx.Expression" || op.inputs.size() != 2 || op.outputs.size() != 1 || op.inputs[1] == nullptr ||
      expression == op.params.end() || expression->second.encode_to_string() != "add(@0,@1)") {
    return false;
  }
  const auto cuts = [](const pnnx::Operator* user) { return user != nullptr && user->type == "aten::unsafe_chunk"; };
  const pnnx::Operator* gates = op.inputs[1]->producer;
  if (gates != nullptr && gates->type == "prim::ListUnpack" && gates->inputs.size() == 1 &&
      gates->inputs[0] != nullptr) {
    return cuts(gates->inputs[0]->producer);
  }
  return std::any_of(op.outputs[0]->consumers.begin(), op.outputs[0]->consumers.end(), cuts);
}

}  // namespace

void FindWrittenConstant(const pnnx::Operator& op, std::vector<std::string>& warnings) {
  const Writer* writer = WriterOf(op);
  const bool in_cell = writer == nullptr && AddsInCell(op);
  if ((writer == nullptr && !in_cell) || op.inputs.empty()) return;
  const pnnx::Attribute* constant = FoldedConstantOf(op.inputs[0]);
  if (constant == nullptr) return;
  if (writer != nullptr) {
    const auto accumulate = op.params.find("accumulate");
    const bool adds = writer->adds || (accumulate != op.params.end() && accumulate->second.b);
    const pnnx::Operand* positions = PositionsOf(op, *writer);
    // If each run writes to the same places, it overwrites what was written there before.
    if (positions == nullptr || (!adds && !DependsOnInputs(positions))) return;
    if (!MayHoldWritten(op, *constant, *positions)) return;
  }
  warnings.push_back("operator '" + op.name + "' (" + op.type + ") writes into the constant '" +
                     op.inputs[0]->producer->name + "', " +
                     (in_cell ? "the first state of a recurrent cell" : "which seems to hold what is written already") +
                     ": where a module writes in place, the converter stores the constant as its own run left it, and "
                     "results for other inputs are wrong; export with a second set of inputs (inputs2=...), or write "
                     "out of place");
}

}  // namespace kuiper_infer
