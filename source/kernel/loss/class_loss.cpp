// SPDX-License-Identifier: MIT
#include "kernel/loss/class_loss.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer::kernel {
namespace {

void CheckClass(int64_t target, int64_t classes) {
  if (target < 0 || target >= classes) {
    throw Error(ErrorCode::kInput,
                "target " + std::to_string(target) + " is not a class, expected 0 to " + std::to_string(classes - 1));
  }
}

/// log(e^a + e^b)
double LogAdd(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return a + b;
  const double largest = std::max(a, b);
  return std::isinf(largest) ? largest : largest + std::log1p(std::exp(-std::abs(a - b)));
}

}  // namespace

template <class T>
double NllLoss(const NllOptions& options, const AxisGeometry& geometry, const T* log_probabilities,
               const int64_t* targets, const T* weight, T* losses) {
  double counted = 0;
  for (int64_t position = 0; position < geometry.outer * geometry.inner; ++position) {
    const int64_t target = targets[position];
    losses[position] = 0;
    if (target == options.ignore_index) continue;
    CheckClass(target, geometry.extent);
    const int64_t start = position / geometry.inner * geometry.extent * geometry.inner + position % geometry.inner;
    const auto term = [&](int64_t c) {
      const double scale = weight == nullptr ? 1 : static_cast<double>(weight[c]);
      return -scale * static_cast<double>(log_probabilities[start + c * geometry.inner]);
    };
    double loss = (1 - options.label_smoothing) * term(target);
    if (options.label_smoothing > 0) {
      double all = 0;
      for (int64_t c = 0; c < geometry.extent; ++c) all += term(c);
      loss += options.label_smoothing / static_cast<double>(geometry.extent) * all;
    }
    losses[position] = static_cast<T>(loss);
    counted += weight == nullptr ? 1 : static_cast<double>(weight[target]);
  }
  return counted;
}

template <class T>
void MultiMarginLoss(int64_t rows, int64_t classes, double p, double margin, const T* x, const int64_t* targets,
                     const T* weight, T* losses) {
  for (int64_t row = 0; row < rows; ++row, x += classes) {
    const int64_t target = targets[row];
    CheckClass(target, classes);
    double sum = 0;
    for (int64_t j = 0; j < classes; ++j) {
      const double gap = margin - static_cast<double>(x[target]) + static_cast<double>(x[j]);
      if (j != target && gap > 0) sum += p == 1 ? gap : gap * gap;
    }
    const double scale = weight == nullptr ? 1 : static_cast<double>(weight[target]);
    losses[row] = static_cast<T>(sum * scale / static_cast<double>(classes));
  }
}

template <class T>
void MultilabelMarginLoss(int64_t rows, int64_t classes, const T* x, const int64_t* targets, T* losses) {
  for (int64_t row = 0; row < rows; ++row, x += classes, targets += classes) {
    const int64_t* const end = std::find_if(targets, targets + classes, [](int64_t target) { return target < 0; });
    double sum = 0;
    for (const int64_t* target = targets; target != end; ++target) CheckClass(*target, classes);
    for (int64_t j = 0; j < classes; ++j) {
      if (std::find(targets, end, j) != end) continue;
      for (const int64_t* target = targets; target != end; ++target) {
        sum += std::max(0.0, 1 - static_cast<double>(x[*target]) + static_cast<double>(x[j]));
      }
    }
    losses[row] = static_cast<T>(sum / static_cast<double>(classes));
  }
}

template <class T>
double CtcLoss(int64_t steps, int64_t stride, int64_t classes, int64_t blank, const T* log_probabilities,
               const int64_t* target, int64_t length, double* scratch) {
  constexpr double kImpossible = -std::numeric_limits<double>::infinity();
  for (int64_t i = 0; i < length; ++i) CheckClass(target[i], classes);
  if (steps == 0) return length == 0 ? 0 : -kImpossible;
  // States alternate between blanks and labels. A state is entered from itself, from the state before, or, if the
  // labels differ, from two states before.
  const int64_t states = 2 * length + 1;
  double* alpha = scratch;
  double* next = scratch + states;
  const auto label = [&](int64_t state) { return state % 2 == 0 ? blank : target[state / 2]; };
  std::fill_n(alpha, states, kImpossible);
  alpha[0] = static_cast<double>(log_probabilities[blank]);
  if (length > 0) alpha[1] = static_cast<double>(log_probabilities[target[0]]);
  for (int64_t step = 1; step < steps; ++step) {
    const T* row = log_probabilities + step * stride;
    for (int64_t state = 0; state < states; ++state) {
      double sum = alpha[state];
      if (state > 0) sum = LogAdd(sum, alpha[state - 1]);
      if (state > 1 && state % 2 == 1 && label(state) != label(state - 2)) sum = LogAdd(sum, alpha[state - 2]);
      next[state] = sum + static_cast<double>(row[label(state)]);
    }
    std::swap(alpha, next);
  }
  return -(states > 1 ? LogAdd(alpha[states - 1], alpha[states - 2]) : alpha[0]);
}

#define KUIPER_INSTANTIATE(T)                                                                                 \
  template double NllLoss<T>(const NllOptions&, const AxisGeometry&, const T*, const int64_t*, const T*, T*); \
  template void MultiMarginLoss<T>(int64_t, int64_t, double, double, const T*, const int64_t*, const T*, T*); \
  template void MultilabelMarginLoss<T>(int64_t, int64_t, const T*, const int64_t*, T*);                      \
  template double CtcLoss<T>(int64_t, int64_t, int64_t, int64_t, const T*, const int64_t*, int64_t, double*);
KUIPER_INSTANTIATE(float)
KUIPER_INSTANTIATE(double)
#undef KUIPER_INSTANTIATE

}  // namespace kuiper_infer::kernel
