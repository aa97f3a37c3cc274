// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstring>

#include "kernel/product/bfloat16/kernel.hpp"
#include "kernel/product/bfloat16/pieces.hpp"
#include "kernel/product/bfloat16/tile.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer::kernel {
namespace {

/// The depth that is rounded at once: whole blocks.
constexpr int64_t kPart = 128;

/// A column of a weight as its file has it, (inputs, taps), of which the numbers are wanted in (taps, inputs) order.
struct Window {
  int64_t inputs;
  int64_t taps;

  /// Returns numbers [k, k + count) of the column times `scale`: the original, or a copy in `scratch`.
  const float* Part(const float* column, int64_t k, int64_t count, float scale, float* scratch) const {
    if (taps == 1 && scale == 1) return column + k;
    if (taps == 1) {
      for (int64_t i = 0; i < count; ++i) scratch[i] = column[k + i] * scale;
      return scratch;
    }
    int64_t tap = k / inputs;
    int64_t input = k % inputs;
    for (int64_t i = 0; i < count; ++i) {
      scratch[i] = column[input * taps + tap] * scale;
      if (++input < inputs) continue;
      input = 0;
      ++tap;
    }
    return scratch;
  }
};

/// Rounds numbers to bfloat16, or splits them; pieces of the same kind lie side by side, the next kind `stride` behind.
struct Rounding {
  int pieces;
  decltype(BFloat16Tiles::round) round;

  void Run(const float* from, int64_t count, uint16_t* to, int64_t stride) const {
    pieces == 1 ? round(from, count, to) : SplitBFloat16(from, count, pieces, to, stride);
  }

  /// Writes zeros to the numbers [first, last) of all pieces.
  void Clear(int64_t first, int64_t last, uint16_t* to, int64_t stride) const {
    for (int i = 0; i < pieces; ++i) std::fill(to + i * stride + first, to + i * stride + last, uint16_t{0});
  }
};

/// A panel of a packed weight.
class Panel {
 public:
  /// The panel that column `first` lies in.
  Panel(int64_t columns, int64_t depth, int64_t first, int pieces, uint16_t* packed)
      : width_(BFloat16PanelVectors(columns, first / kBFloat16Columns) * kBFloat16Lanes),
        pieces_(pieces),
        panel_(packed + first / kBFloat16Columns * kBFloat16Columns * 2 * BFloat16Pairs(depth) * pieces) {}

  int64_t width() const { return width_; }  ///< columns, whole vectors

  /// Returns the place of a piece of a pair for the panel's first column.
  uint16_t* At(int64_t pair, int piece) const {
    return panel_ + ((pair / kBlockPairs * pieces_ + piece) * kBlockPairs + pair % kBlockPairs) * width_ * 2;
  }

 private:
  int64_t width_;
  int pieces_;
  uint16_t* panel_;
};

/// Packs a vector of columns, from column `first` of the weight on, to their places in a panel; zeros stand for columns
/// behind the last one.
void PackVector(const TransposedWeight& weight, int64_t first, const Rounding& rounding, const Panel& panel) {
  const int64_t inside = std::min(kBFloat16Lanes, weight.columns - first);
  const int64_t column = first % kBFloat16Columns;
  const Window window{weight.inputs, weight.taps};
  const int64_t depth = window.inputs * window.taps;
  std::array<std::array<uint16_t, kMostPieces * kPart>, kBFloat16Lanes> rounded;  // written as far as it is read
  std::array<float, kPart> scratch;
  for (int64_t k = 0; k < depth; k += kPart) {
    const int64_t count = std::min(kPart, depth - k);
    const int64_t filled = 2 * BFloat16Pairs(count);
    for (int64_t j = 0; j < inside; ++j) {
      const float* part = window.Part(weight.numbers + (first + j) * weight.ld, k, count, weight.scale, scratch.data());
      rounding.Run(part, count, rounded[j].data(), kPart);
      rounding.Clear(count, filled, rounded[j].data(), kPart);
    }
    for (int64_t j = inside; j < kBFloat16Lanes; ++j) rounding.Clear(0, filled, rounded[j].data(), kPart);
    for (int piece = 0; piece < rounding.pieces; ++piece) {
      for (int64_t i = 0; i < filled; i += 2) {
        uint16_t* const target = panel.At((k + i) / 2, piece) + 2 * column;
        for (int64_t j = 0; j < kBFloat16Lanes; ++j)
          std::memcpy(target + 2 * j, rounded[j].data() + piece * kPart + i, 2 * sizeof(uint16_t));
      }
    }
  }
}

class Panels final : public WeightPanels {
 public:
  explicit Panels(const Rounding& rounding) : rounding_(rounding) {}

  const char* Name() const override {
    constexpr const char* kNames[] = {"bfloat16 panels", "bfloat16 panels in 2 pieces", "bfloat16 panels in 3 pieces"};
    return kNames[rounding_.pieces - 1];
  }
  int64_t Columns() const override { return kBFloat16Columns; }

  int64_t Bytes(int64_t columns, int64_t depth, int64_t segments) const override {
    return RoundUp(columns, kBFloat16Lanes) * 2 * BFloat16Pairs(depth * segments) * rounding_.pieces *
           static_cast<int64_t>(sizeof(uint16_t));
  }

  void Pack(const TransposedWeight& weight, void* packed) const override {
    for (int64_t first = 0; first < weight.columns; first += kBFloat16Lanes) {
      const Panel panel(weight.columns, weight.depth(), first, rounding_.pieces, static_cast<uint16_t*>(packed));
      PackVector(weight, first, rounding_, panel);
    }
  }

  int64_t RowsTogether() const override { return 2; }
  void PackRows(const WeightRowsPart& rows, void* packed) const override {
    using Row = std::array<uint16_t, kMostPieces * kBFloat16Columns>;
    const int64_t behind = rows.first + rows.count;
    const int64_t end = behind == rows.depth ? 2 * BFloat16Pairs(rows.depth) : behind;
    for (int64_t first = 0; first < rows.columns; first += kBFloat16Columns) {
      const Panel panel(rows.columns, rows.depth, first, rounding_.pieces, static_cast<uint16_t*>(packed));
      const int64_t inside = std::min(panel.width(), rows.columns - first);
      for (int64_t k = rows.first; k < end; k += 2) {
        std::array<Row, 2> pair;  // written as far as it is read
        for (int64_t i = 0; i < 2; ++i) {
          int64_t given = 0;
          if (k + i < rows.depth) {
            given = inside;
            rounding_.Run(rows.numbers + (k + i - rows.first) * rows.ld + first, given, pair[i].data(),
                          kBFloat16Columns);
          }
          rounding_.Clear(given, panel.width(), pair[i].data(), kBFloat16Columns);
        }
        for (int piece = 0; piece < rounding_.pieces; ++piece) {
          InterleaveRows(pair[0].data() + piece * kBFloat16Columns, pair[1].data() + piece * kBFloat16Columns,
                         panel.width(), panel.At(k / 2, piece));
        }
      }
    }
  }

 private:
  const Rounding rounding_;
};

}  // namespace

std::shared_ptr<const WeightPanels> MakeBFloat16Panels(int pieces, decltype(BFloat16Tiles::round) round) {
  return std::make_shared<const Panels>(Rounding{pieces, round});
}

}  // namespace kuiper_infer::kernel
