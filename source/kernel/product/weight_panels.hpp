// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace kuiper_infer::kernel {

/// A weight that is given as its transpose: column j of the factor lies at `numbers` + j * ld, as (inputs, taps). It is
/// packed as (taps, inputs), which makes a depth of inputs * taps.
struct TransposedWeight {
  int64_t columns = 0;
  int64_t inputs = 0;
  int64_t taps = 1;
  const float* numbers = nullptr;
  int64_t ld = 0;
  int64_t segments = 1;  ///< runs of taps, which divide them: how the rows of the left factor will lie
  float scale = 1;       ///< by which the numbers are multiplied first; integers: 1

  int64_t depth() const { return inputs * taps; }
};

/// Rows [first, first + count) of a weight of `depth` rows that is given as it is: row k lies at `numbers` + (k -
/// first)
/// * ld.
struct WeightRowsPart {
  int64_t columns = 0;
  int64_t depth = 0;
  int64_t first = 0;
  int64_t count = 0;
  const float* numbers = nullptr;
  int64_t ld = 0;
};

/// An order of packed weights: panels of some columns, one behind the other, in which the tiles of a ProductKernel find
/// the numbers in the order in which they read them. Integers come and go as the floats that stand for them.
class WeightPanels {
 public:
  virtual ~WeightPanels() = default;

  virtual const char* Name() const = 0;  ///< that no other order has
  /// Columns of a panel. Those from a multiple of this number on can be packed by themselves, to Bytes() of the columns
  /// before them.
  virtual int64_t Columns() const = 0;
  /// Bytes of a packed weight of `columns` x (segments * depth).
  virtual int64_t Bytes(int64_t columns, int64_t depth, int64_t segments = 1) const = 0;
  virtual void Pack(const TransposedWeight& weight, void* packed) const = 0;

  /// Rows that PackRows takes together: `first` is a multiple of it, and `count`, unless the rows are the last. 0: the
  /// order has no PackRows.
  virtual int64_t RowsTogether() const { return 0; }
  virtual void PackRows(const WeightRowsPart& /*rows*/, void* /*packed*/) const {}

  /// Whether Unpack brings packed numbers back exactly; orders that round can't.
  virtual bool Reversible() const { return false; }
  /// Writes the transpose, (columns, inputs, taps); `weight.numbers` is not read.
  virtual void Unpack(const TransposedWeight& /*weight*/, const void* /*packed*/, float* /*transposed*/) const {}
};

}  // namespace kuiper_infer::kernel
