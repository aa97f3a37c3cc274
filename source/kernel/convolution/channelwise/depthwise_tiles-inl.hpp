// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_DEPTHWISE_TILES_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_DEPTHWISE_TILES_INL_HPP_
#undef KUIPER_KERNEL_DEPTHWISE_TILES_INL_HPP_
#else
#define KUIPER_KERNEL_DEPTHWISE_TILES_INL_HPP_
#endif

// The tiles that depthwise convolutions are compiled for, and the choice among them.

#include <cstdint>

#include <hwy/highway.h>

#include "kernel/convolution/channelwise/depthwise_tile-inl.hpp"
#include "kuiper_infer/utils/data_type.hpp"
#include "shape/window_grid.hpp"
#include "utils/rounding.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

constexpr int64_t kMostTileWindows = 14;

/// A tile that is compiled for a number of windows, a window size and a stride.
struct DepthwiseTileKind {
  int64_t windows;  ///< number of windows that a tile computes
  int64_t kernel;
  int64_t stride;
  void (*run)(const DepthwiseTile&);
};

/// The tiles of images of T.
template <class T>
constexpr DepthwiseTileKind kDepthwiseTiles[] = {
#if HWY_TARGET <= HWY_AVX3
    {14, 3, 1, RunDepthwiseTile<T, 14, 3, 1>}, {14, 5, 1, RunDepthwiseTile<T, 14, 5, 1>},
    {14, 7, 1, RunDepthwiseTile<T, 14, 7, 1>},
#endif
#if HWY_TARGET != HWY_SCALAR  // the scalar set serves tests alone: see kernel/CMakeLists.txt
    {7, 3, 1, RunDepthwiseTile<T, 7, 3, 1>},   {4, 3, 1, RunDepthwiseTile<T, 4, 3, 1>},
    {7, 3, 2, RunDepthwiseTile<T, 7, 3, 2>},   {4, 3, 2, RunDepthwiseTile<T, 4, 3, 2>},
    {7, 5, 1, RunDepthwiseTile<T, 7, 5, 1>},   {4, 5, 1, RunDepthwiseTile<T, 4, 5, 1>},
    {7, 5, 2, RunDepthwiseTile<T, 7, 5, 2>},   {4, 5, 2, RunDepthwiseTile<T, 4, 5, 2>},
    {7, 7, 1, RunDepthwiseTile<T, 7, 7, 1>},   {4, 7, 1, RunDepthwiseTile<T, 4, 7, 1>},
#else
    {4, 3, 1, RunDepthwiseTile<T, 4, 3, 1>},
    {4, 3, 2, RunDepthwiseTile<T, 4, 3, 2>},
#endif
};

/// Returns the tile kind for images of T that suits the geometry and overlaps least, or null.
template <class T>
const DepthwiseTileKind* FindTile(const WindowGrid& grid) {
  const auto& [depth, height, width] = grid.window;
  const auto computed = [&](const DepthwiseTileKind& kind) { return RoundUp(grid.positions[2], kind.windows); };
  const DepthwiseTileKind* best = nullptr;
  for (const DepthwiseTileKind& kind : kDepthwiseTiles<T>) {
    const bool fits = kind.kernel == width.kernel && kind.stride == width.stride && width.dilation == 1 &&
                      depth.kernel == 1 && grid.positions[2] >= kind.windows;
    if (fits && (best == nullptr || computed(kind) < computed(*best))) best = &kind;
  }
  return best;
}

const DepthwiseTileKind* FindTile(const WindowGrid& grid, RuntimeDataType image) {
  if constexpr (kStoresBFloat16) {
    if (image == RuntimeDataType::kTypeBFloat16) return FindTile<uint16_t>(grid);
  }
  return FindTile<float>(grid);
}

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
