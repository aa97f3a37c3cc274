// SPDX-License-Identifier: MIT
#include "kernel/attention/streamed_attention.hpp"

#include <algorithm>
#include <limits>

#include "kernel/attention/streamed_tile.hpp"
#include "utils/element_at.hpp"
#include "utils/parallel.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer::kernel {
namespace {

int64_t Heads(const TensorSpec& spec) { return spec.rank() >= 3 ? spec.shape.end()[-3] : 1; }

/// Sizes of a call that don't depend on the length, and the division of its work: tiles of rows, each perhaps with
/// several parts of the length.
struct Division {
  int64_t heads = 0;  ///< of keys and values
  int64_t group = 0;  ///< query heads that share one
  int64_t positions = 0;
  int64_t width = 0;
  int64_t value_width = 0;
  int64_t matrices = 0;  ///< all key/value heads
  int64_t tile_rows = 0;
  int64_t tiles_of_matrix = 0;
  int64_t tiles = 0;
  int64_t most_parts = 1;  ///< of the length

  Division(int threads, const TensorSpec& query, const TensorSpec& key, const TensorSpec& value,
           const TensorSpec& output)
      : heads(std::max(Heads(key), Heads(value))),
        group(heads > 0 ? Heads(output) / heads : 0),
        positions(query.shape.end()[-2]),
        width(query.shape.back()),
        value_width(value.shape.back()),
        matrices(heads) {
    for (std::size_t axis = 0; axis + 3 < output.shape.size(); ++axis) matrices *= output.shape[axis];
    const int64_t rows = group * positions;
    if (rows == 0 || matrices == 0) return;
    // Blocks of keys are transposed for each tile, so that tiles are as large as the number of threads allows.
    constexpr int64_t kMostRows = 256;
    constexpr int64_t kFewestRows = 64;
    constexpr int64_t kTasksPerThread = 4;
    const int64_t tasks = threads > 1 ? kTasksPerThread * threads : 1;
    const int64_t share = RoundUp(DivideUp(rows, DivideUp(tasks, matrices)), 8);
    tile_rows = std::min(rows, std::clamp(share, kFewestRows, kMostRows));
    tiles_of_matrix = DivideUp(rows, tile_rows);
    tiles = matrices * tiles_of_matrix;
    most_parts = DivideUp(tasks, tiles);
  }

  int64_t state_floats() const { return tile_rows * TilePitch(value_width) + 2 * TilePitch(tile_rows); }
  int64_t scratch_floats() const { return TileLayout(tile_rows, width, value_width).end; }
  int64_t tasks() const { return tiles * most_parts; }
  int64_t workers(int threads) const { return std::min<int64_t>(threads, tasks()); }
};

TileState StateAt(const Division& division, float* at) {
  TileState state;
  state.sums = at;
  state.largest = at + division.tile_rows * TilePitch(division.value_width);
  state.weights = state.largest + TilePitch(division.tile_rows);
  return state;
}

/// The offset of the matrix of head `head` in `batch`, whose axes are those of `output` before the heads. `trailing` is
/// the number of axes behind the heads.
int64_t HeadOffset(const TensorSpec& spec, int64_t trailing, const TensorSpec& output, int64_t batch, int64_t head) {
  const int64_t heads_axis = spec.rank() - trailing - 1;
  if (heads_axis < 0) return 0;
  const auto stride = [&](int64_t axis) {
    const auto i = static_cast<std::size_t>(axis);
    return spec.shape[i] == 1 ? 0 : spec.strides[i];
  };
  int64_t offset = head * stride(heads_axis);
  int64_t from = output.rank() - 4;
  for (int64_t axis = heads_axis - 1; axis >= 0; --axis, --from) {
    const int64_t extent = output.shape[static_cast<std::size_t>(from)];
    offset += batch % extent * stride(axis);
    batch /= extent;
  }
  return offset;
}

/// The stride of an axis, counted from the end; 0 if the array is broadcast along it.
int64_t StrideOf(const TensorSpec& spec, int64_t from_end) {
  return spec.rank() < from_end || spec.shape.end()[-from_end] == 1 ? 0 : spec.strides.end()[-from_end];
}

class Call {
 public:
  Call(const StreamedAttentionOptions& options, const StreamedAttentionArrays& arrays, void* workspace)
      : options_(options),
        arrays_(arrays),
        length_(arrays.key.spec->shape.end()[-2]),
        division_(options.threads, *arrays.query.spec, *arrays.key.spec, *arrays.value.spec, *arrays.output_spec),
        scratch_(static_cast<float*>(workspace)),
        states_(scratch_ + division_.workers(options.threads) * division_.scratch_floats()) {
    constexpr int64_t kFewestKeys = 2 * kBlockKeys;  // that are worth a part
    parts_ = std::clamp<int64_t>(length_ / kFewestKeys, 1, division_.most_parts);
    part_keys_ = RoundUp(DivideUp(length_, parts_), kBlockKeys);
  }

  void Run() {
    const Division& d = division_;
    const int64_t keys = std::max<int64_t>(part_keys_, 1);
    const int64_t grain = GrainFor(d.tile_rows * keys * (d.width + d.value_width) / 8);
    ParallelWorkers(d.tiles * parts_, grain, d.workers(options_.threads), [&](int64_t worker, WorkerPieces pieces) {
      int64_t task = 0;
      int64_t end = 0;
      while (pieces.Take(task, end)) {
        for (; task < end; ++task) RunTask(task, scratch_ + worker * d.scratch_floats(), worker);
      }
    });
    if (parts_ == 1) return;
    ParallelFor(d.tiles, GrainFor(d.tile_rows * parts_ * d.value_width), [&](int64_t tile, int64_t end) {
      for (; tile < end; ++tile) {
        const TileState state = StateAt(d, states_ + tile * parts_ * d.state_floats());
        const StreamedTile t = TileOf(tile);
        MergeTileStates(t.rows, d.value_width, parts_, d.state_floats(), state);
        Write(tile, t, state);
      }
    });
  }

