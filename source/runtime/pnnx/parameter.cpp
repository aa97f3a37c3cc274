// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>

#include "data/param_text.hpp"
#include "kuiper_infer/runtime/ir.h"
#include "runtime/pnnx/parameter_item.hpp"
#include "runtime/pnnx/parameter_value.hpp"

namespace pnnx {
namespace {

using Kind = ParameterItem::Kind;
using kuiper_infer::Value;

/// The integer, or its text if 64 bits do not hold it. The converter writes the ends of 32 bits for the ends of 64 bits
/// ("up to the last element"), so they become those.
Value ExactInteger(const ParameterItem& item, const std::string& text) {
  using Limits = std::numeric_limits<int64_t>;
  if (item.too_wide) return text;
  const bool end = item.integer == Limits::max() || item.integer == Limits::min();
  return end ? NearestInt(item) : item.integer;
}

std::vector<std::string> SplitList(const std::string& inner) {
  std::vector<std::string> texts(1);
  for (const char c : inner) {
    if (c == ',') {
      texts.emplace_back();
    } else {
      texts.back() += c;
    }
  }
  if (texts.size() > 1 && texts.back().empty()) texts.pop_back();  // "(1,)"
  return texts;
}

/// Collects numbers as a file gives them, and tells whether the members of a Parameter hold them exactly.
class ExactNumbers {
 public:
  template <class Held, class Number>
  Held Add(Held held, const Number& number) {
    exact_ = exact_ && Number(held) == number;
    values_.emplace_back(number);
    return held;
  }
  int AddInteger(const ParameterItem& item, const std::string& text) {
    values_.push_back(ExactInteger(item, text));
    exact_ = exact_ && values_.back().Is<int64_t>() && values_.back().Get<int64_t>() == NearestInt(item);
    return NearestInt(item);
  }
  /// The numbers for Parameter::exact.
  std::shared_ptr<const Value> List() { return exact_ ? nullptr : std::make_shared<const Value>(std::move(values_)); }
  std::shared_ptr<const Value> Only() { return exact_ ? nullptr : std::make_shared<const Value>(values_.front()); }

 private:
  Value::List values_;
  bool exact_ = true;
};

Parameter ReadList(const std::string& value) {
  Parameter parameter;
  const std::vector<std::string> texts = SplitList(value.substr(1, value.size() - 2));
  std::vector<ParameterItem> items;
  Kind kind = Kind::kInt;
  for (const std::string& text : texts) {
    items.push_back(ReadParameterItem(text));
    if (items.back().kind == Kind::kString) kind = Kind::kString;
    if (kind != Kind::kString) kind = std::max(kind, items.back().kind);
  }
  ExactNumbers exact;
  switch (kind) {
    case Kind::kString:
      return texts;
    case Kind::kInt:
      parameter.type = 5;
      for (std::size_t k = 0; k < items.size(); ++k) parameter.ai.push_back(exact.AddInteger(items[k], texts[k]));
      break;
    case Kind::kFloat:
      parameter.type = 6;
      for (const ParameterItem& item : items)
        parameter.af.push_back(exact.Add(static_cast<float>(item.real), item.real));
      break;
    case Kind::kComplex:
      parameter.type = 11;
      for (const ParameterItem& item : items) {
        const std::complex<double> number = item.kind == Kind::kComplex ? item.complex : item.real;
        parameter.ac.push_back(exact.Add(std::complex<float>(number), number));
      }
      break;
  }
  parameter.exact = exact.List();
  return parameter;
}

Parameter ReadPlain(const std::string& value) {
  const ParameterItem item = ReadParameterItem(value);
  ExactNumbers exact;
  Parameter parameter;
  switch (item.kind) {
    case Kind::kString:
      return value;
    case Kind::kInt:
      parameter = exact.AddInteger(item, value);
      break;
    case Kind::kFloat:
      parameter = exact.Add(static_cast<float>(item.real), item.real);
      break;
    case Kind::kComplex:
      parameter = exact.Add(std::complex<float>(item.complex), item.complex);
      break;
  }
  parameter.exact = exact.Only();
  return parameter;
}

bool IsList(const std::string& value) {
  return value.size() >= 2 &&
         ((value.front() == '(' && value.back() == ')') || (value.front() == '[' && value.back() == ']'));
}

}  // namespace

Parameter Parameter::parse_from_string(const std::string& value) {
  Parameter parameter;
  if (value == "True" || value == "False") {
    parameter = value == "True";
  } else if (value != "None" && value != "()" && value != "[]") {
    parameter = IsList(value) ? ReadList(value) : ReadPlain(value);
  }
  parameter.text = value;
  return parameter;
}

std::string Parameter::encode_to_string() const {
  return text.empty() ? kuiper_infer::ParamText(ValueOf(*this)) : text;
}

bool operator==(const Parameter& left, const Parameter& right) {
  return left.type == right.type && left.encode_to_string() == right.encode_to_string();
}

}  // namespace pnnx
