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

/// How often numbers occur, in bins of one width from the lowest to the highest. Zeros are left out, since every grid
/// holds them, and so is what isn't finite.
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

  /// Counts the numbers of a contiguous float32 array; those outside of the range go to its ends.
  void Add(const NdArray& array);
  /// Counts the other one's numbers as if all of a bin lay in its middle.
  void Add(const Histogram& other);

 private:
  int BinOf(double value) const;

  Extremes range_;
  std::array<double, kBins> counts_{};
};

}  // namespace kuiper_infer::quantization
