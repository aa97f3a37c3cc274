// SPDX-License-Identifier: MIT
#include "kernel/product/grouped_matmul.hpp"

#include <algorithm>

#include "kernel/product/gemm.hpp"

namespace kuiper_infer::kernel {

void GroupedMatmul(const GroupedGeometry& geometry, const float* a, const float* b, const int32_t* ends, float* out) {
  const auto [cut, groups, m, k, n] = geometry;
  const int64_t last = groups > 0 ? ends[groups - 1] : 0;
  if (cut != GroupedExtent::kDepth && last < geometry.whole()) std::fill_n(out, m * n, 0.0F);
  int64_t start = 0;
  for (int64_t g = 0; g < groups; ++g) {
    const int64_t end = ends[g];
    const int64_t size = end - start;
    switch (cut) {
      case GroupedExtent::kRows:
        Gemm<float>(false, false, size, n, k, 1, a + start * k, k, b + g * k * n, n, 0, out + start * n, n);
        break;
      case GroupedExtent::kColumns:
        Gemm<float>(false, false, m, size, k, 1, a + g * m * k, k, b + start, n, 0, out + start, n);
        break;
      case GroupedExtent::kDepth:
        Gemm<float>(false, false, m, n, size, 1, a + start, k, b + start * n, n, 0, out + g * m * n, n);
        break;
    }
    start = end;
  }
}

}  // namespace kuiper_infer::kernel
