// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "kuiper_infer/data/ndarray.hpp"

namespace kuiper_infer::quantization {

/// How far arrays are from those that were wanted.
class SignalToNoise {
 public:
  /// Takes in an array and the one that was wanted. An infinity or a NaN where the same one was wanted is no noise; any
  /// other difference that isn't finite, or another shape, is noise without end.
  void Add(const NdArray& wanted, const NdArray& found);
  /// Ten times the decimal logarithm of the wanted numbers' squares by the squares of the differences; infinite where
  /// there are no differences. None where no number but zero was wanted and none found.
  std::optional<double> Decibels() const;

 private:
  void AddNumber(double wanted, double found);

  // The squares of float64 numbers don't fit float64.
  long double signal_ = 0;
  long double noise_ = 0;
};

}  // namespace kuiper_infer::quantization
