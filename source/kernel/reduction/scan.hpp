// SPDX-License-Identifier: MIT
#pragma once

#include "shape/axis_geometry.hpp"
#include "utils/array_view.hpp"

namespace kuiper_infer::kernel {

/// The function of a scan. It replaces each element of a line by its value for this element and all elements before it.
enum class Scan {
  kSum,        ///< any type; integers and bool give int64, floating and complex elements are summed in double
  kProduct,    ///< any type; integers and bool give int64, floating and complex elements are multiplied in double
  kLogSumExp,  ///< floating
};

/// Scans along the middle axis. `output` has the type of `input`, or int64 for integers and bool.
void ScanAlong(Scan scan, const AxisGeometry& geometry, const ConstArrayView& input, const ArrayView& output);

/// Finds the largest (or smallest) element so far and the position of its last occurrence; a NaN stays. Row-major
/// arrays.
void ScanExtreme(bool largest, const AxisGeometry& geometry, const ConstArrayView& input, void* values,
                 int64_t* positions);

}  // namespace kuiper_infer::kernel
