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

#include "kernel/product/float32/panel_blocks-inl.hpp"
#include "kernel/product/integer_weights/tile-inl.hpp"
#include "kernel/product/weight_panels.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// Panels like those of floats, of the integers that Row reads. They have no taps.
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
    const int64_t last = DivideUp(columns % kPanelColumns, kLanes);
    return (columns / kPanelColumns * RowBytes(Row::kBits, kPanelVectors) + RowBytes(Row::kBits, last)) * depth;
  }

  void Pack(const TransposedWeight& weight, void* packed) const override {
    if (weight.depth() == 0) return;  // `packed` may be null
    std::fill_n(static_cast<uint8_t*>(packed), Place(weight.columns, weight.depth()), uint8_t{0});
    const float* numbers = weight.numbers;
    for (int64_t j = 0; j < weight.columns; ++j, numbers += weight.ld) {
      ForColumn(weight, j, static_cast<uint8_t*>(packed), [&](int64_t k, uint8_t& byte, int shift) {
        const int number = static_cast<int>(numbers[k]);
        byte = static_cast<uint8_t>(byte | (number & kMask) << shift);
      });
    }
  }

  bool Reversible() const override { return true; }
  void Unpack(const TransposedWeight& weight, const void* packed, float* transposed) const override {
    for (int64_t j = 0; j < weight.columns; ++j, transposed += weight.depth()) {
      ForColumn(weight, j, static_cast<const uint8_t*>(packed), [&](int64_t k, const uint8_t& byte, int shift) {
        transposed[k] = static_cast<float>(Row::IntegerOf(byte >> shift & kMask));
      });
    }
  }

 private:
  static constexpr int kMask = (1 << Row::kBits) - 1;

  /// Calls visit(k, byte, shift) for the places of a column's integers. Of 4 bits, those of every other vector are in
  /// the high half of their bytes.
  template <class Byte, class Visit>
  static void ForColumn(const TransposedWeight& weight, int64_t j, Byte* packed, const Visit& visit) {
    const int64_t bytes = RowBytes(Row::kBits, PanelVectors(weight.columns, j / kPanelColumns));
    const int64_t column = j % kPanelColumns;
    const int64_t place = Row::kBits == 8 ? column : column / (2 * kLanes) * kLanes + column % kLanes;
    const int shift = Row::kBits == 4 && column / kLanes % 2 == 1 ? 4 : 0;
    Byte* at = packed + Place(RoundDown(j, kPanelColumns), weight.depth()) + place;
    for (int64_t k = 0; k < weight.depth(); ++k, at += bytes) visit(k, *at, shift);
  }

  const char* name_;
};

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
