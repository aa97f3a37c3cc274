// SPDX-License-Identifier: MIT
#include "kernel/convolution/convolution.hpp"

#include <algorithm>
#include <numeric>
#include <type_traits>

#include "kernel/convolution/channelwise/planar_depthwise.hpp"
#include "kernel/convolution/im2col.hpp"
#include "kernel/product/gemm.hpp"
#include "kernel/product/packed_gemm.hpp"
#include "utils/rounding.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

using Method = ConvolutionSchedule::Method;

/// The bytes of a tile of the window matrix that stays in the second-level cache until the product has read it.
constexpr int64_t kTileBytes = 1 << 20;
/// The bound for windows so large that kLeastTile of them exceed kTileBytes.
constexpr int64_t kMostTileBytes = 8 << 20;
/// The number of columns below which a product wastes its work on packing the weights again.
constexpr int64_t kLeastTile = 64;
constexpr int64_t kTileMultiple = 32;
/// Multiply-adds below which starting threads costs more than it saves.
constexpr double kWorthThreads = 32 * 1024;

/// Returns whether `rows` rows, `pitch` bytes apart, conflict in the sets of the first-level cache, so that a tile's
/// part of them would not stay there. The lowest bits of a line's number choose its set.
bool SharesSets(int64_t pitch, int64_t rows) {
  constexpr int64_t kSets = 64;
  constexpr int64_t kWays = 8;
  const int64_t lines = pitch / kCacheLine;
  if (pitch % kCacheLine != 0 || lines == 0) return false;
  return rows > kSets / std::gcd(lines, kSets) * kWays / 2;
}

/// Returns the largest tile of a matrix with `rows` rows that takes at most kTileBytes, but at least kLeastTile if
/// kMostTileBytes allow it, and at most all positions.
int64_t LargestTile(int64_t rows, int64_t element_bytes, int64_t positions) {
  const int64_t column_bytes = std::max<int64_t>(rows * element_bytes, 1);
  const int64_t cached = kTileBytes / column_bytes / kTileMultiple * kTileMultiple;
  const int64_t least = std::min(kLeastTile, kMostTileBytes / column_bytes);
  return std::max<int64_t>(1, std::min(std::max(cached, least), positions));
}

/// Sets workers and tiles for `items` products over all positions each: enough pieces of equal size for the threads. If
/// pieces would become too narrow, there is one piece at a time, and the threads share its product.
void CutPositions(ConvolutionSchedule& schedule, int64_t items, int64_t positions, double multiply_adds, int threads) {
  const int64_t total = items * positions;
  if (threads <= 1 || multiply_adds < kWorthThreads || total < threads * kLeastTile) return;
  int64_t tiles = DivideUp(positions, schedule.tile);
  const int64_t most_tiles = std::max(tiles, positions / kLeastTile);
  const int64_t wanted = tiles;
  while (items * tiles % threads != 0 && tiles < most_tiles && tiles < wanted + threads) ++tiles;
  if (items * tiles < threads) return;
  schedule.workers = threads;
  schedule.tile = std::min(positions, RoundUp(DivideUp(positions, tiles), kTileMultiple));
}

void SetWorkspace(ConvolutionSchedule& schedule, int64_t worker_bytes) {
  schedule.worker_bytes = AlignedBytes(worker_bytes);
  schedule.workspace_bytes = schedule.workers * schedule.worker_bytes;
}

template <class T>
T* WorkerMemory(const ConvolutionSchedule& schedule, std::byte* workspace, int64_t worker) {
  return reinterpret_cast<T*>(workspace + worker * schedule.worker_bytes);
}

template <class T>
void DepthwiseConvolution(const ConvolutionGeometry& geometry, const ConvolutionSchedule& schedule, const T* input,
                          const ConvolutionWeight<T>& weight, const Activation& activation, T* output,
                          std::byte* workspace) {
  const WindowGrid& grid = geometry.grid;
  const int64_t outputs = geometry.channels_out;
  const int64_t multiplier = outputs / geometry.groups;
  ParallelItems(geometry.batch * outputs, schedule.workers, [&](int64_t worker, int64_t plane) {
    const int64_t o = plane % outputs;
    const int64_t source = plane / outputs * geometry.channels_in + o / multiplier;
    T* target = output + plane * grid.position_count();
    DepthwisePlane(grid, input + source * grid.image_size(), weight.plain + o * grid.taps(),
                   weight.bias != nullptr ? weight.bias[o] : T(0), target,
                   WorkerMemory<T>(schedule, workspace, worker));
    activation.Apply(target, grid.position_count());
  });
}

}  // namespace

double ConvolutionGeometry::multiply_adds() const {
  return static_cast<double>(batch) * channels_in * channels_out / groups * grid.position_count() * grid.taps();
}

ConvolutionSchedule ScheduleConvolution(const ConvolutionGeometry& geometry, int64_t element_bytes, int threads) {
  ConvolutionSchedule schedule;
  const WindowGrid& grid = geometry.grid;
  if (geometry.groups > 1 && geometry.groups == geometry.channels_in) {
    schedule.method = Method::kDepthwise;
    schedule.workers = geometry.multiply_adds() < kWorthThreads ? 1 : std::max(threads, 1);
    SetWorkspace(schedule, PaddedPlaneSize(grid) * element_bytes);
    return schedule;
  }
  const int64_t rows = geometry.channels_in / geometry.groups * grid.taps();
  const bool pointwise = grid.pointwise();
  const int64_t positions = grid.position_count();
  const bool in_place = pointwise && !SharesSets(positions * element_bytes, rows);
  schedule.method = in_place ? Method::kPointwise : Method::kColumns;
  schedule.tile = in_place ? std::max<int64_t>(positions, 1) : LargestTile(rows, element_bytes, positions);
  CutPositions(schedule, geometry.batch * geometry.groups, positions, geometry.multiply_adds(), threads);
  if (!in_place) SetWorkspace(schedule, rows * schedule.tile * element_bytes);
  return schedule;
}

