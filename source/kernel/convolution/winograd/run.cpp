// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/convolution/winograd/run.cpp"
#include "kernel/convolution/winograd/run.hpp"

#include <algorithm>

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/convolution/winograd/tile-inl.hpp"
#include "kernel/convolution/winograd/tiles.hpp"
#include "kernel/product/product_kernel.hpp"
#include "utils/rounding.hpp"
#include "utils/simd.hpp"
#include "utils/threads/parallel.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

template <int kOutputs, class T>
void TransformImage(const ChannelsLastConvolution& convolution, const WinogradTiles& tiles, const T* input,
                    int64_t first, int64_t index, float* planes) {
  constexpr int64_t kSize = kOutputs + 2;
  const ConvolutionGeometry& geometry = convolution.geometry;
  const WindowGrid& grid = geometry.grid;
  const WinogradTiles::Place place = tiles.At(first + index);
  const int64_t y = place.row - grid.window[1].padding_begin;
  const int64_t x = place.column - grid.window[2].padding_begin;
  const int64_t pixel = convolution.input.pixel;
  const int64_t row = grid.image[2] * pixel;
  ImageTile<T> tile{};
  tile.image = input + place.image * convolution.input.image + y * row + x * pixel;
  tile.pixel = pixel;
  tile.row = row;
  tile.rows = InsideRange::Of(y, kSize, grid.image[1]);
  tile.columns = InsideRange::Of(x, kSize, grid.image[2]);
  tile.channels = geometry.channels_in;
  tile.planes = planes + index * geometry.channels_in;
  tile.plane = tiles.PlaneSize(geometry.channels_in);
  TransformImageTile<kOutputs>(tile);
}

template <int kOutputs>
void TransformOutput(const ChannelsLastConvolution& convolution, const WinogradTiles& tiles,
                     const ChannelsLastArrays& arrays, int64_t first, int64_t index, float* planes) {
  const ConvolutionGeometry& geometry = convolution.geometry;
  const Extents3& positions = geometry.grid.positions;
  const WinogradTiles::Place place = tiles.At(first + index);
  const int64_t position = place.row * positions[2] + place.column;
  const std::optional<ActivationBounds> bounds = arrays.activation.Bounds();
  OutputTile tile{};
  tile.planes = planes + index * geometry.channels_out;
  tile.plane = tiles.PlaneSize(geometry.channels_out);
  tile.channels = geometry.channels_out;
  tile.rows = std::min<int64_t>(kOutputs, positions[1] - place.row);
  tile.columns = std::min<int64_t>(kOutputs, positions[2] - place.column);
  tile.bias = arrays.bias;
  if (arrays.residual != nullptr) {
    tile.residual = {arrays.residual, arrays.residual_type};
    tile.residual =
        tile.residual.From(place.image * arrays.residual_strides.image + position * arrays.residual_strides.pixel);
    tile.residual_pixel = arrays.residual_strides.pixel;
    tile.residual_row = positions[2] * tile.residual_pixel;
  }
  tile.pixel = arrays.output_strides.pixel;
  tile.row = positions[2] * tile.pixel;
  FloatArray<void*> output{arrays.output, arrays.output_type};
  output = output.From(place.image * arrays.output_strides.image + position * tile.pixel);
  tile.output = output;
  tile.least = static_cast<float>(bounds.value_or(ActivationBounds{}).least);
  tile.most = static_cast<float>(bounds.value_or(ActivationBounds{}).most);
  const bool in_floats = !bounds && output.is_bfloat16();
  const int64_t pixel = tile.pixel;
  const int64_t row = tile.row;
  if (in_floats) {
    // Results that become bfloat16 numbers behind an activation lie in the first planes, which have been read then.
    tile.output = {planes + index * geometry.channels_out};
    tile.pixel = tile.plane;
    tile.row = kOutputs * tile.plane;
  }
  TransformOutputTile<kOutputs>(tile);
  for (int64_t y = 0; y < tile.rows && !bounds; ++y) {
    const FloatArray<void*> results = tile.output.From(y * tile.row);
    const FloatRows rows{tile.columns, tile.channels, tile.pixel};
    if (in_floats) {
      ApplyAndRound(arrays.activation, static_cast<float*>(results.data), rows,
                    static_cast<uint16_t*>(output.From(y * row).data), pixel);
    } else {
      ApplyToRows(arrays.activation, results, rows);
    }
  }
}

