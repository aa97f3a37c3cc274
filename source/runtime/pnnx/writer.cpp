// SPDX-License-Identifier: MIT
#include <iomanip>
#include <sstream>

#include "data/file_beside.hpp"
#include "data/file_writer.hpp"
#include "kuiper_infer/runtime/ir.h"
#include "kuiper_infer/runtime/store_zip.hpp"
#include "kuiper_infer/utils/data_type.hpp"
#include "kuiper_infer/utils/error.hpp"

namespace pnnx {
namespace {

std::string TypeText(int type) { return kuiper_infer::PnnxTypeName(static_cast<kuiper_infer::RuntimeDataType>(type)); }

std::string ExtentsText(const std::vector<int>& shape) {
  std::string text = "(";
  for (const int extent : shape) text += (text.size() > 1 ? "," : "") + (extent < 0 ? "?" : std::to_string(extent));
  return text + ")";
}

/// Throws for text that the format cannot hold. It has neither quotes nor escapes: a blank would end the column, an
/// empty column would be none.
void CheckText(const Operator& op, const std::string& what, const std::string& text, bool may_be_empty) {
  const bool blank = text.find_first_of(std::string(" \t\r\n\0", 5)) != std::string::npos;
  if (!blank && (may_be_empty || !text.empty())) return;
  throw kuiper_infer::Error(kuiper_infer::ErrorCode::kGraph,
                            "operator '" + op.name + "': " + what + " is '" + text + "', expected text without blanks");
}

void CheckOperator(const Operator& op) {
  CheckText(op, "the type", op.type, false);
  CheckText(op, "the name", op.name, false);
  for (const auto* operands : {&op.inputs, &op.outputs}) {
    for (const Operand* operand : *operands) CheckText(op, "an operand's name", operand->name, false);
  }
  for (const auto& [key, parameter] : op.params) {
    CheckText(op, "a parameter's name", key, false);
    CheckText(op, "parameter '" + key + "'", parameter.encode_to_string(), true);
  }
  for (const auto& [key, attribute] : op.attrs) CheckText(op, "an attribute's name", key, false);
  for (const std::string& name : op.inputnames) CheckText(op, "an input's name", name, true);
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
  const auto fail = [&](std::string text) {
    error_ = std::move(text);
    return -1;
  };
  try {
    for (const Operator* op : ops) CheckOperator(*op);
  } catch (const kuiper_infer::Error& error) {
    return fail(param_path + ": " + error.what());
  }
  // The file keeps its temporary name until the other file is complete: if either can't be written, the old pair stays.
  kuiper_infer::FileBeside param(param_path, ".unfinished");
  std::ostringstream text;
  text << "7767517\n" << ops.size() << " " << operands.size() << "\n";
  for (const Operator* op : ops) WriteOperator(text, *op);
  try {
    kuiper_infer::WriteFile(param.beside(), text.str());
  } catch (const kuiper_infer::Error& error) {
    return fail(error.what());
  }

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
  try {
    param.Place();
  } catch (const kuiper_infer::Error& error) {
    return fail(error.what());
  }
  return 0;
}

}  // namespace pnnx
