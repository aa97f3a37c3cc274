// SPDX-License-Identifier: MIT
#include "kernel/attention.hpp"

#include <algorithm>
#include <limits>
#include <omp.h>

#include "kernel/gemm.hpp"
#include "kernel/matrix_offset.hpp"
#include "kernel/softmax.hpp"
#include "utils/dispatch.hpp"
#include "utils/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

/// How the work is cut: blocks of rows of every matrix, dealt out to pieces that each own a score matrix.
struct Blocks {
  int64_t rows;      ///< of a block
  int64_t per_item;  ///< blocks of a matrix
  int64_t count;     ///< of all matrices
  int64_t pieces;
};

Blocks MakeBlocks(const TensorSpec& query, int64_t columns) {
  constexpr int64_t kScores = 32 * 1024;  // of a block: they stay in the second-level cache
  const int64_t length = query.shape[query.shape.size() - 2];
  const Shape leading(query.shape.begin(), query.shape.end() - 2);
  Blocks blocks{};
  blocks.rows = std::clamp<int64_t>(kScores / std::max<int64_t>(columns, 1), 8, 128);
  blocks.rows = std::max<int64_t>(1, std::min(blocks.rows, length));
  blocks.per_item = (length + blocks.rows - 1) / blocks.rows;
  blocks.count = blocks.per_item * ElementCount(leading);
  blocks.pieces = std::min<int64_t>(blocks.count, omp_get_num_procs());
  return blocks;
}

int64_t RowStride(const TensorSpec& spec) { return spec.strides[spec.strides.size() - 2]; }
int64_t Columns(const TensorSpec& spec) { return spec.shape.back(); }

template <class T>
constexpr T kDropped = -std::numeric_limits<T>::infinity();

/// Applies the mask to `rows` rows of scores, the first of which is row `first` of matrix `item`.
template <class T>
void AddMask(const AttentionOptions& options, const ConstArrayView& mask, int64_t item, int64_t first, int64_t rows,
             int64_t pitch, T* scores) {
  const int64_t row_stride = RowStride(mask.spec);
  const int64_t step = mask.strides().back();
  const int64_t start = MatrixOffset(mask.spec, item) + first * row_stride;
  for (int64_t i = 0; i < rows; ++i) {
    T* row = scores + i * pitch;
    if (mask.type() == RuntimeDataType::kTypeBool) {
      const bool* marks = mask.as<bool>() + start + i * row_stride;
      for (int64_t j = 0; j < Columns(mask.spec); ++j) {
        if (marks[j * step] == options.mask_drops) row[j] = kDropped<T>;
      }
    } else {
      const T* added = mask.as<T>() + start + i * row_stride;
      for (int64_t j = 0; j < Columns(mask.spec); ++j) row[j] += added[j * step];
    }
  }
}

/// Softmax of rows of which some may have no column left.
template <class T>
void SoftmaxOrZero(int64_t rows, int64_t columns, T* scores) {
  for (T* row = scores; row != scores + rows * columns; row += columns) {
    if (std::all_of(row, row + columns, [](T score) { return score == kDropped<T>; })) {
      std::fill_n(row, columns, T(0));
    } else {
      Softmax<T>(SoftmaxKind::kSoftmax, {1, columns, 1}, row, row);
    }
  }
}

/// One block: `rows` rows from row `first` of matrix `item`; `scores` has room for rows * s numbers.
template <class T>
void RunBlock(const AttentionOptions& options, const AttentionArrays& arrays, int64_t item, int64_t first, int64_t rows,
              T* scores) {
  const TensorSpec& query = arrays.query.spec;
  const TensorSpec& key = arrays.key.spec;
  const TensorSpec& value = arrays.value.spec;
  const int64_t columns = key.shape[key.shape.size() - 2];
  const T* q = arrays.query.as<T>() + MatrixOffset(query, item) + first * RowStride(query);
  const T* k = arrays.key.as<T>() + MatrixOffset(key, item);
  const T* v = arrays.value.as<T>() + MatrixOffset(value, item);
  T* out = arrays.output.as<T>() + MatrixOffset(arrays.output.spec, item) + first * RowStride(arrays.output.spec);
  Gemm<T>(false, true, rows, columns, Columns(query), static_cast<T>(options.scale), q, RowStride(query), k,
          RowStride(key), T(0), scores, columns);
  for (int64_t i = 0; options.causal && i < rows; ++i) {
    const int64_t kept = std::min(columns, first + i + 1);
    std::fill_n(scores + i * columns + kept, columns - kept, kDropped<T>);
  }
  const bool masked = arrays.mask.data != nullptr;
  if (masked) AddMask(options, arrays.mask, item, first, rows, columns, scores);
  if (masked && options.zero_masked) {
    SoftmaxOrZero(rows, columns, scores);
  } else {
    Softmax<T>(SoftmaxKind::kSoftmax, {rows, columns, 1}, scores, scores);
  }
  Gemm<T>(false, false, rows, Columns(value), columns, T(1), scores, columns, v, RowStride(value), T(0), out,
          RowStride(arrays.output.spec));
}

}  // namespace

int64_t AttentionWorkspace(const TensorSpec& query, const TensorSpec& key) {
  const int64_t columns = key.shape[key.shape.size() - 2];
  const Blocks blocks = MakeBlocks(query, columns);
  return ByteCount(query.type, {blocks.pieces, blocks.rows, columns});
}

void Attention(const AttentionOptions& options, const AttentionArrays& arrays, void* workspace) {
  const TensorSpec& query = arrays.query.spec;
  const int64_t length = query.shape[query.shape.size() - 2];
  const int64_t columns = arrays.key.shape()[arrays.key.shape().size() - 2];
  const Blocks blocks = MakeBlocks(query, columns);
  DispatchFloating(query.type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const auto run_piece = [&](int64_t piece) {
      T* scratch = static_cast<T*>(workspace) + piece * blocks.rows * columns;
      const int64_t last = blocks.count * (piece + 1) / blocks.pieces;
      for (int64_t block = blocks.count * piece / blocks.pieces; block < last; ++block) {
        const int64_t item = block / blocks.per_item;
        const int64_t first = block % blocks.per_item * blocks.rows;
        const int64_t rows = std::min(blocks.rows, length - first);
        T* kept = arrays.weights.data == nullptr ? nullptr : arrays.weights.as<T>() + (item * length + first) * columns;
        RunBlock<T>(options, arrays, item, first, rows, kept == nullptr ? scratch : kept);
      }
    };
    ParallelFor(blocks.pieces, 1, [&](int64_t first, int64_t last) {
      for (int64_t piece = first; piece < last; ++piece) run_piece(piece);
    });
  });
}

}  // namespace kuiper_infer::kernel
