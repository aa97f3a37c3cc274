// SPDX-License-Identifier: MIT
#include "quantization/number_checks.hpp"

#include <cmath>

#include "kuiper_infer/utils/data_type.hpp"
#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer::quantization {
namespace {

template <class Allows>
void Require(const NdArray& array, const std::string& what, const std::string& expected, const Allows& allows) {
  const bool complex = IsComplex(array.type());
  if (!complex && !IsFloating(array.type())) return;
  const NdArray numbers =
      array.To(complex ? RuntimeDataType::kTypeComplex128 : RuntimeDataType::kTypeFloat64).Contiguous();
  const int64_t parts = complex ? 2 : 1;
  const auto* const first = static_cast<const double*>(numbers.raw());
  for (int64_t i = 0; i < numbers.size() * parts; ++i) {
    if (allows(first[i])) continue;
    const std::string found = std::isnan(first[i]) ? "nan" : first[i] > 0 ? "inf" : "-inf";
    throw Error(ErrorCode::kInput, what + " holds " + found + " at element " + std::to_string(i / parts) + " of " +
                                       std::to_string(numbers.size()) + ", expected " + expected);
  }
}

}  // namespace

void RequireNoNan(const NdArray& array, const std::string& what) {
  Require(array, what, "numbers", [](double number) { return !std::isnan(number); });
}

void RequireFinite(const NdArray& array, const std::string& what) {
  Require(array, what, "finite numbers", [](double number) { return std::isfinite(number); });
}

}  // namespace kuiper_infer::quantization
