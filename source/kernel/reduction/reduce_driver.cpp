// SPDX-License-Identifier: MIT
#include "kernel/reduction/reduce_driver.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>

#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

/// Neighbouring outputs that are reduced together if the reduced axis is not the innermost.
constexpr int64_t kBlock = 64;
/// Elements of a row that are copied at once if the row cannot be read in place; a multiple of kReductionLanes.
constexpr int64_t kBuffer = 256;

/// The number of pieces into which rows are cut for the threads if there are few long rows. It does not depend on the
/// number of threads, so that results don't either.
constexpr int64_t kPieces = 16;
constexpr int64_t kWorthPieces = 1 << 16;

/// Memory for some accumulators, or values.
template <int64_t kCount, int64_t kBytes>
struct alignas(64) Space {
  std::byte bytes[kCount * kBytes];
};
using Lanes = Space<kReductionLanes, kMostAccumulatorBytes>;

double ShiftOf(const ReductionTask& task, int64_t output) { return task.shifts == nullptr ? 0 : task.shifts[output]; }

/// The number of accumulators that a run of elements uses.
int64_t LanesOf(const ReductionAxis& run) { return std::clamp<int64_t>(run.extent, 1, kReductionLanes); }

/// Adds the elements of a run, which begins with element `offset`, to an output's accumulators.
void AddRun(const ReductionTask& task, int64_t offset, const ReductionAxis& run, double shift, int64_t position,
            Lanes& lanes) {
  Space<kBuffer, kMostValueBytes> buffer;
  const int64_t whole = task.input.InPlace(run.stride) ? std::max<int64_t>(run.extent, 1) : kBuffer;
  for (int64_t i = 0; i < run.extent; i += whole) {
    const int64_t part = std::min(whole, run.extent - i);
    const void* values = task.input.Read(offset + i * run.stride, run.stride, part, &buffer);
    task.loops.add_row(task.functor, {values, part, shift, position + i, LanesOf(run), false, false}, &lanes);
  }
}

/// Reduces a single run.
void ReduceRun(const ReductionTask& task, int64_t offset, const ReductionAxis& run, double shift, int64_t position,
               Lanes& lanes) {
  const int64_t used = LanesOf(run);
  if (task.input.InPlace(run.stride)) {
    const void* values = task.input.Read(offset, run.stride, run.extent, nullptr);
    return task.loops.add_row(task.functor, {values, run.extent, shift, position, used, true, true}, &lanes);
  }
  task.loops.add_row(task.functor, {nullptr, 0, shift, position, used, true, false}, &lanes);
  AddRun(task, offset, run, shift, position, lanes);
  task.loops.merge(task.functor, used, &lanes);
}

void ReduceInPieces(const ReductionTask& task, int64_t output) {
  const double shift = ShiftOf(task, output);
  const ReductionAxis axis = task.geometry.reduced.front();
  const int64_t start = LocateAlong(task.geometry.kept, task.geometry.kept.size(), output);
  const int64_t bytes = task.loops.accumulator_bytes;
  Space<kPieces, kMostAccumulatorBytes> parts;
  ParallelFor(kPieces, 1, [&](int64_t first_piece, int64_t last_piece) {
    for (int64_t piece = first_piece; piece < last_piece; ++piece) {
      const int64_t first = axis.extent * piece / kPieces;
      const int64_t count = axis.extent * (piece + 1) / kPieces - first;
      Lanes lanes;
      ReduceRun(task, start + first * axis.stride, {count, axis.stride}, shift, first, lanes);
      std::copy_n(lanes.bytes, bytes, parts.bytes + piece * bytes);
    }
  });
  task.loops.merge(task.functor, kPieces, &parts);
  task.store(output, &parts, 1);
}

