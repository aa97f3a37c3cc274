// SPDX-License-Identifier: MIT
#include "kernel/attention/streamed_attention.hpp"

#include <algorithm>
#include <limits>

#include "kernel/attention/streamed_division.hpp"
#include "kernel/attention/streamed_tile.hpp"
#include "utils/element_at.hpp"
#include "utils/rounding.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

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
    const StreamedDivision& d = division_;
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
    const StreamedDivision& d = division_;
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
    const StreamedDivision& d = division_;
    const int64_t batch = Batch(tile);
    const int64_t head = Head(tile);
    StreamedTile t;
    t.type = arrays_.key.spec->type;
    t.rounding = options_.rounding;
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
    t.key = Rows(arrays_.key, batch, head);
    t.value = Rows(arrays_.value, batch, head);
    t.mask = Mask(batch, head);
    t.length = length_;
    t.ahead = options_.causal == CausalRule::kNone        ? length_
              : options_.causal == CausalRule::kFromStart ? 1
                                                          : length_ - d.positions + 1;
    return t;
  }

  CacheRows Rows(const SpecifiedArray& array, int64_t batch, int64_t head) const {
    CacheRows rows;
    rows.data = ElementAt(array.data, array.spec->type, HeadOffset(*array.spec, 2, *arrays_.output_spec, batch, head));
    rows.stride = array.spec->strides.end()[-2];
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
  StreamedDivision division_;
  float* scratch_;
  float* states_;
  int64_t parts_ = 1;
  int64_t part_keys_ = 0;
};

}  // namespace

int64_t StreamedAttentionWorkspace(const StreamedAttentionOptions& options, const TensorSpec& query,
                                   const TensorSpec& key, const TensorSpec& value, const TensorSpec& output) {
  const StreamedDivision division(options.threads, query, key, value, output);
  const int64_t workers = division.workers(options.threads);
  return FloatBytes(workers * division.scratch_floats() +
                    std::max(division.tasks(), workers) * division.state_floats());
}

void StreamedAttention(const StreamedAttentionOptions& options, const StreamedAttentionArrays& arrays,
                       void* workspace) {
  Call(options, arrays, workspace).Run();
}

}  // namespace kuiper_infer::kernel
