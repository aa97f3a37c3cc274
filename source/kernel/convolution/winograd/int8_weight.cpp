// SPDX-License-Identifier: MIT
#include "kernel/convolution/winograd/int8_weight.hpp"

#include <algorithm>

namespace kuiper_infer::kernel {
namespace {

int64_t Bytes(const WeightShape& shape) {
  return kWordPlanes * WordPlane(shape.outputs, shape.inputs) * static_cast<int64_t>(sizeof(int16_t)) +
         WordColumns(shape.outputs) * static_cast<int64_t>(sizeof(int32_t));
}

int64_t WordPanelRows(const WeightShape& /*shape*/) { return kWordColumns; }

/// Where a number of plane 0 lies.
int64_t PlaceOf(const WeightShape& shape, int64_t output, int64_t input) {
  const int64_t panel = output / kWordColumns * kWordColumns * WordDepth(shape.inputs);
  return panel + (input / 2 * kWordColumns + output % kWordColumns) * 2 + input % 2;
}

/// Three numbers times the rows of 2 G.
void Transform(const int (&g)[3], int (&u)[4]) {
  u[0] = 2 * g[0];
  u[1] = g[0] + g[1] + g[2];
  u[2] = g[0] - g[1] + g[2];
  u[3] = 2 * g[2];
}

void TransformBack(const int (&u)[4], int (&g)[3]) {
  g[0] = u[0] / 2;
  g[1] = (u[1] - u[2]) / 2;
  g[2] = u[3] / 2;
}

/// A window, transformed, into the planes of `words`, which begin at its own place.
void TransformWindow(const float* window, int64_t plane, int16_t* words) {
  int half[3][4];
  for (int y = 0; y < 3; ++y) {
    const float* const row = window + 3 * y;
    Transform({static_cast<int>(row[0]), static_cast<int>(row[1]), static_cast<int>(row[2])}, half[y]);
  }
  for (int x = 0; x < 4; ++x) {
    int column[4];
    Transform({half[0][x], half[1][x], half[2][x]}, column);
    for (int y = 0; y < 4; ++y) words[(4 * y + x) * plane] = static_cast<int16_t>(column[y]);
  }
}

void TransformWindowBack(const int16_t* words, int64_t plane, float* window) {
  int half[3][4];
  for (int x = 0; x < 4; ++x) {
    int column[3];
    TransformBack({words[x * plane], words[(4 + x) * plane], words[(8 + x) * plane], words[(12 + x) * plane]}, column);
    for (int y = 0; y < 3; ++y) half[y][x] = column[y];
  }
  for (int y = 0; y < 3; ++y) {
    int row[3];
    TransformBack(half[y], row);
    for (int x = 0; x < 3; ++x) window[3 * y + x] = static_cast<float>(row[x]);
  }
}

void Pack(const WeightShape& shape, const WeightRows& rows, const float* part, void* packed) {
  const int64_t plane = WordPlane(shape.outputs, shape.inputs);
  auto* const words = static_cast<int16_t*>(packed);
  auto* const sums = reinterpret_cast<int32_t*>(words + kWordPlanes * plane);
  const int64_t before = PlaceOf(shape, rows.first, 0);
  const int64_t columns = WordColumns(rows.count);
  for (int64_t i = 0; i < kWordPlanes; ++i) {
    std::fill_n(words + i * plane + before, columns * WordDepth(shape.inputs), int16_t{0});
  }
  std::fill_n(sums + rows.first, columns, 0);
  for (int64_t row = 0; row < rows.count; ++row) {
    const int64_t output = rows.first + row;
    for (int64_t input = 0; input < shape.inputs; ++input) {
      const float* const window = part + (row * shape.inputs + input) * shape.taps;
      TransformWindow(window, plane, words + PlaceOf(shape, output, input));
      for (int64_t tap = 0; tap < shape.taps; ++tap) sums[output] += static_cast<int32_t>(window[tap]);
    }
  }
}

void Unpack(const WeightShape& shape, const void* packed, float* weight) {
  const int64_t plane = WordPlane(shape.outputs, shape.inputs);
  for (int64_t output = 0; output < shape.outputs; ++output) {
    for (int64_t input = 0; input < shape.inputs; ++input) {
      TransformWindowBack(static_cast<const int16_t*>(packed) + PlaceOf(shape, output, input), plane,
                          weight + (output * shape.inputs + input) * shape.taps);
    }
  }
}

}  // namespace

const WeightOrder& Int8WinogradOrder() {
  static const WeightOrder kOrder{"int8 winograd2",          Bytes, OutputRows, WordPanelRows, Pack, Unpack,
                                  RuntimeDataType::kTypeInt8};
  return kOrder;
}

}  // namespace kuiper_infer::kernel
