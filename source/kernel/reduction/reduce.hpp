// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "utils/array_view.hpp"

namespace kuiper_infer::kernel {

/// The function that reduces elements x to one result. Element types: "floating" is float or double, "any" is floating,
/// integer or bool.
enum class Reduction {
  kSum,           ///< any; integers and bool are summed exactly and give int64
  kNanSum,        ///< floating; NaN counts as 0
  kMean,          ///< floating; NaN if there are no elements
  kNanMean,       ///< floating; NaN is left out
  kProduct,       ///< any; integers and bool give int64
  kMax,           ///< any, at least one element; a NaN wins
  kMin,           ///< any, at least one element; a NaN wins
  kAll,           ///< any; gives bool: whether no element is zero
  kAny,           ///< any; gives bool: whether an element is not zero
  kCountNonzero,  ///< any; gives int64
  kNorm,  ///< floating; (sum |x|^p)^(1/p), the largest or smallest |x| for p = inf or -inf, the count of non-zeros for
          ///< p = 0
  kLogSumExp,  ///< floating; log(sum e^x) without overflow
  kVariance,   ///< floating; sum (x - mean)^2 / (count - correction)
  kDeviation,  ///< the variance's square root
};

/// The parameters of reductions.
struct ReductionOptions {
  double p = 2;           ///< kNorm
  double correction = 1;  ///< kVariance, kDeviation
};

/// An axis (or several merged ones) of a strided array.
struct ReductionAxis {
  int64_t extent;
  int64_t stride;
};

/// Which elements of a strided array belong to which output. Kept axes are in the output's order; axes that lie behind
/// each other in memory are merged, so that there are rarely more than two of each.
struct ReductionGeometry {
  std::vector<ReductionAxis> kept;
  std::vector<ReductionAxis> reduced;
  int64_t outputs = 1;  ///< product of the kept extents
  int64_t count = 1;    ///< elements per output
};

/// The geometry of a reduction over `axes`. The elements of an output are taken in row-major order of the axes or, if
/// `any_order`, in the order of memory.
ReductionGeometry MakeReductionGeometry(const TensorSpec& input, const std::vector<int64_t>& axes,
                                        bool any_order = true);

/// The element offset of the index-th combination of positions along the first `count` axes, row-major.
int64_t LocateAlong(const std::vector<ReductionAxis>& axes, std::size_t count, int64_t index);

/// Bytes of scratch memory that Reduce needs.
int64_t ReduceWorkspace(Reduction reduction, const ReductionGeometry& geometry);

/// The type of the output for an input type.
RuntimeDataType ReducedType(Reduction reduction, RuntimeDataType type);

/// Reduces a strided array (its spec is the one the geometry was made of) to a row-major one of type ReducedType. Sums
/// of floating elements are kept in double. `workspace` is 8-byte aligned.
void Reduce(Reduction reduction, const ReductionOptions& options, const ReductionGeometry& geometry,
            const ConstArrayView& input, void* workspace, const ArrayView& output);

/// Finds the largest (or smallest) element of each output and its position among the reduced elements, counted in
/// row-major order (the geometry is made with any_order = false and count > 0). The first of equal elements is taken;
/// the first NaN wins. `values` (the input's type) may be null. Output arrays are row-major, `positions` int64.
void ReduceToPosition(bool largest, const ReductionGeometry& geometry, const ConstArrayView& input, void* values,
                      int64_t* positions);

}  // namespace kuiper_infer::kernel
