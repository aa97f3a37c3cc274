// SPDX-License-Identifier: MIT
#include "operators/convolution/phase_taps.hpp"

#include <algorithm>

#include "utils/rounding.hpp"

namespace kuiper_infer {

PhaseAxis MakePhaseAxis(const Window& transposed, int64_t image, int64_t outputs, int64_t remainder) {
  // Output r + s q is the sum over the taps t = first + s j of input element q + (r + padding - first) / s - j.
  const int64_t stride = transposed.stride;
  PhaseAxis axis;
  axis.first_tap = (remainder + transposed.padding_begin) % stride;
  axis.positions = DivideUp(outputs - remainder, stride);
  axis.window.kernel = DivideUp(transposed.kernel - axis.first_tap, stride);
  axis.window.padding_begin = axis.window.kernel - 1 - (remainder + transposed.padding_begin) / stride;
  const int64_t end = axis.positions - 1 - axis.window.padding_begin + axis.window.kernel;
  axis.window.padding_end = std::max<int64_t>(0, end - image);
  return axis;
}

TensorArgument PhaseWeight(const ConvolutionArguments& read, const NdArray& values, const PhaseAxis& y,
                           const PhaseAxis& x) {
  const int64_t rows = y.window.kernel;
  const int64_t columns = x.window.kernel;
  const kernel::ConvolutionGeometry& geometry = read.geometry;
  const auto& [depth, height, width] = geometry.grid.window;
  TensorArgument weight;
  weight.SetValues(
      NdArray(RuntimeDataType::kTypeFloat32, {geometry.channels_out, geometry.channels_in, rows, columns}));
  const float* from = values.data<float>();
  float* to = weight.constant.data<float>();
  for (int64_t o = 0; o < geometry.channels_out; ++o) {
    for (int64_t i = 0; i < geometry.channels_in; ++i) {
      const float* taps = from + (i * geometry.channels_out + o) * height.kernel * width.kernel;
      for (int64_t h = 0; h < rows; ++h) {
        const float* row = taps + (y.first_tap + height.stride * (rows - 1 - h)) * width.kernel;
        for (int64_t w = 0; w < columns; ++w) *to++ = row[x.first_tap + width.stride * (columns - 1 - w)];
      }
    }
  }
  return weight;
}

}  // namespace kuiper_infer
