// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/attention/streamed_tile.cpp"
#include "kernel/attention/streamed_tile.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/attention/rounded_blocks-inl.hpp"
#include "kernel/attention/score_tiles-inl.hpp"
#include "kernel/attention/score_weights-inl.hpp"
#include "kernel/attention/value_tiles-inl.hpp"
#include "utils/simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

template <class T>
class TileRun {
 public:
  explicit TileRun(const StreamedTile& t)
      : t_(t),
        query_(At(0)),
        scores_(At(Layout().scores)),
        factors_(At(Layout().factors)),
        panel_(At(Layout().panel)),
        floats_(At(Layout().floats)) {
    if (t.rounding != nullptr && !ReadsInPlace(t.rows)) rounded_.emplace(t, panel_, floats_);
  }

  void Run() {
    GatherQueries();
    if (rounded_) rounded_->Begin();
    for (int64_t first = t_.begin; first < t_.end; first += kBlockKeys) {
      const int64_t columns = std::min(kBlockKeys, t_.end - first);
      if (MaskDropsAll(t_, first, columns)) continue;
      Score(first, columns);
      Weigh(first, columns);
      Sum(first, columns);
    }
    if (rounded_) rounded_->End();
  }

 private:
  void GatherQueries() {
    const int64_t pitch = TilePitch(t_.width);
    const float scale = t_.scale * kLog2E;
    for (int64_t row = 0; row < t_.rows; ++row) {
      const int64_t r = t_.first + row;
      const float* const from = t_.query + r % t_.group * t_.query_head_stride + r / t_.group * t_.query_row_stride;
      float* const to = query_ + row * pitch;
      if (rounded_) {
        rounded_->RoundQuery(from, scale, to);
        continue;
      }
      for (int64_t k = 0; k < t_.width; ++k) to[k] = from[k] * scale;
      std::fill(to + t_.width, to + pitch, 0.0F);
    }
  }

  void Score(int64_t first, int64_t columns) {
    const T* const keys = RowsAt(t_.key, first);
    const T* const values = RowsAt(t_.value, first);
    const int64_t pitch = TilePitch(t_.width);
    if (rounded_) return rounded_->Score(query_, keys, t_.key.stride, columns, scores_);
    if (ReadsInPlace(t_.rows)) {
      return DotScores<T>(
          {query_, pitch, keys, t_.key.stride, t_.width, t_.rows, columns, scores_, values, t_.value.stride});
    }
    ScoreBlock<float> block{query_, pitch, nullptr, t_.key.stride, t_.width, t_.rows, columns, scores_, nullptr, 0};
    if constexpr (std::is_same_v<T, float>) {
      block.keys = keys;
    } else {
      block.keys = ConvertRows<T>(keys, t_.key.stride, columns, t_.width, floats_);
      block.key_stride = pitch;
    }
    PanelizedScores(block, panel_);
  }

  void Weigh(int64_t first, int64_t columns) {
    for (int64_t row = 0; row < t_.rows; ++row) {
      float* const scores = scores_ + row * kBlockKeys;
      const int64_t visible = std::clamp<int64_t>(t_.Visible(row) - first, 0, columns);
      MultiplyByScales<T>(visible, RowsAt(t_.key, first), t_.key.stride, t_.width, scores);
      if (t_.mask.data != nullptr) MaskScores(t_, row, first, visible, scores);
      factors_[row] = WeighScores(visible, columns, scores, t_.state.largest[row], t_.state.weights[row]);
      MultiplyByScales<T>(visible, RowsAt(t_.value, first), t_.value.stride, t_.value_width, scores);
    }
  }

