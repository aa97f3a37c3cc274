// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <unordered_map>

#include "kuiper_infer/runtime/ir.h"
#include "kuiper_infer/runtime/store_zip.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "kuiper_infer/utils/shape.hpp"

namespace pnnx {
namespace {

using kuiper_infer::Error;
using kuiper_infer::ErrorCode;
using kuiper_infer::RuntimeDataType;

constexpr const char* kMagic = "7767517";

std::vector<std::string> Tokenize(const std::string& line) {
  std::vector<std::string> tokens;
  std::size_t at = 0;
  while (true) {
    at = line.find_first_not_of(" \t\r", at);
    if (at == std::string::npos) return tokens;
    const std::size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
    tokens.push_back(line.substr(at, end - at));
    at = end;
  }
}

/// Reads the .param file into an empty graph.
class ParamReader {
 public:
  ParamReader(Graph& graph, const std::string& path) : graph_(graph), path_(path), file_(path, std::ios::binary) {
    if (!file_ || std::filesystem::is_directory(path)) throw Error(ErrorCode::kFile, path + ": cannot be opened");
  }

  void Read() {
    std::vector<std::string> tokens = NextLine("the magic number 7767517");
    if (tokens.size() != 1 || tokens[0] != kMagic) {
      Fail("found '" + Shorten(tokens.empty() ? "" : tokens[0]) +
           "', expected the magic number 7767517 of a .pnnx.param file");
    }
    tokens = NextLine("the counts of operators and operands");
    if (tokens.size() != 2) {
      Fail("found " + std::to_string(tokens.size()) + " columns, expected the counts of operators and operands");
    }
    const int64_t count = ReadCount(tokens[0], "operator count");
    ReadCount(tokens[1], "operand count");  // informational: the writer may count too many
    for (int64_t i = 0; i < count; ++i) {
      ReadOperator(NextLine("operator " + std::to_string(i + 1) + " of " + std::to_string(count)));
    }
  }

 private:
  [[noreturn]] void Fail(const std::string& text) const {
    throw Error(ErrorCode::kFile, path_ + ":" + std::to_string(line_) + ": " + text);
  }

  /// Text of a broken file for a message.
  static std::string Shorten(const std::string& text) {
    std::string shown;
    for (const char c : text.substr(0, 40)) shown += c >= ' ' && c <= '~' ? c : '?';
    return shown + (text.size() > 40 ? "..." : "");
  }

  std::vector<std::string> NextLine(const std::string& expected) {
    std::string line;
    ++line_;
    if (!std::getline(file_, line)) Fail("the file ends here, expected " + expected);
    if (line.find('\0') != std::string::npos) Fail("found a zero byte, expected text");
    return Tokenize(line);
  }

  int64_t ReadCount(const std::string& text, const char* what) const {
    char* end = nullptr;
    const long long value = std::strtoll(text.c_str(), &end, 10);
    if (end == text.c_str() || *end != '\0' || value < 0 || value > std::numeric_limits<int>::max()) {
      Fail(std::string(what) + " is '" + Shorten(text) + "', expected a number from 0 to 2147483647");
    }
    return value;
  }

  void ReadOperator(const std::vector<std::string>& tokens) {
    if (tokens.size() < 4) {
      Fail("found " + std::to_string(tokens.size()) + " columns, expected type, name, number of inputs and of outputs");
    }
    const int64_t inputs = ReadCount(tokens[2], "number of inputs");
    const int64_t outputs = ReadCount(tokens[3], "number of outputs");
    if (static_cast<int64_t>(tokens.size()) - 4 < inputs + outputs) {
      Fail("operator '" + tokens[1] + "' lists " + std::to_string(tokens.size() - 4) +
           " further columns, expected at least " + std::to_string(inputs + outputs) + " operands");
    }
    if (tokens[0] == "pnnx.Input" && inputs > 0) {
      Fail("operator '" + tokens[1] + "' (pnnx.Input) has " + std::to_string(inputs) + " inputs, expected none");
    }
    if (tokens[0] == "pnnx.Output" && inputs != 1) {
      Fail("operator '" + tokens[1] + "' (pnnx.Output) has " + std::to_string(inputs) + " inputs, expected 1");
    }
    Operator* op = graph_.new_operator(tokens[0], tokens[1]);
    auto token = tokens.begin() + 4;
    for (int64_t i = 0; i < inputs; ++i) AddInput(op, *token++);
    for (int64_t i = 0; i < outputs; ++i) AddOutput(op, *token++);
    std::size_t cursor = 0;
    int integer_keys = 0;
    for (; token != tokens.end(); ++token) {
      ReadEntry(op, *token, cursor);
      integer_keys += token->front() == '-' || (token->front() >= '0' && token->front() <= '9') ? 1 : 0;
    }
    if (op->type.find('.') == std::string::npos && op->type.find("::") == std::string::npos &&
        (integer_keys > 0 || op->type == "Input")) {
      Fail("operator '" + op->name + "' of type " + op->type +
           " has numbered parameters: this is a .ncnn.param file, expected .pnnx.param");
    }
  }