ConvolutionSchedule ScheduleTransposedConvolution(const ConvolutionGeometry& geometry, int64_t element_bytes,
                                                  int threads) {
  ConvolutionSchedule schedule;
  const int64_t rows = geometry.channels_out / geometry.groups * geometry.grid.taps();
  const int64_t items = geometry.batch * geometry.groups;
  schedule.tile = LargestTile(rows, element_bytes, geometry.grid.position_count());
  // Tiles of one image overlap in the output, so that only whole (image, group) items run side by side.
  if (items >= threads && geometry.multiply_adds() >= kWorthThreads) schedule.workers = std::max(threads, 1);
  SetWorkspace(schedule, rows * schedule.tile * element_bytes);
  return schedule;
}

template <class T>
void Convolution(const ConvolutionGeometry& geometry, const ConvolutionSchedule& schedule, const T* input,
                 const ConvolutionWeight<T>& weight, const Activation& activation, T* output, std::byte* workspace) {
  if (schedule.method == Method::kDepthwise) {
    DepthwiseConvolution(geometry, schedule, input, weight, activation, output, workspace);
    return;
  }
  const WindowGrid& grid = geometry.grid;
  const int64_t group_in = geometry.channels_in / geometry.groups;
  const int64_t group_out = geometry.channels_out / geometry.groups;
  const int64_t rows = group_in * grid.taps();
  const int64_t positions = grid.position_count();
  const int64_t tiles = DivideUp(positions, schedule.tile);
  ParallelItems(geometry.batch * geometry.groups * tiles, schedule.workers, [&](int64_t worker, int64_t item) {
    const int64_t image_group = item / tiles;
    const int64_t group = image_group % geometry.groups;
    const int64_t first = item % tiles * schedule.tile;
    const int64_t last = std::min(positions, first + schedule.tile);
    const T* image = input + image_group * group_in * grid.image_size();
    T* result = output + image_group * group_out * positions + first;
    const T* matrix = image + first;
    int64_t pitch = positions;
    if (schedule.method == Method::kColumns) {
      T* columns = WorkerMemory<T>(schedule, workspace, worker);
      pitch = last - first;
      Im2Col(grid, group_in, first, last, image, columns, pitch);
      matrix = columns;
    }
    const T* bias = weight.bias != nullptr ? weight.bias + group * group_out : nullptr;
    if constexpr (std::is_same_v<T, float>) {
      if (weight.packed != nullptr) {
        MultiplyPackedLeft(group_out, last - first, rows, weight.packed + group * PackedLeftSize(group_out, rows),
                           matrix, pitch, {bias, activation}, result, positions);
        return;
      }
    }
    if (bias != nullptr) {
      for (int64_t o = 0; o < group_out; ++o) std::fill_n(result + o * positions, last - first, bias[o]);
    }
    Gemm<T>(false, false, group_out, last - first, rows, T(1), weight.plain + group * group_out * rows, rows, matrix,
            pitch, bias != nullptr ? T(1) : T(0), result, positions);
    activation.ApplyRows(result, group_out, last - first, positions);
  });
}

template <class T>
void TransposedConvolution(const ConvolutionGeometry& geometry, const ConvolutionSchedule& schedule, const T* input,
                           const T* weight, const T* bias, T* output, std::byte* workspace) {
  const WindowGrid& grid = geometry.grid;
  const int64_t group_in = geometry.channels_in / geometry.groups;
  const int64_t group_out = geometry.channels_out / geometry.groups;
  const int64_t rows = group_out * grid.taps();
  const int64_t positions = grid.position_count();
  const int64_t plane = grid.image_size();
  ParallelItems(geometry.batch * geometry.groups, schedule.workers, [&](int64_t worker, int64_t item) {
    const int64_t group = item % geometry.groups;
    const T* source = input + item * group_in * positions;
    T* image = output + item * group_out * plane;
    T* columns = WorkerMemory<T>(schedule, workspace, worker);
    for (int64_t o = 0; o < group_out; ++o) {
      std::fill_n(image + o * plane, plane, bias != nullptr ? bias[group * group_out + o] : T(0));
    }
    for (int64_t first = 0; first < positions; first += schedule.tile) {
      const int64_t last = std::min(positions, first + schedule.tile);
      Gemm<T>(true, false, rows, last - first, group_in, T(1), weight + group * group_in * rows, rows, source + first,
              positions, T(0), columns, last - first);
      Col2Im(grid, group_out, first, last, columns, last - first, image);
    }
  });
}

#define KUIPER_INSTANTIATE(T)                                                                                        \
  template void Convolution<T>(const ConvolutionGeometry&, const ConvolutionSchedule&, const T*,                     \
                               const ConvolutionWeight<T>&, const Activation&, T*, std::byte*);                      \
  template void TransposedConvolution<T>(const ConvolutionGeometry&, const ConvolutionSchedule&, const T*, const T*, \
                                         const T*, T*, std::byte*);
KUIPER_INSTANTIATE(float)
KUIPER_INSTANTIATE(double)
#undef KUIPER_INSTANTIATE

}  // namespace kuiper_infer::kernel
