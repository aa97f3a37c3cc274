// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "kuiper_infer/data/ndarray.hpp"

namespace kuiper_infer::quantization {

/// Measures how far arrays are from the wanted arrays.
class SignalToNoise {
 public:
  /// Adds an array and the wanted array. An infinity or NaN that was wanted is no noise; any other difference that is
  /// not finite, or another shape, is infinite noise.
  void Add(const NdArray& wanted, const NdArray& found);
  /// Ten times the decimal logarithm of the sum of the wanted numbers' squares divided by the sum of the differences'
  /// squares; infinite if there are no differences. None if all wanted and found numbers are zero.
  std::optional<double> Decibels() const;

 private:
  void AddNumber(double wanted, double found);

  // The squares of float64 numbers don't fit float64.
  long double signal_ = 0;
  long double noise_ = 0;
};

}  // namespace kuiper_infer::quantization