  void AddInput(Operator* op, const std::string& name) {
    const auto found = produced_.find(name);
    if (found == produced_.end()) {
      Fail("operator '" + op->name + "' reads operand '" + name + "', which no earlier line produces");
    }
    found->second->consumers.push_back(op);
    op->inputs.push_back(found->second);
  }

  void AddOutput(Operator* op, const std::string& name) {
    if (const auto known = produced_.find(name); known != produced_.end()) {
      Fail("operand '" + name + "' is produced by operator '" + known->second->producer->name + "' and again by '" +
           op->name + "'");
    }
    Operand* operand = graph_.new_operand(name);
    produced_.emplace(name, operand);
    operand->producer = op;
    op->outputs.push_back(operand);
  }

  void ReadEntry(Operator* op, const std::string& entry, std::size_t& cursor) {
    const std::size_t equals = entry.find('=');
    if (equals == std::string::npos || equals == 0) {
      Fail("operator '" + op->name + "': found '" + Shorten(entry) + "', expected key=value");
    }
    const std::string key = entry.substr(0, equals);
    const std::string value = entry.substr(equals + 1);
    if (key[0] == '@') {
      ReadAttribute(op, key.substr(1), value);
    } else if (key[0] == '$') {
      ReadInputName(op, key.substr(1), value, cursor);
    } else if (key[0] == '#') {
      ReadShape(op, key.substr(1), value);
    } else if (key == "expr") {  // a language of its own, never a list or a number
      op->params[key] = Parameter(value);
      op->params[key].text = value;
    } else {
      op->params[key] = Parameter::parse_from_string(value);
    }
  }

  /// "(1,3,?)f32" -> extents and element type.
  std::vector<int> ReadExtents(const std::string& what, const std::string& value, bool dynamic,
                               std::string& type) const {
    const std::size_t close = value.find(')');
    if (value.empty() || value[0] != '(' || close == std::string::npos) {
      Fail(what + " is '" + Shorten(value) + "', expected a shape and type such as (1,3)f32");
    }
    type = value.substr(close + 1);
    std::vector<int> extents;
    const std::string inner = value.substr(1, close - 1);
    for (std::size_t at = 0; at < inner.size();) {
      const std::size_t end = std::min(inner.find(',', at), inner.size());
      extents.push_back(ReadExtent(what, inner.substr(at, end - at), dynamic));
      at = end + 1;
    }
    return extents;
  }

  int ReadExtent(const std::string& what, const std::string& text, bool dynamic) const {
    constexpr long long kConverterSymbol = -233;
    if (dynamic && (text == "?" || (!text.empty() && text[0] == '%'))) return -1;
    char* end = nullptr;
    const long long extent = std::strtoll(text.c_str(), &end, 10);
    const bool number = !text.empty() && *end == '\0';
    if (dynamic && number && (extent == -1 || extent == kConverterSymbol)) return -1;
    if (!number || extent < 0 || extent > std::numeric_limits<int>::max()) {
      Fail(what + " has the extent '" + Shorten(text) + "', expected a number from 0 to 2147483647");
    }
    return static_cast<int>(extent);
  }

  /// Refuses shapes whose bytes cannot be counted, while the line is known.
  void CheckSize(const std::string& what, const std::vector<int>& extents, RuntimeDataType type) const {
    kuiper_infer::Shape shape(extents.begin(), extents.end());
    std::replace(shape.begin(), shape.end(), int64_t{-1}, int64_t{1});
    try {
      kuiper_infer::ByteCount(type, shape);
    } catch (const Error& error) {
      Fail(what + ": " + error.what());
    }
  }

  void ReadAttribute(Operator* op, const std::string& key, const std::string& value) {
    Attribute& attribute = op->attrs[key];
    const std::string what = "attribute '" + op->name + "." + key + "'";
    std::string type;
    attribute.shape = ReadExtents(what, value, false, type);
    attribute.type = static_cast<int>(kuiper_infer::TypeFromPnnxName(type));
    CheckSize(what, attribute.shape, static_cast<RuntimeDataType>(attribute.type));
  }

