// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_REDUCE_DRIVER_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_REDUCE_DRIVER_INL_HPP_
#undef KUIPER_KERNEL_REDUCE_DRIVER_INL_HPP_
#else
#define KUIPER_KERNEL_REDUCE_DRIVER_INL_HPP_
#endif

#include <algorithm>
#include <cstdlib>

#include <hwy/highway.h>

#include "kernel/reduce.hpp"
#include "utils/parallel.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// The element offset of the index-th combination of positions along the first `count` axes, row-major.
inline int64_t LocateAlong(const std::vector<ReductionAxis>& axes, std::size_t count, int64_t index) {
  int64_t offset = 0;
  for (std::size_t i = count; i-- > 0;) {
    offset += index % axes[i].extent * axes[i].stride;
    index /= axes[i].extent;
  }
  return offset;
}

/// The loops of every reduction. A functor says how one accumulates:
///     Accumulator Start() const;
///     void Add(Accumulator& into, T x, double shift, int64_t position) const;
///     void Merge(Accumulator& into, const Accumulator& other) const;
///     double Shift(int64_t output) const;    // handed to Add
/// `position` counts the reduced elements in the geometry's order. store(output, accumulator) takes each result.
template <class T, class Functor, class Store>
class ReductionDriver {
 public:
  ReductionDriver(const ReductionGeometry& geometry, const T* input, const Functor& functor, const Store& store)
      : geometry_(geometry), input_(input), functor_(functor), store_(store) {}

  void Run() const {
    if (geometry_.outputs == 0) return;
    const bool columns = !geometry_.kept.empty() && geometry_.kept.back().extent > 1 && geometry_.count > 0 &&
                         (geometry_.reduced.empty() ||
                          std::abs(geometry_.kept.back().stride) < std::abs(geometry_.reduced.back().stride));
    if (columns) {
      RunColumns();
    } else if (geometry_.outputs < kPieces && geometry_.reduced.size() == 1 && geometry_.count >= kWorthPieces) {
      for (int64_t output = 0; output < geometry_.outputs; ++output) ReduceInPieces(output);
    } else {
      ParallelFor(geometry_.outputs, GrainFor(geometry_.count), [this](int64_t first, int64_t last) {
        for (int64_t output = first; output < last; ++output) ReduceRow(output);
      });
    }
  }

 private:
  using Accumulator = decltype(std::declval<Functor>().Start());

  /// Accumulators side by side, so that additions don't wait for each other and compilers can use vectors.
  static constexpr int64_t kLanes = 16;
  /// Neighbouring outputs that are reduced together where the reduced axis is not the innermost.
  static constexpr int64_t kBlock = 64;

  /// Few long rows are cut into pieces for the threads; their number does not depend on the threads', so that results
  /// don't either.
  static constexpr int64_t kPieces = 16;
  static constexpr int64_t kWorthPieces = 1 << 16;

  void ReduceInPieces(int64_t output) const {
    const double shift = functor_.Shift(output);
    const ReductionAxis axis = geometry_.reduced.front();
    const T* start = input_ + LocateAlong(geometry_.kept, geometry_.kept.size(), output);
    Accumulator parts[kPieces];
    ParallelFor(kPieces, 1, [&](int64_t first_piece, int64_t last_piece) {
      for (int64_t piece = first_piece; piece < last_piece; ++piece) {
        const int64_t first = axis.extent * piece / kPieces;
        const int64_t count = axis.extent * (piece + 1) / kPieces - first;
        Accumulator lanes[kLanes];
        std::fill_n(lanes, kLanes, functor_.Start());
        AddRun(lanes, start + first * axis.stride, axis.stride, count, shift, first);
        for (int64_t lane = 1; lane < kLanes; ++lane) functor_.Merge(lanes[0], lanes[lane]);
        parts[piece] = lanes[0];
      }
    });
    for (int64_t piece = 1; piece < kPieces; ++piece) functor_.Merge(parts[0], parts[piece]);
    store_(output, parts[0]);
  }

