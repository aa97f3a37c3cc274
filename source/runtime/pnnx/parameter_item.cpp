// SPDX-License-Identifier: MIT
#include "runtime/pnnx/parameter_item.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <limits>

namespace pnnx {
namespace {

using Kind = ParameterItem::Kind;
/// The numbers of a text such as "1.2e+00+-9.0e-01j" or "1.2e+00-9.0e-01j".
std::complex<double> ReadComplex(const std::string& text) {
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
  return {std::strtod(real.c_str(), nullptr), std::strtod(imaginary.c_str(), nullptr)};
}

bool BeginsAsNumber(const std::string& text) {
  const std::size_t digit = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  const std::size_t first = digit < text.size() && text[digit] == '.' ? digit + 1 : digit;
  return first < text.size() && text[first] >= '0' && text[first] <= '9';
}

}  // namespace

ParameterItem ReadParameterItem(const std::string& text) {
  ParameterItem item;
  const bool word = text == "inf" || text == "-inf" || text == "nan.0" || text == "-nan.0";
  if (!word && !BeginsAsNumber(text)) return item;
  if (text.back() == 'j' && text.find_first_not_of("0123456789.eE+-infa") == text.size() - 1) {
    item.complex = ReadComplex(text);
    item.kind = Kind::kComplex;
    return item;
  }
  if (text.find_first_of("xX") != std::string::npos) return item;  // strtod would take 0x10
  char* end = nullptr;
  if (!word && text.find_first_of(".eE") == std::string::npos) {
    errno = 0;
    item.integer = std::strtoll(text.c_str(), &end, 10);
    item.too_wide = errno == ERANGE;
    item.real = item.too_wide ? std::strtod(text.c_str(), nullptr) : static_cast<double>(item.integer);
    item.kind = *end == '\0' ? Kind::kInt : Kind::kString;  // words such as 3x3
    return item;
  }
  item.real = std::strtod(text.c_str(), &end);
  item.kind = word || *end == '\0' ? Kind::kFloat : Kind::kString;
  return item;
}

int NearestInt(const ParameterItem& item) {
  return static_cast<int>(
      std::clamp<int64_t>(item.integer, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()));
}

}  // namespace pnnx
