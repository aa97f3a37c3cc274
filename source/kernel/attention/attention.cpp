// SPDX-License-Identifier: MIT
#include "kernel/attention/attention.hpp"

#include <algorithm>

#include "kernel/attention/float_heads.hpp"
#include "kernel/attention/int8_heads.hpp"
#include "utils/dispatch.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

/// The division of the work: blocks of rows of every matrix, which workers take, each with a workspace of its own.
struct Blocks {
  int64_t rows;      ///< of a block
  int64_t per_item;  ///< blocks of a matrix
  int64_t count;     ///< of all matrices
  int64_t workers;
};

Blocks MakeBlocks(const TensorSpec& query, int64_t columns, int threads) {
  constexpr int64_t kScores = int64_t{32} << 10;  // of a block: they stay in the second-level cache
  const int64_t length = Rows(query);
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

/// Calls body(tag) with a tag of the head type (head_block.hpp) that computes the call.
template <class Body>
void DispatchHeads(const AttentionOptions& options, RuntimeDataType type, const Body& body) {
  if (options.integers()) return body(TypeTag<Int8Heads>());
  DispatchFloating(type, [&](auto tag) { body(TypeTag<FloatHeads<typename decltype(tag)::type>>()); });
}

/// The bytes that a worker needs; whole cache lines.
int64_t WorkerBytes(const AttentionOptions& options, const Blocks& blocks, const TensorSpec& key,
                    const TensorSpec& value) {
  int64_t bytes = 0;
  DispatchHeads(options, key.type,
                [&](auto tag) { bytes = decltype(tag)::type::WorkspaceBytes(options, blocks.rows, key, value); });
  return bytes;
}

}  // namespace

int64_t AttentionWorkspace(const AttentionOptions& options, const TensorSpec& query, const TensorSpec& key,
                           const TensorSpec& value) {
  const Blocks blocks = MakeBlocks(query, Rows(key), options.threads);
  return blocks.workers * WorkerBytes(options, blocks, key, value);
}

void Attention(const AttentionOptions& options, const AttentionArrays& arrays, const AttentionData& data,
               void* workspace) {
  const TensorSpec& query = arrays.query.spec;
  const int64_t length = Rows(query);
  const Blocks blocks = MakeBlocks(query, Rows(arrays.key.spec), options.threads);
  const int64_t worker_bytes = WorkerBytes(options, blocks, arrays.key.spec, arrays.value.spec);
  DispatchHeads(options, query.type, [&](auto tag) {
    ParallelWorkers(blocks.count, 1, blocks.workers, [&](int64_t worker, WorkerPieces pieces) {
      typename decltype(tag)::type heads(options, arrays, data, blocks.rows,
                                         static_cast<char*>(workspace) + worker * worker_bytes);
      int64_t block = 0;
      int64_t end = 0;
      while (pieces.Take(block, end)) {
        for (; block < end; ++block) {
          const int64_t first = block % blocks.per_item * blocks.rows;
          heads.Run({block / blocks.per_item, first, std::min(blocks.rows, length - first)});
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
