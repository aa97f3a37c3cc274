// SPDX-License-Identifier: MIT
#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "kuiper_infer/runtime/ir.h"

namespace pnnx {
namespace {

enum class Kind { kString, kInt, kFloat, kComplex };

/// The kind of one list item or plain value, by its text alone.
Kind KindOf(const std::string& text) {
  if (text == "inf" || text == "-inf" || text == "nan.0" || text == "-nan.0") return Kind::kFloat;
  const std::size_t digit = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  const std::size_t first = digit < text.size() && text[digit] == '.' ? digit + 1 : digit;
  if (first >= text.size() || text[first] < '0' || text[first] > '9') return Kind::kString;
  if (text.back() == 'j' && text.find_first_not_of("0123456789.eE+-infa") == text.size() - 1) return Kind::kComplex;
  if (text.find_first_of("xX") != std::string::npos) return Kind::kString;  // strtod would take 0x10
  char* end = nullptr;
  std::strtod(text.c_str(), &end);
  if (*end != '\0') return Kind::kString;  // words such as 3x3
  return text.find_first_of(".eE") == std::string::npos ? Kind::kInt : Kind::kFloat;
}

int ToInt(const std::string& text) {
  const long long value = std::strtoll(text.c_str(), nullptr, 10);  // saturates
  return static_cast<int>(std::clamp<long long>(value, INT_MIN, INT_MAX));
}

float ToFloat(const std::string& text) { return static_cast<float>(std::strtod(text.c_str(), nullptr)); }

/// Reads a complex number such as "1.2e+00+-9.0e-01j" or "1.2e+00-9.0e-01j".
std::complex<float> ToComplex(const std::string& text) {
  std::size_t split = text.size() - 1;
  while (split > 0) {
    const bool sign = text[split] == '+' || text[split] == '-';
    if (sign && text[split - 1] != 'e' && text[split - 1] != 'E') break;
    --split;
  }
  if (split > 0 && text[split] == '-' && text[split - 1] == '+') --split;
  const std::string real = text.substr(0, split);
  std::string imaginary = text.substr(split, text.size() - 1 - split);
  if (imaginary.size() > 1 && imaginary[0] == '+' && imaginary[1] == '-') imaginary.erase(0, 1);
  return {ToFloat(real), ToFloat(imaginary)};
}

std::vector<std::string> SplitList(const std::string& inner) {
  std::vector<std::string> items(1);
  for (const char c : inner) {
    if (c == ',') {
      items.emplace_back();
    } else {
      items.back() += c;
    }
  }
  if (items.size() > 1 && items.back().empty()) items.pop_back();  // "(1,)"
  return items;
}

Parameter ParseList(const std::string& value) {
  Parameter parameter;
  const std::vector<std::string> items = SplitList(value.substr(1, value.size() - 2));
  Kind kind = Kind::kInt;
  for (const std::string& item : items) {
    const Kind own = KindOf(item);
    if (own == Kind::kString) kind = Kind::kString;
    if (kind != Kind::kString) kind = std::max(kind, own);
  }
  switch (kind) {
    case Kind::kString:
      parameter.type = 7;
      parameter.as = items;
      break;
    case Kind::kInt:
      parameter.type = 5;
      for (const std::string& item : items) parameter.ai.push_back(ToInt(item));
      break;
    case Kind::kFloat:
      parameter.type = 6;
      for (const std::string& item : items) parameter.af.push_back(ToFloat(item));
      break;
    case Kind::kComplex:
      parameter.type = 11;
      for (const std::string& item : items) {
        parameter.ac.push_back(KindOf(item) == Kind::kComplex ? ToComplex(item) : std::complex<float>(ToFloat(item)));
      }
      break;
  }
  return parameter;
}

template <class... Arguments>
std::string Format(const char* format, Arguments... arguments) {
  char buffer[64];
  std::snprintf(buffer, sizeof(buffer), format, arguments...);
  return buffer;
}

/// The text with its exponent as short as can be: "1.000000e-5" for "1.000000e-05".
std::string CompactExponent(std::string text) {
  const std::size_t exponent = text.find('e');
  if (exponent == std::string::npos) return text;
  std::size_t digits = exponent + 1;
  const bool negative = text[digits] == '-';
  while (digits < text.size() - 1 && (text[digits] == '+' || text[digits] == '-' || text[digits] == '0')) ++digits;
  return text.substr(0, exponent + 1) + (negative ? "-" : "") + text.substr(digits);
}

/// The shortest text in the converter's form that reads back as this float.
std::string FloatText(float value) {
  if (value == 0) return "0.0";
  if (std::isnan(value)) return "nan.0";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  const float magnitude = std::abs(value);
  const auto reads_back = [value](const std::string& text) { return std::strtof(text.c_str(), nullptr) == value; };
  if (magnitude >= 1e-4F && magnitude < 1e6F) {
    for (const char* format : {"%g", "%.9g"}) {
      const std::string text = Format(format, static_cast<double>(value));
      if (!reads_back(text) || text.find('e') != std::string::npos) continue;
      return text.find('.') == std::string::npos ? text + ".0" : text;
    }
  }
  const std::string text = Format("%.6e", static_cast<double>(value));
  return CompactExponent(reads_back(text) ? text : Format("%.8e", static_cast<double>(value)));
}

std::string ComplexText(std::complex<float> value) {
  return Format("%e+%ej", static_cast<double>(value.real()), static_cast<double>(value.imag()));
}

template <class T, class Encode>
std::string ListText(const std::vector<T>& items, const Encode& encode) {
  std::string text = "(";
  for (const T& item : items) text += (text.size() > 1 ? "," : "") + encode(item);
  return text + ")";
}

}  // namespace

Parameter Parameter::parse_from_string(const std::string& value) {
  Parameter parameter;
  if (value == "None" || value == "()" || value == "[]") {
    // null
  } else if (value == "True" || value == "False") {
    parameter = Parameter(value == "True");
  } else if (value.size() >= 2 &&
             ((value.front() == '(' && value.back() == ')') || (value.front() == '[' && value.back() == ']'))) {
    parameter = ParseList(value);
  } else {
    switch (KindOf(value)) {
      case Kind::kString:
        parameter = Parameter(value);
        break;
      case Kind::kInt:
        parameter = Parameter(ToInt(value));
        break;
      case Kind::kFloat:
        parameter = Parameter(ToFloat(value));
        break;
      case Kind::kComplex:
        parameter = Parameter(ToComplex(value));
        break;
    }
  }
  parameter.text = value;
  return parameter;
}

std::string Parameter::encode_to_string() const {
  if (!text.empty()) return text;
  switch (type) {
    case 1:
      return b ? "True" : "False";
    case 2:
      return std::to_string(i);
    case 3:
      return FloatText(f);
    case 4:
      return s;
    case 5:
      return ListText(ai, [](int item) { return std::to_string(item); });
    case 6:
      return ListText(af, FloatText);
    case 7:
      return ListText(as, [](const std::string& item) { return item; });
    case 10:
      return ComplexText(c);
    case 11:
      return ListText(ac, ComplexText);
    default:
      return "None";
  }
}

bool operator==(const Parameter& left, const Parameter& right) {
  return left.type == right.type && left.encode_to_string() == right.encode_to_string();
}

}  // namespace pnnx
