// SPDX-License-Identifier: MIT
#include "kernel/convolution/winograd/int8_weight.hpp"

#include <algorithm>

namespace kuiper_infer::kernel {
namespace {

/// The numbers of three weights that stand in a line, transformed: `rows` times the weights, and the way back.
template <int m>
struct LineTransform;

template <>
struct LineTransform<2> {
  static constexpr int kRows[4][3] = {{2, 0, 0}, {1, 1, 1}, {1, -1, 1}, {0, 0, 2}};
  static constexpr int kBack[3][4] = {{1, 0, 0, 0}, {0, 1, -1, 0}, {0, 0, 0, 1}};
  static constexpr int kBackDivisor = 2;
};

template <>
struct LineTransform<4> {
  static constexpr int kRows[6][3] = {{15, 0, 0}, {-4, 2, -1}, {-5, -5, -5}, {5, -5, 5}, {1, 2, 4}, {0, 0, 15}};
  static constexpr int kBack[3][6] = {{2, 0, 0, 0, 0, 0}, {0, 0, -3, -3, 0, 0}, {0, 0, 0, 0, 0, 2}};
  static constexpr int kBackDivisor = 30;
};

/// matrix * numbers * transposed matrix
template <int kTo, int kFrom>
void TransformSquare(const int (&matrix)[kTo][kFrom], const int (&numbers)[kFrom][kFrom], int (&result)[kTo][kTo]) {
  int half[kFrom][kTo] = {};
  for (int y = 0; y < kFrom; ++y) {
    for (int i = 0; i < kTo; ++i) {
      for (int x = 0; x < kFrom; ++x) half[y][i] += matrix[i][x] * numbers[y][x];
    }
  }
  for (int i = 0; i < kTo; ++i) {
    for (int j = 0; j < kTo; ++j) {
      result[i][j] = 0;
      for (int y = 0; y < kFrom; ++y) result[i][j] += matrix[i][y] * half[y][j];
    }
  }
}

/// Returns the place of a number of plane 0.
int64_t PlaceOf(const WeightShape& shape, int64_t output, int64_t input) {
  const int64_t panel = output / kWordColumns * kWordColumns * WordDepth(shape.inputs);
  return panel + (input / 2 * kWordColumns + output % kWordColumns) * 2 + input % 2;
}

template <int m>
class WinogradLayout final : public PackedLayout {
 public:
  WinogradLayout() : PackedLayout(m == 2 ? "int8 winograd2" : "int8 winograd4", kInt8Format) {}

  int64_t RowsTogether(const WeightShape& /*shape*/) const override { return kWordColumns; }

  int64_t Bytes(const WeightShape& shape) const override {
    return WordPlanes(m) * WordPlane(shape.outputs, shape.inputs) * static_cast<int64_t>(sizeof(int16_t)) +
           WordColumns(shape.outputs) * static_cast<int64_t>(sizeof(int32_t));
  }

  void Pack(const WeightShape& shape, const WeightRows& rows, const float* part, void* packed) const override {
    const int64_t plane = WordPlane(shape.outputs, shape.inputs);
    auto* const words = static_cast<int16_t*>(packed);
    auto* const sums = reinterpret_cast<int32_t*>(words + WordPlanes(m) * plane);
    const int64_t before = PlaceOf(shape, rows.first, 0);
    const int64_t columns = WordColumns(rows.count);
    for (int64_t i = 0; i < WordPlanes(m); ++i) {
      std::fill_n(words + i * plane + before, columns * WordDepth(shape.inputs), int16_t{0});
    }
    std::fill_n(sums + rows.first, columns, 0);
    for (int64_t input = 0; input < shape.inputs; ++input) {
      for (int64_t row = 0; row < rows.count; ++row) {
        const int64_t output = rows.first + row;
        const float* const window = part + (row * shape.inputs + input) * shape.taps;
        sums[output] += PackWindow(window, plane, words + PlaceOf(shape, output, input));
      }
    }
  }

  bool Reversible() const override { return true; }
  void Unpack(const WeightShape& shape, const void* packed, float* weight) const override {
    constexpr int kDivisor = LineTransform<m>::kBackDivisor * LineTransform<m>::kBackDivisor;
    const int64_t plane = WordPlane(shape.outputs, shape.inputs);
    for (int64_t output = 0; output < shape.outputs; ++output) {
      for (int64_t input = 0; input < shape.inputs; ++input) {
        const int16_t* const words = static_cast<const int16_t*>(packed) + PlaceOf(shape, output, input);
        int u[kSize][kSize];
        for (int i = 0; i < kSize * kSize; ++i) u[i / kSize][i % kSize] = words[i * plane];
        int g[3][3];
        TransformSquare(LineTransform<m>::kBack, u, g);
        float* const window = weight + (output * shape.inputs + input) * shape.taps;
        for (int t = 0; t < 9; ++t) {
          const int number = g[t / 3][t % 3] / kDivisor;  // without a remainder
          window[t] = static_cast<float>(number);
        }
      }
    }
  }

 private:
  static constexpr int kSize = m + 2;

  /// A window, transformed, into the planes of `words`, which begin at its own place. Returns the weights' sum.
  static int32_t PackWindow(const float* window, int64_t plane, int16_t* words) {
    int g[3][3];
    int32_t sum = 0;
    for (int t = 0; t < 9; ++t) sum += g[t / 3][t % 3] = static_cast<int>(window[t]);
    int u[kSize][kSize];
    TransformSquare(LineTransform<m>::kRows, g, u);
    for (int i = 0; i < kSize * kSize; ++i) words[i * plane] = static_cast<int16_t>(u[i / kSize][i % kSize]);
    return sum;
  }
};

}  // namespace

template <int m>
const PackedLayout& LayoutInt8Winograd(const ProductKernel& /*product*/) {
  static const WinogradLayout<m> kLayout;
  return kLayout;
}

template const PackedLayout& LayoutInt8Winograd<2>(const ProductKernel&);
template const PackedLayout& LayoutInt8Winograd<4>(const ProductKernel&);

}  // namespace kuiper_infer::kernel
