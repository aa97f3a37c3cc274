// SPDX-License-Identifier: MIT
#include "data/param_text.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace kuiper_infer {
namespace {

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

std::string RealText(double value) {
  const auto nearest = static_cast<float>(value);
  const bool beyond_float = std::isfinite(value) && (std::isinf(nearest) || (nearest == 0 && value != 0));
  return beyond_float ? CompactExponent(Format("%.16e", value)) : FloatText(nearest);
}

std::string ListText(const Value::List& items) {
  std::string text = "(";
  for (const Value& item : items) text += (text.size() > 1 ? "," : "") + ParamText(item);
  return text + ")";
}

}  // namespace

std::string ParamText(const Value& value) {
  if (value.Is<double>()) return RealText(value.Get<double>());
  if (value.Is<std::string>()) return value.Get<std::string>();
  if (value.Is<Value::List>()) return ListText(value.Get<Value::List>());
  if (value.Is<std::complex<double>>()) {
    const auto& number = value.Get<std::complex<double>>();
    return Format("%e+%ej", number.real(), number.imag());
  }
  return ValueString(value);
}

}  // namespace kuiper_infer
