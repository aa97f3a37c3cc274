// SPDX-License-Identifier: MIT
#include "runtime/pnnx/param_reader.hpp"

#include <set>
#include <unordered_map>

#include "runtime/pnnx/param_file.hpp"
#include "utils/shorten.hpp"

namespace pnnx {
namespace {

constexpr const char* kMagic = "7767517";

/// Which inputs of an operator have no name yet.
struct InputPlaces {
  std::unordered_map<std::string, std::set<std::size_t>> unnamed;  ///< by operand
  std::size_t next = 0;                                            ///< the place after the input that was named last
};

class ParamReader {
 public:
  ParamReader(Graph& graph, ParamFile file) : graph_(graph), file_(std::move(file)) {}

  void Read() {
    std::vector<std::string> tokens = file_.NextLine("the magic number 7767517");
    if (tokens.size() != 1 || tokens[0] != kMagic) {
      file_.Fail("found '" + kuiper_infer::Shorten(tokens.empty() ? "" : tokens[0]) +
                 "', expected the magic number 7767517 of a .pnnx.param file");
    }
    tokens = file_.NextLine("the counts of operators and operands");
    if (tokens.size() != 2) {
      file_.Fail("found " + std::to_string(tokens.size()) + " columns, expected the counts of operators and operands");
    }
    const int64_t count = file_.ReadCount(tokens[0], "operator count");
    file_.ReadCount(tokens[1], "operand count");  // informational: the writer may count too many
    for (int64_t i = 0; i < count; ++i) {
      ReadOperator(file_.NextLine("operator " + std::to_string(i + 1) + " of " + std::to_string(count)));
    }
    file_.ExpectEnd("the " + std::to_string(count) + " operators that line 2 announces");
  }

 private:
  void ReadOperator(const std::vector<std::string>& tokens) {
    if (tokens.size() < 4) {
      file_.Fail("found " + std::to_string(tokens.size()) +
                 " columns, expected type, name, number of inputs and of outputs");
    }
    const int64_t inputs = file_.ReadCount(tokens[2], "number of inputs");
    const int64_t outputs = file_.ReadCount(tokens[3], "number of outputs");
    if (static_cast<int64_t>(tokens.size()) - 4 < inputs + outputs) {
      file_.Fail("operator '" + tokens[1] + "' lists " + std::to_string(tokens.size() - 4) +
                 " further columns, expected at least " + std::to_string(inputs + outputs) + " operands");
    }
    if (tokens[0] == "pnnx.Input" && inputs > 0) {
      file_.Fail("operator '" + tokens[1] + "' (pnnx.Input) has " + std::to_string(inputs) + " inputs, expected none");
    }
    if (tokens[0] == "pnnx.Output" && inputs != 1) {
      file_.Fail("operator '" + tokens[1] + "' (pnnx.Output) has " + std::to_string(inputs) + " inputs, expected 1");
    }
    Operator* op = graph_.new_operator(tokens[0], tokens[1]);
    auto token = tokens.begin() + 4;
    for (int64_t i = 0; i < inputs; ++i) AddInput(op, *token++);
    for (int64_t i = 0; i < outputs; ++i) AddOutput(op, *token++);
    InputPlaces places;
    int integer_keys = 0;
    for (; token != tokens.end(); ++token) {
      ReadEntry(op, *token, places);
      integer_keys += token->front() == '-' || (token->front() >= '0' && token->front() <= '9') ? 1 : 0;
    }
    if (op->type.find('.') == std::string::npos && op->type.find("::") == std::string::npos &&
        (integer_keys > 0 || op->type == "Input")) {
      file_.Fail("operator '" + op->name + "' of type " + op->type +
                 " has numbered parameters: this is a .ncnn.param file, expected .pnnx.param");
    }
  }

  void AddInput(Operator* op, const std::string& name) {
    const auto found = produced_.find(name);
    if (found == produced_.end()) {
      file_.Fail("operator '" + op->name + "' reads operand '" + name + "', which no earlier line produces");
    }
    found->second->consumers.push_back(op);
    op->inputs.push_back(found->second);
  }

  void AddOutput(Operator* op, const std::string& name) {
    if (const auto known = produced_.find(name); known != produced_.end()) {
      file_.Fail("operand '" + name + "' is produced by operator '" + known->second->producer->name +
                 "' and again by '" + op->name + "'");
    }
    Operand* operand = graph_.new_operand(name);
    produced_.emplace(name, operand);
    operand->producer = op;
    op->outputs.push_back(operand);
  }

  void ReadEntry(Operator* op, const std::string& entry, InputPlaces& places) {
    const std::size_t equals = entry.find('=');
    if (equals == std::string::npos || equals == 0) {
      file_.Fail("operator '" + op->name + "': found '" + kuiper_infer::Shorten(entry) + "', expected key=value");
    }
    const std::string key = entry.substr(0, equals);
    const std::string value = entry.substr(equals + 1);
    if (key[0] == '@') {
      ReadAttribute(op, key.substr(1), value);
    } else if (key[0] == '$') {
      ReadInputName(op, key.substr(1), value, places);
    } else if (key[0] == '#') {
      ReadShape(op, key.substr(1), value);
    } else if (key == "expr") {  // a language of its own, never a list or a number
      op->params[key] = Parameter(value);
      op->params[key].text = value;
    } else {
      op->params[key] = Parameter::parse_from_string(value);
    }
  }

  void ReadAttribute(Operator* op, const std::string& key, const std::string& value) {
    Attribute& attribute = op->attrs[key];
    const std::string what = "attribute '" + op->name + "." + key + "'";
    ParamFile::Spec spec = file_.ReadSpec(value, what, false);
    attribute.shape = std::move(spec.extents);
    attribute.type = static_cast<int>(spec.type);
  }

  /// Reads `$key=operand`. Names usually come in the order of the inputs, and one operand may be several of them.
  void ReadInputName(Operator* op, const std::string& key, const std::string& value, InputPlaces& places) {
    if (op->inputnames.empty()) {
      op->inputnames.resize(op->inputs.size());
      for (std::size_t i = 0; i < op->inputs.size(); ++i) places.unnamed[op->inputs[i]->name].insert(i);
    }
    std::set<std::size_t>& unnamed = places.unnamed[value];
    auto place = unnamed.lower_bound(places.next);
    if (place == unnamed.end()) place = unnamed.begin();
    if (place == unnamed.end()) {
      file_.Fail("operator '" + op->name + "': $" + key + " names operand '" + value +
                 "', which is not among its inputs");
    }
    op->inputnames[*place] = key;
    places.next = *place + 1;
    unnamed.erase(place);
  }

  void ReadShape(Operator* op, const std::string& name, const std::string& value) {
    const auto found = produced_.find(name);
    // The operator was added last, so if it reads an operand, it is the last reader.
    const bool own =
        found != produced_.end() &&
        (found->second->producer == op || (!found->second->consumers.empty() && found->second->consumers.back() == op));
    if (!own) file_.Fail("operator '" + op->name + "': #" + name + " is not among its operands");
    const std::string what = "operand '" + name + "' of operator '" + op->name + "'";
    ParamFile::Spec spec = file_.ReadSpec(value, what, true);
    Operand& operand = *found->second;
    operand.shape = std::move(spec.extents);
    operand.has_shape = true;
    operand.type = static_cast<int>(spec.type);
  }

  Graph& graph_;
  ParamFile file_;
  std::unordered_map<std::string, Operand*> produced_;  ///< operands on lines read so far
};

}  // namespace

void ReadParam(Graph& graph, ParamFile file) { ParamReader(graph, std::move(file)).Read(); }

}  // namespace pnnx
