// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include "kuiper_infer/data/ndarray.hpp"

namespace kuiper_infer::quantization {

/// The range of an array's finite numbers, and of zero.
struct Extremes {
  double lowest = 0;
  double highest = 0;

  /// Takes in a contiguous float32 array.
  void Add(const NdArray& array);
  void Add(const Extremes& other);
};

/// Counts numbers in bins of equal width from the lowest to the highest number. Zeros are left out, since every grid
/// holds them, and so are infinities and NaN.
class Histogram {
 public:
  static constexpr int kBins = 2048;

  Histogram() = default;
  explicit Histogram(const Extremes& range) : range_(range) {}

  const Extremes& range() const { return range_; }
  /// The number in the middle of a bin.
  double Center(int bin) const;
  double count(int bin) const { return counts_[bin]; }
  double total() const;

  /// Counts the numbers of a contiguous float32 array. Numbers outside of the range count in the first or last bin.
  void Add(const NdArray& array);
  /// Adds the counts of another histogram, as if all numbers of a bin were the one in its middle.
  void Add(const Histogram& other);

 private:
  int BinOf(double value) const;

  Extremes range_;
  std::array<double, kBins> counts_{};
};

}  // namespace kuiper_infer::quantization
