// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "kernel/axis_geometry.hpp"

namespace kuiper_infer::kernel {

/// Rows that are normalised one by one, each of `channels` times `inner` elements. Channel c of row r has its own
/// weight and bias, number (r mod groups) * channels + c. Layer and RMS normalisation: groups = 1, inner = 1; group
/// normalisation: a row for each image and group; instance normalisation: channels = 1.
struct NormalizationGeometry {
  int64_t rows = 1;
  int64_t groups = 1;
  int64_t channels = 1;
  int64_t inner = 1;
};

/// What is divided by.
enum class NormalizationKind {
  kVariance,        ///< (x - mean) / sqrt(variance + eps), variance without Bessel's correction
  kRootMeanSquare,  ///< x / sqrt(mean of squares + eps)
};

/// Normalises each row by its own statistics, kept in double, then multiplies by `weight` and adds `bias` (groups *
/// channels elements each, or null). Row-major without gaps; `output` may be `input`. Instantiated for float and
/// double.
template <class T>
void NormalizeRows(NormalizationKind kind, const NormalizationGeometry& geometry, double eps, const T* input,
                   const T* weight, const T* bias, T* output);

/// Folds known statistics into one multiplication and addition a channel: scale = weight / sqrt(variance + eps),
/// shift = bias - mean * scale. `weight` and `bias` may be null (1 and 0).
template <class T>
void FoldStatistics(int64_t channels, double eps, const T* mean, const T* variance, const T* weight, const T* bias,
                    T* scale, T* shift);

/// output = input * scale[c] + shift[c], c being the index along the middle axis. `output` may be `input`.
template <class T>
void ScaleShift(const AxisGeometry& geometry, const T* input, const T* scale, const T* shift, T* output);

/// Parameters of LocalResponseNorm, as PyTorch names them.
struct LocalResponse {
  int64_t size = 1;
  double alpha = 1e-4;
  double beta = 0.75;
  double k = 1;
};

/// output = input / (k + alpha * m)^beta, m being the sum of squares over a window of `size` neighbours along the
/// middle axis, which reaches size / 2 down and (size - 1) / 2 up, divided by size; zero outside. `output` must not be
/// `input`.
template <class T>
void LocalResponseNormalize(const LocalResponse& parameters, const AxisGeometry& geometry, const T* input, T* output);

/// output = input / max(norm, eps), norm being the p-norm along the middle axis: p may be 0 (count of non-zeros) and
/// +-infinity (largest or smallest magnitude). `output` may be `input`.
template <class T>
void NormalizeLines(double p, double eps, const AxisGeometry& geometry, const T* input, T* output);

}  // namespace kuiper_infer::kernel