  void Sum(int64_t first, int64_t columns) {
    const T* const values = RowsAt(t_.value, first);
    if (rounded_) return rounded_->Sum(scores_, factors_, values, t_.value.stride, columns);
    const int64_t pitch = TilePitch(t_.value_width);
    // The next block of keys, behind the last one this block.
    const int64_t next_first = first + 2 * kBlockKeys <= t_.end ? first + kBlockKeys : first;
    const T* const next = RowsAt(t_.key, next_first);
    if (std::is_same_v<T, float> || ReadsInPlace(t_.rows)) {
      return AddValues<T>({scores_, factors_, values, t_.value.stride, columns, t_.value_width, t_.rows, t_.state.sums,
                           pitch, next, t_.key.stride});
    }
    const float* const floats = ConvertRows<T>(values, t_.value.stride, columns, t_.value_width, floats_);
    AddValues<float>(
        {scores_, factors_, floats, pitch, columns, t_.value_width, t_.rows, t_.state.sums, pitch, floats, pitch});
  }

  static const T* RowsAt(const CacheRows& rows, int64_t first) {
    return static_cast<const T*>(rows.data) + first * rows.stride;
  }
  TileLayout Layout() const { return {t_.rows, t_.width, t_.value_width}; }
  float* At(int64_t place) const { return t_.scratch + place; }

  const StreamedTile& t_;
  float* query_;    ///< scaled queries, rows TilePitch(width) apart; rounded ones are bfloat16 numbers
  float* scores_;   ///< scores of a block of keys, rows kBlockKeys apart
  float* factors_;  ///< for each row, what its sums so far are multiplied by when its largest score grows
  float* panel_;    ///< transposed keys
  float* floats_;   ///< keys or values as floats
  std::optional<RoundedBlocks> rounded_;
};

}  // namespace

void RunTileOfTarget(const StreamedTile& tile) {
  switch (tile.type) {
    case RuntimeDataType::kTypeBFloat16:
      return TileRun<BFloat16>(tile).Run();
    case RuntimeDataType::kTypeInt8:
      return TileRun<int8_t>(tile).Run();
    default:
      return TileRun<float>(tile).Run();
  }
}

void MergeStatesOfTarget(int64_t rows, int64_t value_width, int64_t parts, int64_t stride, const TileState& state) {
  const int64_t pitch = TilePitch(value_width);
  for (int64_t row = 0; row < rows; ++row) {
    float largest = kDropped;
    for (int64_t p = 0; p < parts; ++p) largest = std::max(largest, state.largest[row + p * stride]);
    float weights = 0;
    float* const sums = state.sums + row * pitch;
    for (int64_t p = 0; p < parts; ++p) {
      const float own = state.largest[row + p * stride];
      const float factor = own == largest ? 1.0F : std::exp2(own - largest);
      weights += factor * state.weights[row + p * stride];
      const float* const from = sums + p * stride;
      for (int64_t k = 0; k < value_width; ++k) sums[k] = (p == 0 ? 0.0F : sums[k]) + factor * from[k];
    }
    state.largest[row] = largest;
    state.weights[row] = weights;
  }
}

void WriteRowOfTarget(const TileState& state, int64_t row, int64_t value_width, float* output) {
  const float* const sums = state.sums + row * TilePitch(value_width);
  const float factor = state.weights[row] != 0 ? 1.0F / state.weights[row] : 0.0F;
  for (int64_t k = 0; k < value_width; ++k) output[k] = sums[k] * factor;
}

}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kuiper_infer::kernel {

KUIPER_SIMD_TABLE(RunTileOfTarget);
KUIPER_SIMD_TABLE(MergeStatesOfTarget);
KUIPER_SIMD_TABLE(WriteRowOfTarget);

void RunStreamedTile(const StreamedTile& tile) { KUIPER_SIMD(RunTileOfTarget)(tile); }
void MergeTileStates(int64_t rows, int64_t value_width, int64_t parts, int64_t stride, const TileState& state) {
  KUIPER_SIMD(MergeStatesOfTarget)(rows, value_width, parts, stride, state);
}
void WriteTileRow(const TileState& state, int64_t row, int64_t value_width, float* output) {
  KUIPER_SIMD(WriteRowOfTarget)(state, row, value_width, output);
}

}  // namespace kuiper_infer::kernel
#endif
