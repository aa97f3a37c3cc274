// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_PRODUCT_INTEGER_WEIGHTS_PANELS_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_PRODUCT_INTEGER_WEIGHTS_PANELS_INL_HPP_
#undef KUIPER_KERNEL_PRODUCT_INTEGER_WEIGHTS_PANELS_INL_HPP_
#else
#define KUIPER_KERNEL_PRODUCT_INTEGER_WEIGHTS_PANELS_INL_HPP_
#endif

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "kernel/product/float32/panel_blocks-inl.hpp"
#include "kernel/product/integer_weights/rows-inl.hpp"
#include "kernel/product/weight_panels.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// Panels of as many columns as those of floats, of the words that Row reads: row after row of words, each of which
/// holds Row::kDepth rows of integers. They have no taps. Float tiles and tiles of dot products read the same panels.
template <class Row>
class IntegerPanels final : public WeightPanels {
 public:
  explicit IntegerPanels(const char* name) : name_(name) {}

  const char* Name() const override { return name_; }
  int64_t Columns() const override { return kPanelColumns; }

  int64_t Bytes(int64_t columns, int64_t depth, int64_t segments) const override {
    return Place(columns, depth * segments);
  }

  /// Bytes of columns before column `columns`, which all panels before it fill.
  static int64_t Place(int64_t columns, int64_t depth) {
    return DivideUp(columns, kLanes) * kWordBytes * DivideUp(depth, Row::kDepth);
  }

  /// Runs along the depth are packed for all columns of a panel, one after the other: the words of a run, which lie in
  /// as many rows, then stay in the first-level cache until their lines are full.
  void Pack(const TransposedWeight& weight, void* packed) const override {
    if (weight.depth() == 0 || weight.columns == 0) return;  // `packed` may be null
    std::memset(packed, 0, static_cast<std::size_t>(Place(weight.columns, weight.depth())));
    for (int64_t first = 0; first < weight.columns; first += kPanelColumns) {
      auto* const panel = static_cast<uint8_t*>(packed) + Place(first, weight.depth());
      const int64_t row_bytes = PanelVectors(weight.columns, first / kPanelColumns) * kWordBytes;
      const int64_t last = std::min(weight.columns, first + kPanelColumns);
      for (int64_t k = 0; k < weight.depth(); k += kRun) {
        for (int64_t j = first; j < last; ++j) {
          PackRun(weight.numbers + j * weight.ld + k, std::min(kRun, weight.depth() - k),
                  panel + k / Row::kDepth * row_bytes + (j - first) * 4, row_bytes);
        }
      }
    }
  }

  bool Reversible() const override { return true; }
  void Unpack(const TransposedWeight& weight, const void* packed, float* transposed) const override {
    for (int64_t j = 0; j < weight.columns; ++j) UnpackColumn(weight, j, packed, transposed + j * weight.depth());
  }

  bool UnpacksColumns() const override { return true; }
  void UnpackColumn(const TransposedWeight& weight, int64_t column, const void* packed, float* numbers) const override {
    const int64_t row_bytes = PanelVectors(weight.columns, column / kPanelColumns) * kWordBytes;
    const uint8_t* from = static_cast<const uint8_t*>(packed) +
                          Place(RoundDown(column, kPanelColumns), weight.depth()) + column % kPanelColumns * 4;
    for (int64_t k = 0; k < weight.depth(); k += Row::kDepth, from += row_bytes) {
      uint32_t word = 0;
      std::memcpy(&word, from, sizeof(word));
      const auto count = static_cast<int>(std::min<int64_t>(Row::kDepth, weight.depth() - k));
      for (int i = 0; i < count; ++i) {
        const auto distance = static_cast<int>(word >> Row::Shift(i) & ((1U << Row::kBits) - 1));
        numbers[k + i] = static_cast<float>(distance + Row::kLeast);
      }
    }
  }

 private:
  static constexpr int64_t kRun = 64;  ///< numbers of a column, whole words

  /// Writes the words of `count` numbers of a column, row_bytes apart.
  static void PackRun(const float* numbers, int64_t count, uint8_t* to, int64_t row_bytes) {
    uint8_t distances[kRun] = {};
    for (int64_t i = 0; i < count; ++i) distances[i] = static_cast<uint8_t>(static_cast<int>(numbers[i]) - Row::kLeast);
    for (int64_t i = 0; i < count; i += Row::kDepth, to += row_bytes) {
      const uint32_t word = Row::WordOf(distances + i);
      std::memcpy(to, &word, sizeof(word));
    }
  }

  const char* name_;
};

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
