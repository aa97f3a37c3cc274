// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/quantization/quantize.cpp"
#include "kernel/quantization/quantize.hpp"

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/partial_vector-inl.hpp"
#include "kernel/quantization/grid-inl.hpp"
#include "utils/simd.hpp"
#include "utils/threads/parallel.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = GridVectors::Floats;
using Bytes = GridVectors::Bytes;
constexpr auto kLanes = static_cast<int64_t>(hn::MaxLanes(Floats()));

/// Calls whole(i) for each full vector of `count` elements, and part(i) for the remaining elements.
template <class Whole, class Part>
HWY_INLINE void ForVectors(int64_t count, const Whole& whole, const Part& part) {
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) whole(i);
  if (i < count) part(i);
}

}  // namespace

void RoundFloats(const QuantizationGrid& grid, int64_t count, const float* input, float* output) {
  const GridVectors vectors(grid);
  const PartialVector rest(count % kLanes);
  ForVectors(
      count,
      [&](int64_t i) HWY_ATTR { hn::StoreU(vectors.Rounded(hn::LoadU(Floats(), input + i)), Floats(), output + i); },
      [&](int64_t i) HWY_ATTR { rest.Store(vectors.Rounded(rest.Load(input + i)), output + i); });
}

void FloatsToBytes(const QuantizationGrid& grid, int64_t rows, int64_t count, const float* input, int64_t input_ld,
                   uint8_t* output, int64_t output_ld) {
  const GridVectors vectors(grid);
  const PartialVector rest(count % kLanes);
  const PartialLanes<Bytes> rest_bytes(count % kLanes);
  for (int64_t row = 0; row < rows; ++row, input += input_ld, output += output_ld) {
    ForVectors(
        count,
        [&](int64_t i) HWY_ATTR { hn::StoreU(vectors.ToBytes(hn::LoadU(Floats(), input + i)), Bytes(), output + i); },
        [&](int64_t i) HWY_ATTR { rest_bytes.Store(vectors.ToBytes(rest.Load(input + i)), output + i); });
  }
}

void BytesToFloats(const QuantizationGrid& grid, int64_t count, const uint8_t* input, float* output) {
  const GridVectors vectors(grid);
  const PartialVector rest(count % kLanes);
  const PartialLanes<Bytes> rest_bytes(count % kLanes);
  ForVectors(
      count,
      [&](int64_t i) HWY_ATTR { hn::StoreU(vectors.FromBytes(hn::LoadU(Bytes(), input + i)), Floats(), output + i); },
      [&](int64_t i) HWY_ATTR { rest.Store(vectors.FromBytes(rest_bytes.Load(input + i)), output + i); });
}

}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kuiper_infer::kernel {

KUIPER_SIMD_TABLE(RoundFloats);
KUIPER_SIMD_TABLE(FloatsToBytes);
KUIPER_SIMD_TABLE(BytesToFloats);

namespace {

/// Elements that are worth a thread.
constexpr int64_t kWorthThread = int64_t{16} << 10;

}  // namespace

void RoundToGrid(const QuantizationGrid& grid, int64_t count, const float* input, float* output) {
  ParallelFor(count, kWorthThread, [&](int64_t first, int64_t last) {
    KUIPER_SIMD(RoundFloats)(grid, last - first, input + first, output + first);
  });
}

void RoundToBytes(const QuantizationGrid& grid, int64_t count, const float* input, uint8_t* output) {
  ParallelFor(count, kWorthThread, [&](int64_t first, int64_t last) {
    KUIPER_SIMD(FloatsToBytes)(grid, 1, last - first, input + first, 0, output + first, 0);
  });
}

void RoundRowsToBytes(const QuantizationGrid& grid, int64_t rows, int64_t count, const float* input, int64_t input_ld,
                      uint8_t* output, int64_t output_ld) {
  KUIPER_SIMD(FloatsToBytes)(grid, rows, count, input, input_ld, output, output_ld);
}

void NumbersOfBytes(const QuantizationGrid& grid, int64_t count, const uint8_t* input, float* output) {
  ParallelFor(count, kWorthThread, [&](int64_t first, int64_t last) {
    KUIPER_SIMD(BytesToFloats)(grid, last - first, input + first, output + first);
  });
}

}  // namespace kuiper_infer::kernel
#endif
