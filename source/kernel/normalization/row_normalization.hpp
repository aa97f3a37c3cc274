// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace kuiper_infer::kernel {

/// The sizes of rows that are normalised one by one, each of `channels` times `inner` elements. Channel c of row r has
/// its own weight and bias, number (r mod groups) * channels + c. Layer and RMS normalisation: groups = 1, inner = 1;
/// group normalisation: a row for each image and group; instance normalisation: channels = 1.
struct NormalizationGeometry {
  int64_t rows = 1;
  int64_t groups = 1;
  int64_t channels = 1;
  int64_t inner = 1;
};

/// The number that a row is divided by.
enum class NormalizationKind {
  kVariance,        ///< (x - mean) / sqrt(variance + eps), variance without Bessel's correction
  kRootMeanSquare,  ///< x / sqrt(mean of squares + eps)
};

/// Normalises each row by its own statistics, then multiplies by `weight` and adds `bias` (groups * channels elements
/// each, or null). Sums are kept in double; floats with inner = 1 are summed in float in pieces of 4096. Row-major
/// without gaps; `output` may be `input`. Instantiated for float and double.
template <class T>
void NormalizeRows(NormalizationKind kind, const NormalizationGeometry& geometry, double eps, const T* input,
                   const T* weight, const T* bias, T* output);

/// NormalizeRows for rows with inner = 1, with results rounded to bfloat16. Only on a CPU that multiplies bfloat16.
void NormalizeRowsToBFloat16(NormalizationKind kind, const NormalizationGeometry& geometry, double eps,
                             const float* input, const float* weight, const float* bias, uint16_t* output);

}  // namespace kuiper_infer::kernel
