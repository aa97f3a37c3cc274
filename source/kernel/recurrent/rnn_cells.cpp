// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/recurrent/rnn_cells.cpp"
#include "kernel/recurrent/rnn_cells.hpp"

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/elementwise/vector_math.hpp"
#include "utils/simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

template <class T>
void UpdateLstm(int64_t size, const T* x, const T* s, T* cell, T* hidden) {
#pragma omp simd
  for (int64_t k = 0; k < size; ++k) {
    const T in = Sigmoid(x[k] + s[k]);
    const T forget = Sigmoid(x[size + k] + s[size + k]);
    const T candidate = Tanh(x[2 * size + k] + s[2 * size + k]);
    const T out = Sigmoid(x[3 * size + k] + s[3 * size + k]);
    const T next = forget * cell[k] + in * candidate;
    cell[k] = next;
    hidden[k] = out * Tanh(next);
  }
}

template <class T>
void UpdateGru(int64_t size, const T* x, const T* s, T*, T* hidden) {
#pragma omp simd
  for (int64_t k = 0; k < size; ++k) {
    const T reset = Sigmoid(x[k] + s[k]);
    const T update = Sigmoid(x[size + k] + s[size + k]);
    const T candidate = Tanh(x[2 * size + k] + reset * s[2 * size + k]);
    hidden[k] = candidate + update * (hidden[k] - candidate);
  }
}

template <class T>
void UpdateTanh(int64_t size, const T* x, const T* s, T*, T* hidden) {
#pragma omp simd
  for (int64_t k = 0; k < size; ++k) hidden[k] = Tanh(x[k] + s[k]);
}

template <class T>
void UpdateRelu(int64_t size, const T* x, const T* s, T*, T* hidden) {
#pragma omp simd
  for (int64_t k = 0; k < size; ++k) {
    const T sum = x[k] + s[k];
    hidden[k] = sum < T(0) ? T(0) : sum;
  }
}

template <class T>
void Update(RecurrentCell kind, int64_t size, const T* x, const T* s, T* cell, T* hidden) {
  switch (kind) {
    case RecurrentCell::kLstm:
      return UpdateLstm(size, x, s, cell, hidden);
    case RecurrentCell::kGru:
      return UpdateGru(size, x, s, cell, hidden);
    case RecurrentCell::kTanh:
      return UpdateTanh(size, x, s, cell, hidden);
    case RecurrentCell::kRelu:
      return UpdateRelu(size, x, s, cell, hidden);
  }
}

}  // namespace

void UpdateFloat(RecurrentCell kind, int64_t size, const float* x, const float* s, float* cell, float* hidden) {
  Update(kind, size, x, s, cell, hidden);
}

void UpdateDouble(RecurrentCell kind, int64_t size, const double* x, const double* s, double* cell, double* hidden) {
  Update(kind, size, x, s, cell, hidden);
}

}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kuiper_infer::kernel {

KUIPER_SIMD_TABLE(UpdateFloat);

void UpdateState(RecurrentCell kind, int64_t size, const float* x, const float* s, float* cell, float* hidden) {
  KUIPER_SIMD(UpdateFloat)(kind, size, x, s, cell, hidden);
}

// Double serves exactness, not speed.
void UpdateState(RecurrentCell kind, int64_t size, const double* x, const double* s, double* cell, double* hidden) {
  HWY_STATIC_DISPATCH(UpdateDouble)(kind, size, x, s, cell, hidden);
}

}  // namespace kuiper_infer::kernel
#endif
