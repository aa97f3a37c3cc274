// SPDX-License-Identifier: MIT
#include <fstream>
#include <iomanip>

#include "kuiper_infer/runtime/ir.h"
#include "kuiper_infer/runtime/store_zip.hpp"
#include "kuiper_infer/utils/data_type.hpp"

namespace pnnx {
namespace {

std::string TypeText(int type) { return kuiper_infer::PnnxTypeName(static_cast<kuiper_infer::RuntimeDataType>(type)); }

std::string ExtentsText(const std::vector<int>& shape) {
  std::string text = "(";
  for (const int extent : shape) text += (text.size() > 1 ? "," : "") + (extent < 0 ? "?" : std::to_string(extent));
  return text + ")";
}

void WriteOperator(std::ostream& file, const Operator& op) {
  file << std::left << std::setw(24) << op.type << " " << std::setw(24) << op.name << " " << op.inputs.size() << " "
       << op.outputs.size();
  for (const Operand* operand : op.inputs) file << " " << operand->name;
  for (const Operand* operand : op.outputs) file << " " << operand->name;
  for (const auto& [key, parameter] : op.params) file << " " << key << "=" << parameter.encode_to_string();
  for (const auto& [key, attribute] : op.attrs) {
    file << " @" << key << "=" << ExtentsText(attribute.shape) << TypeText(attribute.type);
  }
  for (std::size_t i = 0; i < op.inputnames.size() && i < op.inputs.size(); ++i) {
    if (!op.inputnames[i].empty()) file << " $" << op.inputnames[i] << "=" << op.inputs[i]->name;
  }
  for (const auto* operands : {&op.inputs, &op.outputs}) {
    for (const Operand* operand : *operands) {
      if (!operand->has_shape && operand->shape.empty()) continue;
      file << " #" << operand->name << "=" << ExtentsText(operand->shape) << TypeText(operand->type);
    }
  }
  file << "\n";
}

}  // namespace

int Graph::save(const std::string& param_path, const std::string& bin_path) {
  const auto fail = [this](std::string text) {
    error_ = std::move(text);
    return -1;
  };
  std::ofstream file(param_path, std::ios::binary);
  file << "7767517\n" << ops.size() << " " << operands.size() << "\n";
  for (const Operator* op : ops) WriteOperator(file, *op);
  if (!file.flush()) return fail(param_path + ": cannot be written");

  kuiper_infer::StoreZipWriter writer;
  if (writer.open(bin_path) != 0) return fail(writer.error());
  for (const Operator* op : ops) {
    for (const auto& [key, attribute] : op->attrs) {
      if (writer.write_file(op->name + "." + key, attribute.data.data(), attribute.data.size()) != 0) {
        return fail(bin_path + ": " + writer.error());
      }
    }
  }
  if (writer.close() != 0) return fail(bin_path + ": " + writer.error());
  return 0;
}

}  // namespace pnnx
