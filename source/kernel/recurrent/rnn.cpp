// SPDX-License-Identifier: MIT
#include "kernel/recurrent/rnn.hpp"

#include <algorithm>
#include <type_traits>

#include "kernel/product/gemm.hpp"
#include "kernel/product/product.hpp"
#include "kernel/recurrent/rnn_cells.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

/// Computes c (m, n) = bias + a (m, k) * b^T with b (n, k), by `packed` if it is given.
template <class T>
void LinearRows(int64_t m, int64_t n, int64_t k, const T* a, const T* b, const PackedFactor& packed, const T* bias,
                T* c) {
  if constexpr (std::is_same_v<T, float>) {
    if (packed.data != nullptr) {
      Product product{m, n, k, {a, k}, packed, {c, n}};
      product.epilogue.bias = bias;
      return Multiply(product);
    }
  }
  if (bias != nullptr) {
    ParallelFor(m, GrainFor(n), [&](int64_t first, int64_t last) {
      for (int64_t row = first; row < last; ++row) std::copy_n(bias, n, c + row * n);
    });
  }
  Gemm(false, true, m, n, k, T(1), a, k, b, k, bias != nullptr ? T(1) : T(0), c, n);
}

}  // namespace

template <class T>
void RunRecurrent(const RecurrentGeometry& g, const RecurrentWeights<T>& weights, const T* input, T* output, T* hidden,
                  T* cell, T* workspace) {
  const int64_t size = g.hidden_size;
  const int64_t width = GateCount(g.cell) * size;
  const int64_t rows = g.steps * g.batch;
  const bool projects = weights.weight_hr != nullptr || weights.packed_hr.data != nullptr;
  T* input_gates = workspace;
  T* state_gates = input_gates + rows * width;
  T* unprojected = state_gates + g.batch * width;
  LinearRows(rows, width, g.input_size, input, weights.weight_ih, weights.packed_ih, weights.bias_ih, input_gates);
  for (int64_t step = 0; step < g.steps; ++step) {
    const int64_t t = g.reverse ? g.steps - 1 - step : step;
    LinearRows(g.batch, width, g.state_size, hidden, weights.weight_hh, weights.packed_hh, weights.bias_hh,
               state_gates);
    T* state = projects ? unprojected : hidden;
    ParallelFor(g.batch, GrainFor(width * 16), [&](int64_t first, int64_t last) {
      for (int64_t n = first; n < last; ++n) {
        UpdateState(g.cell, size, input_gates + (t * g.step_rows + n * g.batch_rows) * width, state_gates + n * width,
                    cell != nullptr ? cell + n * size : nullptr, state + n * size);
      }
    });
    if (projects) {
      LinearRows<T>(g.batch, g.state_size, size, unprojected, weights.weight_hr, weights.packed_hr, nullptr, hidden);
    }
    for (int64_t n = 0; n < g.batch; ++n) {
      std::copy_n(hidden + n * g.state_size, g.state_size,
                  output + (t * g.step_rows + n * g.batch_rows) * g.output_pitch);
    }
  }
}

int64_t GateCount(RecurrentCell cell) {
  switch (cell) {
    case RecurrentCell::kLstm:
      return 4;
    case RecurrentCell::kGru:
      return 3;
    default:
      return 1;
  }
}

int64_t RecurrentWorkspace(const RecurrentGeometry& geometry) {
  const int64_t gates = GateCount(geometry.cell) * geometry.hidden_size;
  return (geometry.steps + 1) * geometry.batch * gates + geometry.batch * geometry.hidden_size;
}

template void RunRecurrent<float>(const RecurrentGeometry&, const RecurrentWeights<float>&, const float*, float*,
                                  float*, float*, float*);
template void RunRecurrent<double>(const RecurrentGeometry&, const RecurrentWeights<double>&, const double*, double*,
                                   double*, double*, double*);

}  // namespace kuiper_infer::kernel
