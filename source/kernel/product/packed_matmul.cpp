// SPDX-License-Identifier: MIT
#include "kernel/product/packed_matmul.hpp"

#include <algorithm>

#include "kernel/product/format/weight_format.hpp"
#include "shape/matrix_offset.hpp"
#include "utils/rounding.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

struct Sizes {
  explicit Sizes(const TensorSpec& a, const TensorSpec& b)
      : rows(a.shape.end()[-2]), columns(b.shape.back()), depth(a.shape.back()) {
    for (std::size_t axis = 0; axis + 2 < a.shape.size(); ++axis) count *= a.shape[axis];
  }

  /// Whether the matrices are shared out among threads, each computed by one; else each is computed by all.
  bool SharesMatrices(int threads) const { return count >= threads; }

  int64_t count = 1;
  int64_t rows;
  int64_t columns;
  int64_t depth;
};

int64_t RowStride(const TensorSpec& spec) { return spec.strides.end()[-2]; }

/// The right matrices, packed one after the other as they are wanted.
class RightFactor {
 public:
  RightFactor(const ProductKernel& kernel, const ConstArrayView& b, void* packed)
      : kernel_(kernel), b_(b), packed_(packed) {}

  const void* At(int64_t index) {
    const float* const matrix = MatrixAt(b_.as<float>(), b_.spec, index);
    if (matrix == last_) return packed_;  // several matrices may be one
    const int64_t depth = b_.shape().end()[-2];
    const int64_t columns = b_.shape().back();
    if (b_.strides().back() == 1) {
      kernel_.panels.PackRows({columns, depth, 0, depth, matrix, RowStride(b_.spec)}, packed_);
    } else {
      kernel_.panels.Pack({columns, depth, 1, matrix, b_.strides().back()}, packed_);
    }
    last_ = matrix;
    return packed_;
  }

 private:
  const ProductKernel& kernel_;
  const ConstArrayView& b_;
  void* packed_;
  const float* last_ = nullptr;
};

}  // namespace

int64_t PackedFactorBytes(const ProductKernel& kernel, int64_t columns, int64_t depth) {
  return AlignedBytes(kernel.panels.Bytes(columns, depth));
}

bool SuitsPackedMatmul(const ProductKernel& kernel, const TensorSpec& a, const TensorSpec& b) {
  // A matrix is packed once for all rows; transposing floats takes longest.
  const bool transposes = b.strides.back() != 1;
  const int64_t least_rows = transposes && &kernel.format == &kFloat32Format ? 48 : 16;
  constexpr int64_t kLeastColumns = 24;
  constexpr int64_t kLeastDepth = 16;
  const Sizes sizes(a, b);
  const bool lies_well = a.strides.back() == 1 && (!transposes || RowStride(b) == 1);
  return lies_well && sizes.rows >= least_rows && sizes.columns >= kLeastColumns && sizes.depth >= kLeastDepth;
}

int64_t PackedMatmulWorkspace(const ProductKernel& kernel, const TensorSpec& a, const TensorSpec& b, int threads) {
  const Sizes sizes(a, b);
  return (sizes.SharesMatrices(threads) ? threads : 1) * PackedFactorBytes(kernel, sizes.columns, sizes.depth);
}

void PackedMatmul(const ProductKernel& kernel, const ConstArrayView& a, const ConstArrayView& b, const ArrayView& out,
                  int threads, void* workspace) {
  const Sizes sizes(a.spec, b.spec);
  const auto multiply = [&](int64_t index, RightFactor& factor) {
    Product product{sizes.rows, sizes.columns, sizes.depth};
    product.a = {MatrixAt(a.as<float>(), a.spec, index), RowStride(a.spec)};
    product.weight = {&kernel, factor.At(index)};
    product.c = {out.as<float>() + index * sizes.rows * sizes.columns, sizes.columns};
    Multiply(product);
  };
  if (!sizes.SharesMatrices(threads)) {
    RightFactor factor(kernel, b, workspace);
    for (int64_t index = 0; index < sizes.count; ++index) multiply(index, factor);
    return;
  }
  const int64_t bytes = PackedFactorBytes(kernel, sizes.columns, sizes.depth);
  const int64_t grain = GrainFor(sizes.rows * sizes.columns * sizes.depth);
  ParallelWorkers(sizes.count, grain, threads, [&](int64_t worker, WorkerPieces pieces) {
    RightFactor factor(kernel, b, static_cast<std::byte*>(workspace) + worker * bytes);
    int64_t first = 0;
    int64_t last = 0;
    while (pieces.Take(first, last)) {
      for (int64_t index = first; index < last; ++index) multiply(index, factor);
    }
  });
}

}  // namespace kuiper_infer::kernel
