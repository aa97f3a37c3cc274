// SPDX-License-Identifier: MIT
#include "quantization/observation/signal_to_noise.hpp"

#include <cmath>
#include <limits>

#include "kuiper_infer/utils/data_type.hpp"

namespace kuiper_infer::quantization {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// The numbers of an array in double, complex ones as two each.
NdArray InDouble(const NdArray& array, bool complex) {
  return array.To(complex ? RuntimeDataType::kTypeComplex128 : RuntimeDataType::kTypeFloat64).Contiguous();
}

}  // namespace

void SignalToNoise::AddNumber(double wanted, double found) {
  if (std::isfinite(wanted)) signal_ += static_cast<long double>(wanted) * static_cast<long double>(wanted);
  if (wanted == found || (std::isnan(wanted) && std::isnan(found))) return;
  const long double error = static_cast<long double>(found) - static_cast<long double>(wanted);
  noise_ += std::isfinite(error) ? error * error : static_cast<long double>(kInfinite);
}

void SignalToNoise::Add(const NdArray& wanted, const NdArray& found) {
  if (wanted.shape() != found.shape()) {
    noise_ = static_cast<long double>(kInfinite);
    return;
  }
  const bool complex = IsComplex(wanted.type());
  const NdArray right = InDouble(wanted, complex);
  const NdArray left = InDouble(found, complex);
  const int64_t count = right.size() * (complex ? 2 : 1);
  const auto* const wanted_numbers = static_cast<const double*>(right.raw());
  const auto* const found_numbers = static_cast<const double*>(left.raw());
  for (int64_t i = 0; i < count; ++i) AddNumber(wanted_numbers[i], found_numbers[i]);
}

std::optional<double> SignalToNoise::Decibels() const {
  if (noise_ == 0) return signal_ == 0 ? std::nullopt : std::optional<double>(kInfinite);
  return static_cast<double>(10 * std::log10(signal_ / noise_));
}

}  // namespace kuiper_infer::quantization