/// Computes the tiles [first, last). Each of the three parts uses the threads that are free.
template <int kOutputs>
void ConvolveTiles(const ChannelsLastConvolution& convolution, const WinogradTiles& tiles,
                   const ChannelsLastArrays& arrays, int64_t first, int64_t last, float* workspace) {
  constexpr int64_t kPlanes = int64_t{kOutputs + 2} * (kOutputs + 2);
  const ConvolutionGeometry& geometry = convolution.geometry;
  const int64_t count = last - first;
  const int64_t image_plane = tiles.PlaneSize(geometry.channels_in);
  const int64_t product_plane = tiles.PlaneSize(geometry.channels_out);
  float* products = workspace + kPlanes * image_plane;
  constexpr int64_t kCost = 8;  // of an element's transform
  ParallelFor(count, GrainFor(kPlanes * geometry.channels_in / kCost), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      if constexpr (kStoresBFloat16) {
        if (arrays.input_type == RuntimeDataType::kTypeBFloat16) {
          TransformImage<kOutputs>(convolution, tiles, static_cast<const uint16_t*>(arrays.input), first, i, workspace);
          continue;
        }
      }
      TransformImage<kOutputs>(convolution, tiles, static_cast<const float*>(arrays.input), first, i, workspace);
    }
  });
  const auto* const weight = static_cast<const std::byte*>(arrays.weight);
  const ProductKernel& kernel = *convolution.product;
  const int64_t weight_plane = kernel.panels.Bytes(geometry.channels_out, geometry.channels_in);
  const int64_t grain = GrainFor(count * geometry.channels_in * geometry.channels_out / kCost);
  ParallelFor(kPlanes, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      Product product{count, geometry.channels_out, geometry.channels_in};
      product.a = {workspace + i * image_plane, geometry.channels_in};
      product.weight = {&kernel, weight + i * weight_plane};
      product.c = {products + i * product_plane, geometry.channels_out};
      Multiply(product);
    }
  });
  ParallelFor(count, GrainFor(kPlanes * geometry.channels_out / kCost), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      TransformOutput<kOutputs>(convolution, tiles, arrays, first, i, products);
    }
  });
}

template <int kOutputs>
void ConvolveImages(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays) {
  const WinogradTiles tiles(convolution, kOutputs);
  ParallelItems(DivideUp(tiles.count(), convolution.tile), convolution.workers, [&](int64_t worker, int64_t piece) {
    auto* workspace = reinterpret_cast<float*>(arrays.workspace + worker * convolution.worker_bytes);
    const int64_t first = piece * convolution.tile;
    const int64_t last = std::min(tiles.count(), first + convolution.tile);
    ConvolveTiles<kOutputs>(convolution, tiles, arrays, first, last, workspace);
  });
}

}  // namespace

void RunWinograd2(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays) {
  ConvolveImages<2>(convolution, arrays);
}

void RunWinograd4(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays) {
  ConvolveImages<4>(convolution, arrays);
}

void RunWinograd6(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays) {
  ConvolveImages<6>(convolution, arrays);
}

}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kuiper_infer::kernel {

KUIPER_SIMD_TABLE(RunWinograd2);
KUIPER_SIMD_TABLE(RunWinograd4);
KUIPER_SIMD_TABLE(RunWinograd6);

void RunWinograd2(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays) {
  KUIPER_SIMD(RunWinograd2)(convolution, arrays);
}

void RunWinograd4(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays) {
  KUIPER_SIMD(RunWinograd4)(convolution, arrays);
}

void RunWinograd6(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays) {
  KUIPER_SIMD(RunWinograd6)(convolution, arrays);
}

}  // namespace kuiper_infer::kernel
#endif
