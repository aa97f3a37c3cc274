// SPDX-License-Identifier: MIT
#include "quantization/constant_weights.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "kuiper_infer/utils/data_type.hpp"
#include "runtime/repair/constant.hpp"

namespace kuiper_infer::quantization {
namespace {

bool IsProduct(const pnnx::Operator& op) {
  static const std::set<std::string> kTypes = {
      "torch.matmul", "Tensor.matmul", "torch.linalg.matmul", "aten::matmul", "torch.mm", "Tensor.mm", "aten::mm"};
  return kTypes.count(op.type) != 0;
}

bool IsFloatMatrix(const pnnx::Attribute& attribute) {
  return attribute.type == static_cast<int>(RuntimeDataType::kTypeFloat32) && attribute.shape.size() == 2;
}

/// The integers of the parameters `dim0` and `dim1`, or of the list `dims`; empty if they are no parameters.
std::vector<int> AxesOf(const pnnx::Operator& op) {
  const auto dims = op.params.find("dims");
  if (dims != op.params.end()) return dims->second.ai;
  std::vector<int> axes;
  for (const char* const name : {"dim0", "dim1"}) {
    const auto found = op.params.find(name);
    if (found != op.params.end() && found->second.type == 2) axes.push_back(found->second.i);
  }
  return axes;
}

/// Whether an operator of one input exchanges the axes of a matrix.
bool Transposes(const pnnx::Operator& op) {
  static const std::set<std::string> kAlways = {"torch.t", "Tensor.t", "aten::t", "aten::numpy_T"};
  static const std::set<std::string> kByAxes = {"torch.transpose", "Tensor.transpose", "aten::transpose"};
  static const std::set<std::string> kByOrder = {"torch.permute", "Tensor.permute", "aten::permute"};
  if (op.inputs.size() + op.attrs.size() != 1 || op.outputs.size() != 1) return false;
  if (kAlways.count(op.type) != 0) return true;
  std::vector<int> axes = AxesOf(op);
  for (int& axis : axes) axis += axis < 0 ? 2 : 0;
  const bool exchanged = axes == std::vector<int>{1, 0};
  return (kByAxes.count(op.type) != 0 && (exchanged || axes == std::vector<int>{0, 1})) ||
         (kByOrder.count(op.type) != 0 && exchanged);
}

bool ReadsAsWeight(const pnnx::Operator& reader, const pnnx::Operand* operand) {
  const auto place = WeightInputOf(reader);
  return place && reader.inputs[*place] == operand &&
         std::count(reader.inputs.begin(), reader.inputs.end(), operand) == 1;
}

bool MultipliesBy(const pnnx::Operator& reader) {
  if (IsProduct(reader)) return true;
  if (!Transposes(reader)) return false;
  const std::vector<pnnx::Operator*>& next = reader.outputs.front()->consumers;
  return std::any_of(next.begin(), next.end(), [](const pnnx::Operator* op) { return IsProduct(*op); });
}

}  // namespace

bool IsConstantWeight(const pnnx::Operator& op) {
  if (op.type != "pnnx.Attribute" || op.outputs.size() != 1 || op.attrs.count("data") == 0) return false;
  const pnnx::Operand* const constant = op.outputs.front();
  return std::any_of(constant->consumers.begin(), constant->consumers.end(), [&](const pnnx::Operator* reader) {
    return ReadsAsWeight(*reader, constant) || MultipliesBy(*reader);
  });
}

std::string ReaderInFloat(const pnnx::Operator& constant) {
  if (constant.type != "pnnx.Attribute") return "";
  const pnnx::Operand* const weight = constant.outputs.front();
  for (const pnnx::Operator* reader : weight->consumers) {
    if (ReadsAsWeight(*reader, weight)) continue;
    return "'" + reader->name + "' (" + reader->type + ") doesn't read it as the weight of a linear layer or embedding";
  }
  return "";
}

void MakeLinearOfProduct(pnnx::Operator& op) {
  if (!IsProduct(op) || op.inputs.size() != 2 || !op.attrs.empty()) return;
  const auto& names = op.inputnames;
  const bool reversed = names.size() == 2 && (names[1] == "input" || names[1] == "self");
  pnnx::Operand* const rows = op.inputs[reversed ? 1 : 0];
  pnnx::Operand* const factor = op.inputs[reversed ? 0 : 1];
  pnnx::Operator* const transposed = factor->producer;
  if (factor == rows || transposed == nullptr || !Transposes(*transposed)) return;
  if (!transposed->attrs.empty()) {  // the matrix has no other reader
    const pnnx::Attribute& matrix = transposed->attrs.begin()->second;
    if (!IsFloatMatrix(matrix)) return;
    op.type = "nn.Linear";
    op.params = {{"bias", false}, {"in_features", matrix.shape[1]}, {"out_features", matrix.shape[0]}};
    op.attrs["weight"] = matrix;
    op.inputs = {rows};
    op.inputnames.clear();
    factor->remove_consumer(&op);
    return;
  }
  pnnx::Operand* const matrix = transposed->inputs.front();
  const pnnx::Attribute* const constant = ConstantOf(matrix);
  if (constant == nullptr || !IsFloatMatrix(*constant)) return;
  op.type = "F.linear";
  op.params.clear();
  op.inputs = {rows, matrix};
  op.inputnames = {"input", "weight"};
  matrix->consumers.push_back(&op);
  factor->remove_consumer(&op);
  if (factor->consumers.empty()) matrix->remove_consumer(transposed);
}

}  // namespace kuiper_infer::quantization
