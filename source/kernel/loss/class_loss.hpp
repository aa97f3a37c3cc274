// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "shape/axis_geometry.hpp"

namespace kuiper_infer::kernel {

struct NllOptions {
  int64_t ignore_index = -100;  ///< targets of this number do not count
  double label_smoothing = 0;   ///< share of the loss that is spread over all classes
};

/// The negative log likelihood of the target classes: losses[i] = -weight[t] log_probability[t]. `geometry` has the
/// classes as its axis; there is one target and one loss for each position of the other axes. `weight` (one number a
/// class) may be null. Returns the sum of the weights of the targets that count. Throws Error(kInput) on a target
/// outside [0, classes). For float and double.
template <class T>
double NllLoss(const NllOptions& options, const AxisGeometry& geometry, const T* log_probabilities,
               const int64_t* targets, const T* weight, T* losses);

/// Computes for each row of `classes` numbers the sum over all classes j but the target y of max(0, margin - x[y] +
/// x[j])^p, times weight[y] / classes. p is 1 or 2. Throws as NllLoss does.
template <class T>
void MultiMarginLoss(int64_t rows, int64_t classes, double p, double margin, const T* x, const int64_t* targets,
                     const T* weight, T* losses);

/// Computes the multi-label margin loss. Every row lists its target classes up to the first -1. The loss is the sum of
/// max(0, 1 - x[y] + x[j]) over all targets y and all other classes j, divided by `classes`.
template <class T>
void MultilabelMarginLoss(int64_t rows, int64_t classes, const T* x, const int64_t* targets, T* losses);

/// The loss of connectionist temporal classification (Graves et al. 2006): -log p(target | log_probabilities) by the
/// forward recursion. log_probabilities has one sequence: `steps` rows, `stride` elements apart. `scratch` holds 4 *
/// length + 2 doubles.
template <class T>
double CtcLoss(int64_t steps, int64_t stride, int64_t classes, int64_t blank, const T* log_probabilities,
               const int64_t* target, int64_t length, double* scratch);

}  // namespace kuiper_infer::kernel
