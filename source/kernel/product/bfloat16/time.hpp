// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace kuiper_infer::kernel {

/// How long products of rounded numbers take on a unit, as multiples of a multiply-add of float's.
struct BFloat16Speed {
  double products = 1;  ///< a multiply-add, where the unit's registers are full
  double rounding = 0;  ///< a number of the rows that is rounded, or split into pieces
  int64_t rows = 1;     ///< that the unit computes at once, whether they are there or not
  int64_t depth = 1;    ///< likewise

  /// The speed that two measurements show: `time` is a multiply-add's of products by `columns` columns.
  struct Measurement {
    int64_t columns;
    double time;
  };
  static BFloat16Speed Of(const Measurement& narrow, const Measurement& wide);

  /// Time of a multiply-add of a product of these sizes.
  double Time(int64_t product_rows, int64_t product_columns, int64_t product_depth) const;
};

}  // namespace kuiper_infer::kernel
