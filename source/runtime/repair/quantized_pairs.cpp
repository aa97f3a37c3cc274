// SPDX-License-Identifier: MIT
// What PyTorch's export writes of quantised models: pairs of conversions to integers and back.
#include <algorithm>
#include <string>
#include <vector>

#include "runtime/repair/constant.hpp"
#include "runtime/repair/repairs.hpp"

namespace kuiper_infer {
namespace {

constexpr char kDequantize[] = "quantized_decomposed::dequantize_";
constexpr char kQuantize[] = "quantized_decomposed::quantize_";
constexpr char kFakeQuantize[] = "aten::fake_quantize_";

/// What follows the prefix of a type; empty for other types.
std::string FormOf(const pnnx::Operator& op, const std::string& prefix) {
  return op.type.compare(0, prefix.size(), prefix) == 0 ? op.type.substr(prefix.size()) : "";
}

bool SameParameter(const pnnx::Operator& a, const pnnx::Operator& b, const std::string& name) {
  const auto left = a.params.find(name);
  const auto right = b.params.find(name);
  const bool neither = left == a.params.end() && right == b.params.end();
  return neither || (left != a.params.end() && right != b.params.end() && left->second == right->second);
}

/// Whether both operators read the same operands after the first one, by the same names.
bool SameParameters(const pnnx::Operator& a, const pnnx::Operator& b) {
  if (a.inputs.size() != b.inputs.size() || a.inputnames.size() != b.inputnames.size()) return false;
  return std::equal(a.inputs.begin() + 1, a.inputs.end(), b.inputs.begin() + 1) &&
         (a.inputnames.empty() || std::equal(a.inputnames.begin() + 1, a.inputnames.end(), b.inputnames.begin() + 1));
}

/// Whether the result is float32. Another type may be given as out_dtype.
bool GivesFloats(const pnnx::Operator& op) {
  const auto type = op.params.find("out_dtype");
  return type == op.params.end() || type->second.type == 0 || type->second.s == "torch.float";
}

/// A weight's scales and zero points as attributes. The scales are empty unless there is one for each row.
struct RowParameters {
  pnnx::Attribute scales;
  pnnx::Attribute zero_points;
};

RowParameters ReadRows(const pnnx::Operator& op, const pnnx::Attribute& integers) {
  RowParameters rows;
  const auto scales = op.attrs.find("scales");
  const auto axis = op.params.find("axis");
  if (scales == op.attrs.end() || axis == op.params.end() || axis->second.type != 2 || axis->second.i != 0) return rows;
  if (integers.shape.empty() || scales->second.shape != std::vector<int>{integers.shape.front()}) return rows;
  rows.scales = scales->second;
  if (const auto zeros = op.attrs.find("zero_points"); zeros != op.attrs.end()) rows.zero_points = zeros->second;
  return rows;
}

}  // namespace

void JoinQuantizedPair(pnnx::Operator& op) {
  const std::string form = FormOf(op, kDequantize);
  constexpr int kFloat32 = 1;
  if (form.empty() || op.inputs.empty() || !GivesFloats(op)) return;
  pnnx::Operand* integers = op.inputs.front();
  const pnnx::Operator* quantize = integers->producer;
  if (quantize == nullptr || FormOf(*quantize, kQuantize) != form || quantize->inputs.empty()) return;
  const std::vector<std::string> names = {"scale", "zero_point", "axis", "quant_min", "quant_max"};
  const bool same = std::all_of(names.begin(), names.end(),
                                [&](const std::string& name) { return SameParameter(op, *quantize, name); });
  if (!same || !SameParameters(op, *quantize) || !op.attrs.empty() || !quantize->attrs.empty()) return;
  pnnx::Operand* numbers = quantize->inputs.front();
  if (numbers->type != kFloat32 && numbers->type != 0) return;
  op.type = kFakeQuantize + form + "_affine";
  op.params.erase("dtype");
  op.params.erase("out_dtype");
  integers->remove_consumer(&op);
  op.inputs.front() = numbers;
  numbers->consumers.push_back(&op);
}

void JoinQuantizedWeight(pnnx::Operator& op) {
  const auto name = std::find(op.inputnames.begin(), op.inputnames.end(), "weight");
  if (name == op.inputnames.end()) return;
  const std::ptrdiff_t position = name - op.inputnames.begin();
  pnnx::Operand* operand = op.inputs[static_cast<std::size_t>(position)];
  const pnnx::Operator* dequantize = operand->producer;
  if (dequantize == nullptr || FormOf(*dequantize, kDequantize).empty() || !GivesFloats(*dequantize)) return;
  const auto integers = dequantize->attrs.find("input");
  constexpr int kInt8 = 7;
  if (!dequantize->inputs.empty() || integers == dequantize->attrs.end() || integers->second.type != kInt8) return;
  RowParameters rows = ReadRows(*dequantize, integers->second);
  if (rows.scales.type == 0) return;
  op.attrs["weight"] = integers->second;
  op.attrs["weight.q_per_channel_scales"] = std::move(rows.scales);
  if (rows.zero_points.type != 0) op.attrs["weight.q_per_channel_zero_points"] = std::move(rows.zero_points);
  operand->remove_consumer(&op);
  op.inputs.erase(op.inputs.begin() + position);
  op.inputnames.erase(op.inputnames.begin() + position);
}

}  // namespace kuiper_infer
