// SPDX-License-Identifier: MIT
#pragma once

#include "kuiper_infer/data/ndarray.hpp"

namespace kuiper_infer::quantization {

/// How far arrays are from those that were wanted.
class SignalToNoise {
 public:
  /// Takes in an array and the one that was wanted. Numbers are left out where the wanted one isn't finite; one that
  /// isn't finite in its place, or another shape, is noise without end.
  void Add(const NdArray& wanted, const NdArray& found);
  /// Ten times the decimal logarithm of the wanted numbers' squares by the squares of the differences; infinite where
  /// there are no differences.
  double Decibels() const;

 private:
  double signal_ = 0;
  double noise_ = 0;
};

}  // namespace kuiper_infer::quantization