  void ReadInputName(Operator* op, const std::string& key, const std::string& value, std::size_t& cursor) {
    op->inputnames.resize(op->inputs.size());
    while (cursor < op->inputs.size() && op->inputs[cursor]->name != value) ++cursor;
    if (cursor == op->inputs.size()) {
      // Not in input order: the first unnamed position that matches.
      for (cursor = 0; cursor < op->inputs.size(); ++cursor) {
        if (op->inputs[cursor]->name == value && op->inputnames[cursor].empty()) break;
      }
    }
    if (cursor == op->inputs.size()) {
      Fail("operator '" + op->name + "': $" + key + " names operand '" + value + "', which is none of its inputs");
    }
    op->inputnames[cursor++] = key;
  }

  void ReadShape(Operator* op, const std::string& name, const std::string& value) {
    const auto matches = [&](const Operand* operand) { return operand->name == name; };
    auto found = std::find_if(op->inputs.begin(), op->inputs.end(), matches);
    if (found == op->inputs.end()) {
      found = std::find_if(op->outputs.begin(), op->outputs.end(), matches);
      if (found == op->outputs.end()) {
        Fail("operator '" + op->name + "': #" + name + " is none of its operands");
      }
    }
    const std::string what = "operand '" + name + "' of operator '" + op->name + "'";
    std::string type;
    (*found)->shape = ReadExtents(what, value, true, type);
    (*found)->has_shape = true;
    (*found)->type = static_cast<int>(kuiper_infer::TypeFromPnnxName(type));
    CheckSize(what, (*found)->shape, static_cast<RuntimeDataType>((*found)->type));
  }

  Graph& graph_;
  std::string path_;
  std::ifstream file_;
  int64_t line_ = 0;
  std::unordered_map<std::string, Operand*> produced_;  ///< operands on lines read so far
};

/// Fills the attributes from the .bin archive. The k-th use of a name in the .param is the k-th entry of that name.
void ReadWeights(Graph& graph, const std::string& path, int64_t most_bytes) {
  const auto fail = [&path](const std::string& text) { throw Error(ErrorCode::kFile, path + ": " + text); };
  kuiper_infer::StoreZipReader reader;
  if (reader.open(path) != 0) fail(reader.error());
  std::map<std::string, std::size_t> seen;
  uint64_t taken = 0;
  for (Operator* op : graph.ops) {
    for (auto& [key, attribute] : op->attrs) {
      if (attribute.type == 0) continue;
      const std::string name = op->name + "." + key;
      const kuiper_infer::Shape shape(attribute.shape.begin(), attribute.shape.end());
      const auto type = static_cast<RuntimeDataType>(attribute.type);
      const auto bytes = static_cast<uint64_t>(kuiper_infer::ByteCount(type, shape));
      const std::size_t occurrence = seen[name]++;
      if (!reader.has_file(name, occurrence)) {
        if (bytes == 0) continue;
        fail("has no entry '" + name + "', expected " + std::to_string(bytes) + " bytes");
      }
      const uint64_t present = reader.get_file_size(name, occurrence);
      if (present != bytes) {
        fail("entry '" + name + "' has " + std::to_string(present) + " bytes, expected " + std::to_string(bytes) +
             " for " + kuiper_infer::TypeName(type) + " " + kuiper_infer::ShapeString(shape));
      }
      // A damaged archive may announce more than it holds.
      if (bytes > std::filesystem::file_size(path) * 1032) fail("entry '" + name + "' is larger than the file allows");
      if (most_bytes > 0 && bytes > static_cast<uint64_t>(most_bytes) - taken) {
        throw Error(ErrorCode::kResource, path + ": weights up to entry '" + name + "' take more than the limit of " +
                                              std::to_string(most_bytes) + " bytes");
      }
      taken += bytes;
      attribute.data.resize(bytes);
      if (reader.read_file(name, attribute.data.data(), occurrence) != 0) fail(reader.error());
      if (type == RuntimeDataType::kTypeBool) {
        for (char& flag : attribute.data) flag = flag != 0 ? 1 : 0;
      }
    }
  }
}

}  // namespace

void Graph::Load(const std::string& param_path, const std::string& bin_path, int64_t most_bytes) {
  Graph loaded;
  ParamReader(loaded, param_path).Read();
  if (!bin_path.empty()) ReadWeights(loaded, bin_path, most_bytes);
  ops.swap(loaded.ops);
  operands.swap(loaded.operands);
  owned_ops_.swap(loaded.owned_ops_);
  owned_operands_.swap(loaded.owned_operands_);
  by_name_.swap(loaded.by_name_);
}

int Graph::load(const std::string& param_path, const std::string& bin_path) {
  ops.clear();
  operands.clear();
  by_name_.clear();
  owned_ops_.clear();
  owned_operands_.clear();
  error_.clear();
  try {
    Load(param_path, bin_path);
    return 0;
  } catch (const std::exception& error) {
    error_ = error.what();
    return -1;
  }
}

}  // namespace pnnx
