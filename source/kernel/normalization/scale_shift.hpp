// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "shape/axis_geometry.hpp"

namespace kuiper_infer::kernel {

/// Folds known statistics into one multiplication and addition a channel: scale = weight / sqrt(variance + eps),
/// shift = bias - mean * scale. `weight` and `bias` may be null (1 and 0).
template <class T>
void FoldStatistics(int64_t channels, double eps, const T* mean, const T* variance, const T* weight, const T* bias,
                    T* scale, T* shift);

/// Computes output = input * scale[c] + shift[c], c being the index along the middle axis. `output` may be `input`.
template <class T>
void ScaleShift(const AxisGeometry& geometry, const T* input, const T* scale, const T* shift, T* output);

}  // namespace kuiper_infer::kernel
