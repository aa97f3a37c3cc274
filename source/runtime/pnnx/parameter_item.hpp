// SPDX-License-Identifier: MIT
#pragma once

#include <complex>
#include <cstdint>
#include <string>

namespace pnnx {

/// One list item or plain value. The text alone decides the kind.
struct ParameterItem {
  enum class Kind { kString, kInt, kFloat, kComplex };

  Kind kind = Kind::kString;
  int64_t integer = 0;  ///< kInt: the number, clamped to 64 bits
  bool too_wide = false;
  double real = 0;  ///< kInt and kFloat
  std::complex<double> complex;
};

/// Reads one item of a list or one plain value of a .param file.
ParameterItem ReadParameterItem(const std::string& text);

/// The integer, clamped to 32 bits.
int NearestInt(const ParameterItem& item);

}  // namespace pnnx
