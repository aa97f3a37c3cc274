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
#include <type_traits>

#include <hwy/highway.h>

#include "kernel/reduction/reduce.hpp"
#include "utils/dispatch.hpp"
#include "utils/function_ref.hpp"
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

template <class From, class T>
void LoadRow(const void* row, int64_t stride, int64_t count, T* to) {
  const auto* from = static_cast<const From*>(row);
  if (stride == 1) {
    for (int64_t i = 0; i < count; ++i) to[i] = static_cast<T>(from[i]);
  } else {
    for (int64_t i = 0; i < count; ++i) to[i] = static_cast<T>(from[i * stride]);
  }
}

/// Reads elements as T, which is float, double or int64: reductions compute in these, and the other element types
/// differ only in how a row is loaded.
template <class T>
class RowReader {
 public:
  /// `input` holds elements that are T without loss: float or double for double, integers or bool for int64.
  explicit RowReader(const ConstArrayView& input)
      : data_(static_cast<const char*>(input.data)), element_bytes_(ElementBytes(input.type())) {
    DispatchReal(input.type(), [&](auto tag) {
      using From = typename decltype(tag)::type;
      if constexpr (std::is_floating_point_v<From> == std::is_floating_point_v<T> && sizeof(From) <= sizeof(T)) {
        load_ = LoadRow<From, T>;
        holds_t_ = std::is_same_v<From, T>;
      } else {
        FailDispatch(input.type());
      }
    });
  }

  /// Whether rows of that stride are read in place.
  bool InPlace(int64_t stride) const { return holds_t_ && stride == 1; }

  /// Returns `count` elements from `offset` on, `stride` apart (both in elements), side by side. They are read in place
  /// if possible, otherwise copied to `buffer`.
  const T* Read(int64_t offset, int64_t stride, int64_t count, T* buffer) const {
    const char* row = data_ + offset * element_bytes_;
    if (InPlace(stride)) return reinterpret_cast<const T*>(row);
    load_(row, stride, count, buffer);
    return buffer;
  }

 private:
  const char* data_;
  int64_t element_bytes_;
  void (*load_)(const void*, int64_t, int64_t, T*) = nullptr;
  bool holds_t_ = false;
};

/// The loops of every reduction. A functor says how one accumulates:
///     Accumulator Start() const;
///     void Add(Accumulator& into, T x, double shift, int64_t position) const;
///     void Merge(Accumulator& into, const Accumulator& other) const;
///     double Shift(int64_t output) const;    // handed to Add
/// `position` counts the reduced elements in the geometry's order. store(first, accumulators, count) takes the results
/// of `count` neighbouring outputs.
template <class T, class Functor>
class ReductionDriver {
 public:
  using Accumulator = decltype(std::declval<Functor>().Start());
  using Store = FunctionRef<void(int64_t first, const Accumulator* accumulators, int64_t count)>;

  ReductionDriver(const ReductionGeometry& geometry, const RowReader<T>& input, const Functor& functor,
                  const Store& store)
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
  /// Accumulators side by side, so that additions don't wait for each other and compilers can use vectors.
  static constexpr int64_t kLanes = 16;
  /// Neighbouring outputs that are reduced together if the reduced axis is not the innermost.
  static constexpr int64_t kBlock = 64;
  /// Elements of a row that are copied at once if the row cannot be read in place; a multiple of kLanes.
  static constexpr int64_t kBuffer = 256;

  /// The number of pieces into which rows are cut for the threads if there are few long rows. It does not depend on the
  /// number of threads, so that results don't either.
  static constexpr int64_t kPieces = 16;
  static constexpr int64_t kWorthPieces = 1 << 16;

  void ReduceInPieces(int64_t output) const {
    const double shift = functor_.Shift(output);
    const ReductionAxis axis = geometry_.reduced.front();
    const int64_t start = LocateAlong(geometry_.kept, geometry_.kept.size(), output);
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
    store_(output, parts, 1);
  }

  void ReduceRow(int64_t output) const {
    Accumulator lanes[kLanes];
    std::fill_n(lanes, kLanes, functor_.Start());
    const double shift = functor_.Shift(output);
    const int64_t start = LocateAlong(geometry_.kept, geometry_.kept.size(), output);
    const ReductionAxis run = geometry_.reduced.empty() ? ReductionAxis{1, 1} : geometry_.reduced.back();
    const std::size_t outer = geometry_.reduced.empty() ? 0 : geometry_.reduced.size() - 1;
    for (int64_t position = 0; position < geometry_.count; position += run.extent) {
      const int64_t row = start + LocateAlong(geometry_.reduced, outer, position / run.extent);
      AddRun(lanes, row, run.stride, run.extent, shift, position);
    }
    for (int64_t lane = 1; lane < kLanes; ++lane) functor_.Merge(lanes[0], lanes[lane]);
    store_(output, lanes, 1);
  }

  void AddRun(Accumulator* lanes, int64_t offset, int64_t stride, int64_t count, double shift, int64_t position) const {
    if (input_.InPlace(stride)) {
      return AddElements(lanes, input_.Read(offset, stride, count, nullptr), count, shift, position);
    }
    T buffer[kBuffer];
    for (int64_t i = 0; i < count; i += kBuffer) {
      const int64_t part = std::min(kBuffer, count - i);
      AddElements(lanes, input_.Read(offset + i * stride, stride, part, buffer), part, shift, position + i);
    }
  }

  HWY_NOINLINE void AddElements(Accumulator* lanes, const T* row, int64_t count, double shift, int64_t position) const {
    int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
#pragma omp simd
      for (int64_t lane = 0; lane < kLanes; ++lane) {
        functor_.Add(lanes[lane], row[i + lane], shift, position + i + lane);
      }
    }
    for (; i < count; ++i) functor_.Add(lanes[i % kLanes], row[i], shift, position + i);
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
        const int64_t start = LocateAlong(geometry_.kept, geometry_.kept.size() - 1, row) + column * columns.stride;
        ReduceBlock(row * columns.extent + column, std::min(kBlock, columns.extent - column), start, columns.stride);
      }
    });
  }

  void ReduceBlock(int64_t output, int64_t width, int64_t start, int64_t stride) const {
    Accumulator accumulators[kBlock];
    double shifts[kBlock];
    T buffer[kBlock];
    std::fill_n(accumulators, width, functor_.Start());
    for (int64_t i = 0; i < width; ++i) shifts[i] = functor_.Shift(output + i);
    for (int64_t position = 0; position < geometry_.count; ++position) {
      const int64_t offset = start + LocateAlong(geometry_.reduced, geometry_.reduced.size(), position);
      const T* row = input_.Read(offset, stride, width, buffer);
      for (int64_t i = 0; i < width; ++i) functor_.Add(accumulators[i], row[i], shifts[i], position);
    }
    store_(output, accumulators, width);
  }

  const ReductionGeometry& geometry_;
  const RowReader<T>& input_;
  const Functor& functor_;
  const Store& store_;
};

/// Reduces `input`, read as T, with `functor` and stores each result by store(output, accumulator).
template <class T, class Functor, class Store>
void DriveReduction(const ReductionGeometry& geometry, const RowReader<T>& input, const Functor& functor,
                    const Store& store) {
  using Driver = ReductionDriver<T, Functor>;
  const auto store_run = [&store](int64_t first, const typename Driver::Accumulator* accumulators, int64_t count) {
    for (int64_t i = 0; i < count; ++i) store(first + i, accumulators[i]);
  };
  const typename Driver::Store store_ref(store_run);
  Driver(geometry, input, functor, store_ref).Run();
}

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
