// SPDX-License-Identifier: MIT
// The element types of results for all pairs of operands' types: promotion.txt, written by
// tools/make_promotion_table.py, which explains its lines.
#include <algorithm>
#include <complex>
#include <fstream>
#include <map>
#include <memory>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "operation/evaluate.hpp"

namespace kuiper_infer {
namespace {

using Type = RuntimeDataType;

const char kDigits[] = "0123456789abcdef";

/// Returns an array of ones of a kind and a type.
NdArray Ones(const std::string& kind, Type type) {
  static const std::map<std::string, Shape> kShapes = {{"matrix", {2, 2}}, {"array", {2}}, {"rank0", {}}};
  const NdArray floats(Type::kTypeFloat32, kShapes.at(kind));
  std::fill(floats.data<float>(), floats.data<float>() + floats.size(), 1.0F);
  return floats.To(type);
}

NdArray Counted() {
  const NdArray numbers(Type::kTypeInt64, {2});
  std::iota(numbers.data<int64_t>(), numbers.data<int64_t>() + numbers.size(), 0);
  return numbers;
}

std::vector<Value> OperandsOf(const std::string& kind, const std::string& types) {
  if (kind == "number") return {true, 1, 1.0, std::complex<double>(1, 0)};
  std::vector<Value> operands;
  for (const char digit : types) {
    operands.emplace_back(Ones(kind, static_cast<Type>(std::string(kDigits).find(digit))));
  }
  return operands;
}

Value Number(const std::string& text) {
  if (text.find_first_not_of("0123456789") == std::string::npos) return std::stoi(text);
  if (text.find_first_not_of("0123456789.") == std::string::npos) return std::stod(text);
  if (text.front() == '[' && text.size() == 3) return Value::List{Number(text.substr(1, 1))};
  return text;
}

/// A line of the table that names an operator, its inputs and its parameters.
struct CallLine {
  std::string type;
  std::vector<std::string> inputs;
  std::map<std::string, Value> params;

  explicit CallLine(const std::string& line) {
    std::istringstream words(line);
    words >> type;
    for (std::string word; words >> word;) {
      const std::size_t equal = word.find('=');
      if (equal == std::string::npos) {
        inputs.push_back(word);
      } else if (word.substr(0, equal) == "expr") {
        params["expr"] = word.substr(equal + 1);
      } else {
        params[word.substr(0, equal)] = Number(word.substr(equal + 1));
      }
    }
  }

  std::vector<Value> Results(const Value& first, const Value& second) const {
    const auto value = [&](char word) -> Value {
      if (word == '?') return Ones("array", Type::kTypeBool);
      if (word == '#') return Counted();
      return word == '0' ? first : second;
    };
    std::vector<Value> values;
    for (const std::string& word : inputs) {
      values.push_back(word.front() == '[' ? Value(Value::List{value(word[1]), value(word[3])}) : value(word.front()));
    }
    OperatorCall call;
    call.name = "op";
    call.type = type;
    call.params = params;
    call.input_count = static_cast<int>(values.size());
    return Evaluate(call, values, DefaultPlanningContext());
  }

  /// Returns the digit of an output's type, or "!" and the text of an error.
  std::string Digit(const Value& first, const Value& second, std::size_t output) const {
    try {
      std::vector<Value> results = Results(first, second);
      if (results.size() == 1 && results.front().Is<Value::List>()) results = results.front().Get<Value::List>();
      const Value& result = results.at(output);
      const Type type = result.Is<NdArray>() ? result.Get<NdArray>().type() : ArrayFromNumber(result).type();
      return {kDigits[static_cast<int>(type)]};
    } catch (const std::exception& error) {
      return std::string("! ") + error.what();
    }
  }
};

/// Returns the cells of an indented line that differ.
std::string Differences(const CallLine& call, const std::string& line, const std::string& types) {
  std::istringstream words(line);
  std::vector<std::string> kinds;
  std::string word;
  while (words >> word && word != "output") kinds.push_back(word);
  std::size_t output = 0;
  words >> output >> word;
  std::string differences;
  const std::vector<Value> second = kinds.size() == 2 ? OperandsOf(kinds[1], types) : std::vector<Value>(1);
  for (const Value& x : OperandsOf(kinds[0], types)) {
    words >> word;
    for (std::size_t k = 0; k < second.size(); ++k) {
      if (word.at(k) == '.') continue;
      const std::string got = call.Digit(x, second[k], output);
      if (got == word.substr(k, 1)) continue;
      differences += "\n    " + ValueString(x) + (kinds.size() == 2 ? " and " + ValueString(second[k]) : "") + ": " +
                     got + ", PyTorch " + word[k];
    }
  }
  return differences;
}

TEST(ElementTypes, FollowPyTorch) {
  std::ifstream table(KUIPER_SOURCE_DIR "/test/operators/promotion.txt");
  std::string types;
  std::unique_ptr<CallLine> call;
  std::string text;
  int lines = 0;
  for (std::string line; std::getline(table, line);) {
    if (line.empty() || line.front() == '#') continue;
    if (line.compare(0, 6, "types ") == 0) {
      types = line.substr(6);
    } else if (line.front() != ' ') {
      text = line;
      call = std::make_unique<CallLine>(line);
    } else {
      ++lines;
      const std::string differences = Differences(*call, line, types);
      EXPECT_TRUE(differences.empty()) << text << " " << line.substr(0, line.find(':')) << differences;
    }
  }
  EXPECT_GT(lines, 500);
}

}  // namespace
}  // namespace kuiper_infer
