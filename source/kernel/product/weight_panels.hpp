// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace kuiper_infer::kernel {

/// A weight that is given as its transpose: column j of the right factor lies at `numbers` + j * ld, in the order
/// (inputs, taps). Packed, a column has the order (taps, inputs) and the depth inputs * taps.
struct TransposedWeight {
  int64_t columns = 0;
  int64_t inputs = 0;
  int64_t taps = 1;
  const float* numbers = nullptr;
  int64_t ld = 0;
  int64_t segments = 1;  ///< equal runs of taps, one for each segment of the left factor's rows (Product::segments)
  float scale = 1;       ///< the numbers are multiplied by it first; 1 for integers

  int64_t depth() const { return inputs * taps; }
};

/// Rows [first, first + count) of a weight of `depth` rows that is given without transposing it: row first + i lies at
/// `numbers` + i * ld.
struct WeightRowsPart {
  int64_t columns = 0;
  int64_t depth = 0;
  int64_t first = 0;
  int64_t count = 0;
  const float* numbers = nullptr;
  int64_t ld = 0;
};

/// An order of packed weights. The columns are cut into panels, one behind the other; within a panel the numbers lie in
/// the order in which the tiles of a ProductKernel read them. Pack takes integers, and Unpack gives them, as floats of
/// the same value.
class WeightPanels {
 public:
  virtual ~WeightPanels() = default;

  virtual const char* Name() const = 0;  ///< unique among the orders
  /// Columns of a panel. The columns from a multiple of this number on can be packed by themselves, to the place
  /// Bytes() of the columns before them.
  virtual int64_t Columns() const = 0;
  /// Bytes of a packed weight of `columns` x (segments * depth).
  virtual int64_t Bytes(int64_t columns, int64_t depth, int64_t segments = 1) const = 0;
  virtual void Pack(const TransposedWeight& weight, void* packed) const = 0;

  /// PackRows takes rows in multiples of this number: `first` has to be a multiple of it, and `count`, too, unless the
  /// rows are the last ones. 0: the order has no PackRows.
  virtual int64_t RowsTogether() const { return 0; }
  virtual void PackRows(const WeightRowsPart& /*rows*/, void* /*packed*/) const {}

  /// Whether Unpack brings packed numbers back exactly; orders that round can't.
  virtual bool Reversible() const { return false; }
  /// Writes the transpose, (columns, inputs, taps); `weight.numbers` is not read.
  virtual void Unpack(const TransposedWeight& /*weight*/, const void* /*packed*/, float* /*transposed*/) const {}

  /// Whether UnpackColumn brings a column back, which takes no longer than to read it.
  virtual bool UnpacksColumns() const { return false; }
  virtual void UnpackColumn(const TransposedWeight& /*weight*/, int64_t /*column*/, const void* /*packed*/,
                            float* /*numbers*/) const {}
};

}  // namespace kuiper_infer::kernel
