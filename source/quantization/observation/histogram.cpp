// SPDX-License-Identifier: MIT
#include "quantization/observation/histogram.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace kuiper_infer::quantization {

void Extremes::Add(const NdArray& array) {
  const float* const values = array.data<float>();
  for (int64_t i = 0; i < array.size(); ++i) {
    if (!std::isfinite(values[i])) continue;
    lowest = std::min<double>(lowest, values[i]);
    highest = std::max<double>(highest, values[i]);
  }
}

void Extremes::Add(const Extremes& other) {
  lowest = std::min(lowest, other.lowest);
  highest = std::max(highest, other.highest);
}

double Histogram::Center(int bin) const {
  return range_.lowest + (bin + 0.5) * (range_.highest - range_.lowest) / kBins;
}

double Histogram::total() const { return std::accumulate(counts_.begin(), counts_.end(), 0.0); }

int Histogram::BinOf(double value) const {
  const double width = (range_.highest - range_.lowest) / kBins;
  return width > 0 ? static_cast<int>(std::clamp((value - range_.lowest) / width, 0.0, kBins - 1.0)) : 0;
}

void Histogram::Add(const NdArray& array) {
  const float* const values = array.data<float>();
  for (int64_t i = 0; i < array.size(); ++i) {
    if (values[i] != 0 && std::isfinite(values[i])) counts_[BinOf(values[i])] += 1;
  }
}

void Histogram::Add(const Histogram& other) {
  for (int bin = 0; bin < kBins; ++bin) {
    if (other.counts_[bin] > 0) counts_[BinOf(other.Center(bin))] += other.counts_[bin];
  }
}

}  // namespace kuiper_infer::quantization