void ReduceRow(const ReductionTask& task, int64_t output) {
  const ReductionGeometry& geometry = task.geometry;
  Lanes lanes;
  const double shift = ShiftOf(task, output);
  const int64_t start = LocateAlong(geometry.kept, geometry.kept.size(), output);
  const ReductionAxis run = geometry.reduced.empty() ? ReductionAxis{1, 1} : geometry.reduced.back();
  if (run.extent == geometry.count) {
    ReduceRun(task, start, run, shift, 0, lanes);
  } else {
    task.loops.add_row(task.functor, {nullptr, 0, shift, 0, LanesOf(run), true, false}, &lanes);
    for (int64_t position = 0; position < geometry.count; position += run.extent) {
      const int64_t row = start + LocateAlong(geometry.reduced, geometry.reduced.size() - 1, position / run.extent);
      AddRun(task, row, run, shift, position, lanes);
    }
    task.loops.merge(task.functor, LanesOf(run), &lanes);
  }
  task.store(output, &lanes, 1);
}

/// Reduces `width` outputs from `output` on, whose first elements lie from `start` on, `stride` apart.
void ReduceBlock(const ReductionTask& task, int64_t output, int64_t width, int64_t start, int64_t stride) {
  const ReductionGeometry& geometry = task.geometry;
  const ReductionInput& input = task.input;
  Space<kBlock, kMostAccumulatorBytes> accumulators;
  Space<kBlock, kMostValueBytes> buffer;
  static constexpr double kNoShifts[kBlock] = {};
  const double* const shifts = task.shifts == nullptr ? kNoShifts : task.shifts + output;
  const ReductionAxis run = geometry.reduced.empty() ? ReductionAxis{1, 1} : geometry.reduced.back();
  const std::size_t outer = geometry.reduced.empty() ? 0 : geometry.reduced.size() - 1;
  const int64_t rows = input.InPlace(stride) ? run.extent : 1;  // rows that are added at once
  for (int64_t position = 0; position < geometry.count; position += rows) {
    const int64_t offset =
        start + LocateAlong(geometry.reduced, outer, position / run.extent) + position % run.extent * run.stride;
    const void* const values = input.Read(offset, stride, width, &buffer);
    const ReductionColumns columns{values, run.stride * input.element_bytes, rows, width, shifts, position};
    task.loops.add_columns(task.functor, columns, &accumulators);
  }
  task.store(output, &accumulators, width);
}

void ReduceColumns(const ReductionTask& task) {
  const ReductionGeometry& geometry = task.geometry;
  const ReductionAxis columns = geometry.kept.back();
  const int64_t blocks = (columns.extent + kBlock - 1) / kBlock;
  const int64_t rows = geometry.outputs / columns.extent;
  const int64_t cost = geometry.count * std::min(kBlock, columns.extent);
  ParallelFor(rows * blocks, GrainFor(cost), [&](int64_t first, int64_t last) {
    for (int64_t block = first; block < last; ++block) {
      const int64_t column = block % blocks * kBlock;
      const int64_t row = block / blocks;
      const int64_t start = LocateAlong(geometry.kept, geometry.kept.size() - 1, row) + column * columns.stride;
      ReduceBlock(task, row * columns.extent + column, std::min(kBlock, columns.extent - column), start,
                  columns.stride);
    }
  });
}

}  // namespace

void RunReduction(const ReductionTask& task) {
  const ReductionGeometry& geometry = task.geometry;
  if (geometry.outputs == 0) return;
  const bool columns =
      !geometry.kept.empty() && geometry.kept.back().extent > 1 && geometry.count > 0 &&
      (geometry.reduced.empty() || std::abs(geometry.kept.back().stride) < std::abs(geometry.reduced.back().stride));
  if (columns) return ReduceColumns(task);
  if (geometry.outputs < kPieces && geometry.reduced.size() == 1 && geometry.count >= kWorthPieces) {
    for (int64_t output = 0; output < geometry.outputs; ++output) ReduceInPieces(task, output);
    return;
  }
  ParallelFor(geometry.outputs, GrainFor(geometry.count), [&](int64_t first, int64_t last) {
    for (int64_t output = first; output < last; ++output) ReduceRow(task, output);
  });
}

}  // namespace kuiper_infer::kernel
