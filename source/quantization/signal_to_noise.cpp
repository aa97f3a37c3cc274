// SPDX-License-Identifier: MIT
#include "quantization/signal_to_noise.hpp"

#include <cmath>
#include <limits>

namespace kuiper_infer::quantization {

void SignalToNoise::Add(const NdArray& wanted, const NdArray& found) {
  if (wanted.shape() != found.shape()) {
    noise_ = std::numeric_limits<double>::infinity();
    return;
  }
  const NdArray right = wanted.To(RuntimeDataType::kTypeFloat64).Contiguous();
  const NdArray left = found.To(RuntimeDataType::kTypeFloat64).Contiguous();
  for (int64_t i = 0; i < right.size(); ++i) {
    const double number = right.data<double>()[i];
    const double error = left.data<double>()[i] - number;
    if (!std::isfinite(number)) continue;
    signal_ += number * number;
    noise_ += std::isnan(error) ? std::numeric_limits<double>::infinity() : error * error;
  }
}

double SignalToNoise::Decibels() const {
  if (noise_ == 0) return std::numeric_limits<double>::infinity();
  return 10 * std::log10(signal_ / noise_);
}

}  // namespace kuiper_infer::quantization