 private:
  /// Tile `task / parts` by part `task % parts` of the keys.
  void RunTask(int64_t task, float* scratch, int64_t worker) const {
    const Division& d = division_;
    StreamedTile t = TileOf(task / parts_);
    t.state = StateAt(d, states_ + (parts_ == 1 ? worker : task) * d.state_floats());
    t.scratch = scratch;
    std::fill_n(t.state.largest, t.rows, -std::numeric_limits<float>::infinity());
    std::fill_n(t.state.weights, t.rows, 0.0F);
    std::fill_n(t.state.sums, t.rows * TilePitch(d.value_width), 0.0F);
    t.begin = task % parts_ * part_keys_;
    t.end = std::min(t.begin + part_keys_, t.Visible(t.rows - 1));  // later positions see more
    RunStreamedTile(t);
    if (parts_ == 1) Write(task, t, t.state);
  }

  int64_t Batch(int64_t tile) const { return tile / division_.tiles_of_matrix / division_.heads; }
  int64_t Head(int64_t tile) const { return tile / division_.tiles_of_matrix % division_.heads; }

  StreamedTile TileOf(int64_t tile) const {
    const Division& d = division_;
    const int64_t batch = Batch(tile);
    const int64_t head = Head(tile);
    StreamedTile t;
    t.type = arrays_.key.spec->type;
    t.group = d.group;
    t.first = tile % d.tiles_of_matrix * d.tile_rows;
    t.rows = std::min(d.tile_rows, d.group * d.positions - t.first);
    t.width = d.width;
    t.value_width = d.value_width;
    t.scale = static_cast<float>(options_.scale);
    const TensorSpec& query = *arrays_.query.spec;
    t.query = static_cast<const float*>(arrays_.query.data) +
              HeadOffset(query, 2, *arrays_.output_spec, batch, head * d.group);
    t.query_head_stride = StrideOf(query, 3);
    t.query_row_stride = StrideOf(query, 2);
    t.key = Rows(arrays_.key, arrays_.key_scales, batch, head);
    t.value = Rows(arrays_.value, arrays_.value_scales, batch, head);
    t.mask = Mask(batch, head);
    t.length = length_;
    t.ahead = options_.causal == CausalRule::kNone        ? length_
              : options_.causal == CausalRule::kFromStart ? 1
                                                          : length_ - d.positions + 1;
    return t;
  }

  CacheRows Rows(const SpecifiedArray& array, const SpecifiedArray& scales, int64_t batch, int64_t head) const {
    CacheRows rows;
    const TensorSpec& output = *arrays_.output_spec;
    rows.data = ElementAt(array.data, array.spec->type, HeadOffset(*array.spec, 2, output, batch, head));
    rows.stride = array.spec->strides.end()[-2];
    if (scales.data != nullptr) {
      rows.scales = static_cast<const float*>(scales.data) + HeadOffset(*scales.spec, 1, output, batch, head);
    }
    return rows;
  }

  TileMask Mask(int64_t batch, int64_t head) const {
    TileMask mask;
    if (arrays_.mask.data == nullptr) return mask;
    const TensorSpec& spec = *arrays_.mask.spec;
    mask.data = ElementAt(arrays_.mask.data, spec.type,
                          HeadOffset(spec, 2, *arrays_.output_spec, batch, head * division_.group));
    mask.marks = spec.type == RuntimeDataType::kTypeBool;
    mask.drops = options_.mask_drops;
    mask.columns = spec.shape.back() == 1 ? length_ : spec.shape.back();
    mask.head_stride = StrideOf(spec, 3);
    mask.row_stride = StrideOf(spec, 2);
    mask.stride = StrideOf(spec, 1);
    return mask;
  }

  void Write(int64_t tile, const StreamedTile& t, const TileState& state) const {
    const TensorSpec& spec = *arrays_.output_spec;
    float* const output =
        static_cast<float*>(arrays_.output) + HeadOffset(spec, 2, spec, Batch(tile), Head(tile) * t.group);
    for (int64_t row = 0; row < t.rows; ++row) {
      const int64_t r = t.first + row;
      WriteTileRow(state, row, t.value_width,
                   output + r % t.group * StrideOf(spec, 3) + r / t.group * StrideOf(spec, 2));
    }
  }

  const StreamedAttentionOptions& options_;
  const StreamedAttentionArrays& arrays_;
  int64_t length_;
  Division division_;
  float* scratch_;
  float* states_;
  int64_t parts_ = 1;
  int64_t part_keys_ = 0;
};

}  // namespace

int64_t StreamedAttentionWorkspace(const StreamedAttentionOptions& options, const TensorSpec& query,
                                   const TensorSpec& key, const TensorSpec& value, const TensorSpec& output) {
  const Division division(options.threads, query, key, value, output);
  const int64_t workers = division.workers(options.threads);
  return FloatBytes(workers * division.scratch_floats() +
                    std::max(division.tasks(), workers) * division.state_floats());
}

void StreamedAttention(const StreamedAttentionOptions& options, const StreamedAttentionArrays& arrays,
                       void* workspace) {
  Call(options, arrays, workspace).Run();
}

}  // namespace kuiper_infer::kernel
