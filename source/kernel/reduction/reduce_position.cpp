// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/reduction/reduce_position.cpp"
#include <algorithm>
#include <cstring>

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/reduction/reduce.hpp"
#include "kernel/reduction/reduce_driver-inl.hpp"
#include "kernel/reduction/reduce_functors.hpp"
#include "utils/dispatch.hpp"
#include "utils/simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// Stores positions, and with them copies of the elements that lie there.
class PositionStore {
 public:
  PositionStore(const ReductionGeometry& geometry, const ConstArrayView& input, void* values, int64_t* positions)
      : geometry_(geometry),
        input_(static_cast<const char*>(input.data)),
        element_bytes_(ElementBytes(input.type())),
        values_(static_cast<char*>(values)),
        positions_(positions) {}

  void operator()(int64_t output, int64_t position) const {
    positions_[output] = position;
    if (values_ == nullptr) return;
    const int64_t offset = LocateAlong(geometry_.kept, geometry_.kept.size(), output) +
                           LocateAlong(geometry_.reduced, geometry_.reduced.size(), position);
    std::memcpy(values_ + output * element_bytes_, input_ + offset * element_bytes_,
                static_cast<std::size_t>(element_bytes_));
  }

 private:
  const ReductionGeometry& geometry_;
  const char* input_;
  int64_t element_bytes_;
  char* values_;
  int64_t* positions_;
};

/// The position of the first element of a contiguous row that equals `best` or, if `best` is NaN, is NaN.
template <class T>
int64_t FindFirst(const RowReader<T>& input, int64_t offset, int64_t count, T best) {
  constexpr int64_t kBlock = 64;  // compared as a whole, by vector instructions
  T buffer[kBlock];
  const bool nan = IsNan(best);
  for (int64_t i = 0; i < count; i += kBlock) {
    const int64_t width = std::min(kBlock, count - i);
    const auto* row = static_cast<const T*>(input.Read(offset + i, 1, width, buffer));
    int found = 0;
    for (int64_t k = 0; k < width; ++k) found += row[k] == best || (nan && IsNan(row[k])) ? 1 : 0;
    if (found == 0) continue;
    for (int64_t k = 0; k < width; ++k) {
      if (row[k] == best || (nan && IsNan(row[k]))) return i + k;
    }
  }
  return count;
}

/// Contiguous rows stay in the cache between two fast passes: the extreme first, then its place.
template <bool kLargest, class T>
void FindPositions(const ReductionGeometry& geometry, const RowReader<T>& input, const PositionStore& store) {
  if (geometry.reduced.size() == 1 && geometry.reduced.front().stride == 1) {
    DriveReduction(geometry, input, ExtremeOf<T, kLargest>(), [&](int64_t i, const T& best) {
      const int64_t row = LocateAlong(geometry.kept, geometry.kept.size(), i);
      store(i, FindFirst(input, row, geometry.count, best));
    });
  } else {
    DriveReduction(geometry, input, PositionOf<T, kLargest>(),
                   [&](int64_t i, const auto& best) { store(i, best.position); });
  }
}

template <class T>
void FindPositions(bool largest, const ReductionGeometry& geometry, const ConstArrayView& input,
                   const PositionStore& store) {
  const RowReader<T> reader(input);
  if (largest) {
    FindPositions<true>(geometry, reader, store);
  } else {
    FindPositions<false>(geometry, reader, store);
  }
}

}  // namespace

void ReduceToPosition(bool largest, const ReductionGeometry& geometry, const ConstArrayView& input, void* values,
                      int64_t* positions) {
  const PositionStore store(geometry, input, values, positions);
  if (input.type() == RuntimeDataType::kTypeFloat32) {
    FindPositions<float>(largest, geometry, input, store);
  } else if (input.type() == RuntimeDataType::kTypeFloat64) {
    FindPositions<double>(largest, geometry, input, store);
  } else {
    FindPositions<int64_t>(largest, geometry, input, store);
  }
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
