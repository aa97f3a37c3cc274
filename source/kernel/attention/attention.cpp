// SPDX-License-Identifier: MIT
#include "kernel/attention/attention.hpp"

#include <algorithm>
#include <limits>

#include "kernel/attention/head_products.hpp"
#include "kernel/attention/score_softmax.hpp"
#include "shape/matrix_offset.hpp"
#include "utils/dispatch.hpp"
#include "utils/element_at.hpp"
#include "utils/parallel.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer::kernel {
namespace {

/// How the work is cut: blocks of rows of every matrix, dealt out to workers that each own a score matrix.
struct Blocks {
  int64_t rows;      ///< of a block
  int64_t per_item;  ///< blocks of a matrix
  int64_t count;     ///< of all matrices
  int64_t workers;
};

Blocks MakeBlocks(const TensorSpec& query, int64_t columns, int threads) {
  constexpr int64_t kScores = int64_t{32} << 10;  // of a block: they stay in the second-level cache
  const int64_t length = query.shape.end()[-2];
  int64_t matrices = 1;
  for (std::size_t axis = 0; axis + 2 < query.shape.size(); ++axis) matrices *= query.shape[axis];
  Blocks blocks{};
  blocks.rows = std::clamp<int64_t>(kScores / std::max<int64_t>(columns, 1), 8, 128);
  blocks.rows = std::max<int64_t>(1, std::min(blocks.rows, length));
  blocks.per_item = (length + blocks.rows - 1) / blocks.rows;
  blocks.count = blocks.per_item * matrices;
  blocks.workers = std::min<int64_t>(blocks.count, threads);
  return blocks;
}

/// The mask of rows from row `first` of matrix `item` on.
ScoreMask MaskFrom(const AttentionOptions& options, const TensorSpec& spec, const void* data, int64_t item,
                   int64_t first) {
  ScoreMask mask;
  if (data == nullptr) return mask;
  mask.marks = spec.type == RuntimeDataType::kTypeBool;
  mask.drops = options.mask_drops;
  mask.columns = Columns(spec);
  mask.row_stride = RowStride(spec);
  mask.stride = spec.strides.back();
  const int64_t offset = MatrixOffset(spec, item) + first * mask.row_stride;
  mask.rows = ElementAt(data, spec.type, offset);
  return mask;
}

/// Computes one block: `rows` rows from row `first` of matrix `item`; `scores` has room for rows * s numbers.
template <class T>
void RunBlock(const AttentionOptions& options, const AttentionArrays& arrays, const AttentionData& data,
              HeadProducts<T>& products, int64_t item, int64_t first, int64_t rows, T* scores) {
  const TensorSpec& query = arrays.query.spec;
  const int64_t columns = arrays.key.shape().end()[-2];
  products.Select(item);
  products.Scores(rows, MatrixAt(static_cast<const T*>(data.query), query, item, first * RowStride(query)), scores);
  for (int64_t i = 0; options.causal && i < rows; ++i) {
    const int64_t kept = std::min(columns, first + i + 1);
    std::fill_n(scores + i * columns + kept, columns - kept, -std::numeric_limits<T>::infinity());
  }
  const ScoreMask mask = MaskFrom(options, arrays.mask.spec, data.mask, item, first);
  SoftmaxOfScores(mask, mask.rows != nullptr && options.zero_masked, rows, columns, scores);
  const TensorSpec& out = arrays.output.spec;
  products.Output(rows, scores, MatrixAt(static_cast<T*>(data.output), out, item, first * RowStride(out)));
}

/// The count of numbers that a worker needs for packed matrices and scores; whole cache lines.
int64_t WorkerSize(const AttentionOptions& options, const Blocks& blocks, const TensorSpec& key,
                   const TensorSpec& value) {
  constexpr int64_t kLine = 16;
  const bool packs = key.type == RuntimeDataType::kTypeFloat32;
  const int64_t packed = packs ? HeadProducts<float>::WorkspaceSize(options.factor_type, key, value) : 0;
  return packed + RoundUp(blocks.rows * key.shape.end()[-2], kLine);
}

}  // namespace

int64_t AttentionWorkspace(const AttentionOptions& options, const TensorSpec& query, const TensorSpec& key,
                           const TensorSpec& value) {
  const int64_t columns = key.shape.end()[-2];
  const Blocks blocks = MakeBlocks(query, columns, options.threads);
  return ByteCount(query.type, {blocks.workers, WorkerSize(options, blocks, key, value)});
}

void Attention(const AttentionOptions& options, const AttentionArrays& arrays, const AttentionData& data,
               void* workspace) {
  const TensorSpec& query = arrays.query.spec;
  const int64_t length = query.shape.end()[-2];
  const int64_t columns = arrays.key.shape().end()[-2];
  const Blocks blocks = MakeBlocks(query, columns, options.threads);
  const int64_t worker_size = WorkerSize(options, blocks, arrays.key.spec, arrays.value.spec);
  DispatchFloating(query.type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    ParallelWorkers(blocks.count, 1, blocks.workers, [&](int64_t worker, WorkerPieces pieces) {
      T* packed = static_cast<T*>(workspace) + worker * worker_size;
      T* scratch = packed + worker_size - blocks.rows * columns;
      HeadProducts<T> products(options, arrays, data, packed);
      int64_t block = 0;
      int64_t end = 0;
      while (pieces.Take(block, end)) {
        for (; block < end; ++block) {
          const int64_t item = block / blocks.per_item;
          const int64_t first = block % blocks.per_item * blocks.rows;
          const int64_t rows = std::min(blocks.rows, length - first);
          T* scores =
              data.weights == nullptr ? scratch : static_cast<T*>(data.weights) + (item * length + first) * columns;
          RunBlock<T>(options, arrays, data, products, item, first, rows, scores);
        }
      }
    });
  });
}

void Attention(const AttentionOptions& options, const AttentionArrays& arrays, void* workspace) {
  Attention(options, arrays,
            {arrays.query.data, arrays.key.data, arrays.value.data, arrays.mask.data, arrays.output.data,
             arrays.weights.data},
            workspace);
}

}  // namespace kuiper_infer::kernel
