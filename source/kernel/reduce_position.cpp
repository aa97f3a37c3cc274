// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/reduce_position.cpp"
#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/reduce.hpp"
#include "kernel/reduce_driver-inl.hpp"
#include "kernel/reduce_functors.hpp"
#include "utils/dispatch.hpp"
#include "utils/simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// The position of the first of `count` elements that `matches`.
template <class T, class Matches>
int64_t FindFirst(const T* row, int64_t count, const Matches& matches) {
  constexpr int64_t kBlock = 64;  // tested as a whole, by vector instructions
  int64_t i = 0;
  for (; i + kBlock <= count; i += kBlock) {
    int found = 0;
    for (int64_t k = 0; k < kBlock; ++k) found += matches(row[i + k]) ? 1 : 0;
    if (found != 0) break;
  }
  while (i < count && !matches(row[i])) ++i;
  return i;
}

template <class T>
int64_t FirstEqual(const T* row, int64_t count, T best) {
  if (IsNan(best)) return FindFirst(row, count, [](T x) { return IsNan(x); });
  return FindFirst(row, count, [best](T x) { return x == best; });
}

/// Contiguous rows stay in the cache between two fast passes: the extreme first, then its place.
template <bool kLargest, class T>
void FindInRows(const ReductionGeometry& geometry, const T* input, T* values, int64_t* positions) {
  const int64_t count = geometry.count;
  DriveReduction(geometry, input, ExtremeOf<T, kLargest>(), [=, &geometry](int64_t i, const T& best) {
    const T* row = input + LocateAlong(geometry.kept, geometry.kept.size(), i);
    positions[i] = FirstEqual(row, count, best);
    if (values != nullptr) values[i] = best;
  });
}

template <bool kLargest, class T>
void FindPositions(const ReductionGeometry& geometry, const T* input, T* values, int64_t* positions) {
  const bool rows = geometry.reduced.size() == 1 && geometry.reduced.front().stride == 1;
  if (rows) return FindInRows<kLargest>(geometry, input, values, positions);
  DriveReduction(geometry, input, PositionOf<T, kLargest>(), [=](int64_t i, const auto& best) {
    positions[i] = best.position;
    if (values != nullptr) values[i] = best.value;
  });
}

}  // namespace

void ReduceToPosition(bool largest, const ReductionGeometry& geometry, const ConstArrayView& input, void* values,
                      int64_t* positions) {
  DispatchReal(input.type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if (largest) {
      FindPositions<true>(geometry, input.as<T>(), static_cast<T*>(values), positions);
    } else {
      FindPositions<false>(geometry, input.as<T>(), static_cast<T*>(values), positions);
    }
  });
}

}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kuiper_infer::kernel {

KUIPER_SIMD_TABLE(ReduceToPosition);

void ReduceToPosition(bool largest, const ReductionGeometry& geometry, const ConstArrayView& input, void* values,
                      int64_t* positions) {
  KUIPER_SIMD(ReduceToPosition)(largest, geometry, input, values, positions);
}

}  // namespace kuiper_infer::kernel
#endif