  void ReduceRow(int64_t output) const {
    Accumulator lanes[kLanes];
    std::fill_n(lanes, kLanes, functor_.Start());
    const double shift = functor_.Shift(output);
    const T* start = input_ + LocateAlong(geometry_.kept, geometry_.kept.size(), output);
    const ReductionAxis run = geometry_.reduced.empty() ? ReductionAxis{1, 1} : geometry_.reduced.back();
    const std::size_t outer = geometry_.reduced.empty() ? 0 : geometry_.reduced.size() - 1;
    for (int64_t position = 0; position < geometry_.count; position += run.extent) {
      const T* row = start + LocateAlong(geometry_.reduced, outer, position / run.extent);
      AddRun(lanes, row, run.stride, run.extent, shift, position);
    }
    for (int64_t lane = 1; lane < kLanes; ++lane) functor_.Merge(lanes[0], lanes[lane]);
    store_(output, lanes[0]);
  }

  void AddRun(Accumulator* lanes, const T* row, int64_t stride, int64_t count, double shift, int64_t position) const {
    if (stride == 1) {
      AddElements<true>(lanes, row, 1, count, shift, position);
    } else {
      AddElements<false>(lanes, row, stride, count, shift, position);
    }
  }

  template <bool kContiguous>
  void AddElements(Accumulator* lanes, const T* row, int64_t stride, int64_t count, double shift,
                   int64_t position) const {
    if constexpr (kContiguous) stride = 1;
    int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
#pragma omp simd
      for (int64_t lane = 0; lane < kLanes; ++lane) {
        functor_.Add(lanes[lane], row[(i + lane) * stride], shift, position + i + lane);
      }
    }
    for (; i < count; ++i) functor_.Add(lanes[i % kLanes], row[i * stride], shift, position + i);
  }

  void RunColumns() const {
    const ReductionAxis columns = geometry_.kept.back();
    const int64_t blocks = (columns.extent + kBlock - 1) / kBlock;
    const int64_t rows = geometry_.outputs / columns.extent;
    const int64_t cost = geometry_.count * std::min(kBlock, columns.extent);
    ParallelFor(rows * blocks, GrainFor(cost), [&](int64_t first, int64_t last) {
      for (int64_t block = first; block < last; ++block) {
        const int64_t column = block % blocks * kBlock;
        const int64_t row = block / blocks;
        const T* start = input_ + LocateAlong(geometry_.kept, geometry_.kept.size() - 1, row) + column * columns.stride;
        ReduceBlock(row * columns.extent + column, std::min(kBlock, columns.extent - column), start, columns.stride);
      }
    });
  }

  void ReduceBlock(int64_t output, int64_t width, const T* start, int64_t stride) const {
    Accumulator accumulators[kBlock];
    double shifts[kBlock];
    std::fill_n(accumulators, width, functor_.Start());
    for (int64_t i = 0; i < width; ++i) shifts[i] = functor_.Shift(output + i);
    for (int64_t position = 0; position < geometry_.count; ++position) {
      const T* row = start + LocateAlong(geometry_.reduced, geometry_.reduced.size(), position);
      if (stride == 1) {
        for (int64_t i = 0; i < width; ++i) functor_.Add(accumulators[i], row[i], shifts[i], position);
      } else {
        for (int64_t i = 0; i < width; ++i) functor_.Add(accumulators[i], row[i * stride], shifts[i], position);
      }
    }
    for (int64_t i = 0; i < width; ++i) store_(output + i, accumulators[i]);
  }

  const ReductionGeometry& geometry_;
  const T* input_;
  const Functor& functor_;
  const Store& store_;
};

template <class T, class Functor, class Store>
void DriveReduction(const ReductionGeometry& geometry, const T* input, const Functor& functor, const Store& store) {
  ReductionDriver<T, Functor, Store>(geometry, input, functor, store).Run();
}

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
