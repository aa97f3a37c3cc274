// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace kuiper_infer::kernel {

/// Which extent of the products is cut into groups.
enum class GroupedExtent {
  kRows,     ///< a (m, k) by rows; b (groups, k, n), out (m, n)
  kColumns,  ///< b (k, n) by columns; a (groups, m, k), out (m, n)
  kDepth,    ///< a (m, k) by columns and b (k, n) by rows; out (groups, m, n)
};

struct GroupedGeometry {
  GroupedExtent cut = GroupedExtent::kRows;
  int64_t groups = 0;
  int64_t m = 0;
  int64_t k = 0;
  int64_t n = 0;

  /// The extent that is cut.
  int64_t whole() const { return cut == GroupedExtent::kRows ? m : (cut == GroupedExtent::kColumns ? n : k); }
};

/// Computes a matrix product a @ b for each group, on row-major arrays without gaps. Group g reaches from ends[g - 1]
/// (0 for the first) to ends[g], which don't decrease and stay within whole(). Results behind the last end become 0.
void GroupedMatmul(const GroupedGeometry& geometry, const float* a, const float* b, const int32_t* ends, float* out);

}  // namespace kuiper_infer::kernel
