// SPDX-License-Identifier: MIT
#include <algorithm>

#include "data/param_text.hpp"
#include "kuiper_infer/runtime/ir.h"
#include "runtime/pnnx/parameter_item.hpp"
#include "runtime/pnnx/parameter_value.hpp"

namespace pnnx {
namespace {

using Kind = ParameterItem::Kind;
using kuiper_infer::Value;

std::complex<double> ComplexOf(const ParameterItem& item) {
  return item.kind == Kind::kComplex ? item.complex : item.real;
}

/// Whether a member of a Parameter, which has 32 bits for a number of this kind, holds the item exactly.
bool FitsMember(const ParameterItem& item, Kind kind) {
  switch (kind) {
    case Kind::kInt:
      return !item.too_wide && item.integer == NearestInt(item);
    case Kind::kFloat:
      return static_cast<double>(static_cast<float>(item.real)) == item.real;
    case Kind::kComplex:
      return std::complex<double>(std::complex<float>(ComplexOf(item))) == ComplexOf(item);
    case Kind::kString:
      break;
  }
  return true;
}

/// The item as a number of this kind. An integer that 64 bits do not hold stays a text.
Value ExactNumber(const ParameterItem& item, Kind kind, const std::string& text) {
  if (kind == Kind::kFloat) return item.real;
  if (kind == Kind::kComplex) return ComplexOf(item);
  if (item.too_wide) return text;
  return item.integer;
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
  switch (kind) {
    case Kind::kString:
      return texts;
    case Kind::kInt:
      parameter.type = 5;
      for (const ParameterItem& item : items) parameter.ai.push_back(NearestInt(item));
      break;
    case Kind::kFloat:
      parameter.type = 6;
      for (const ParameterItem& item : items) parameter.af.push_back(static_cast<float>(item.real));
      break;
    case Kind::kComplex:
      parameter.type = 11;
      for (const ParameterItem& item : items) parameter.ac.emplace_back(ComplexOf(item));
      break;
  }
  const auto fits = [&](const ParameterItem& item) { return FitsMember(item, kind); };
  if (std::all_of(items.begin(), items.end(), fits)) return parameter;
  Value::List exact;
  for (std::size_t k = 0; k < items.size(); ++k) exact.push_back(ExactNumber(items[k], kind, texts[k]));
  parameter.exact = std::make_shared<const Value>(std::move(exact));
  return parameter;
}

Parameter ReadPlain(const std::string& value) {
  const ParameterItem item = ReadParameterItem(value);
  Parameter parameter;
  switch (item.kind) {
    case Kind::kString:
      return value;
    case Kind::kInt:
      parameter = NearestInt(item);
      break;
    case Kind::kFloat:
      parameter = static_cast<float>(item.real);
      break;
    case Kind::kComplex:
      parameter = std::complex<float>(item.complex);
      break;
  }
  if (!FitsMember(item, item.kind)) {
    parameter.exact = std::make_shared<const Value>(ExactNumber(item, item.kind, value));
  }
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
