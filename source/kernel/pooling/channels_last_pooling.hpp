// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "kernel/quantization/quantize.hpp"
#include "shape/pixel_strides.hpp"
#include "shape/window_range.hpp"

namespace kuiper_infer::kernel {

/// Pooling of channels-last images of floats or bytes: every output pixel combines the pixels in a box of the input,
/// channel by channel. The box of output (d, h, w) covers axes[0][d] x axes[1][h] x axes[2][w].
struct ChannelsLastPooling {
  struct Range {
    IndexRange elements;  ///< `dilation` apart
    int64_t divisor = 1;  ///< the axis's part of what a sum is divided by
  };
  bool maximum = false;                    ///< the largest element (NaN if there is one), otherwise the sum divided
  std::array<std::vector<Range>, 3> axes;  ///< one for each position
  std::array<int64_t, 3> dilation{1, 1, 1};
  double fixed_divisor = 0;  ///< instead of the axes' parts; 0: none
  int64_t batch = 1;
  int64_t channels = 1;
  std::array<int64_t, 3> image{1, 1, 1};

  int64_t position_count() const {
    return batch * static_cast<int64_t>(axes[0].size() * axes[1].size() * axes[2].size());
  }
};

/// The number of outputs from which on they give work to all threads.
constexpr int64_t kManyPoolingPositions = 64;

/// The number of bands of rows in which a few large boxes are combined; bands stay near the threads that wrote them.
/// The number doesn't depend on that of the threads, so the result doesn't either.
int64_t PoolingBands(const ChannelsLastPooling& pooling);

/// How the pixels' numbers are stored: as floats, or as bytes of a grid whose bounds lie in 0 to 255.
struct PoolingStorage {
  std::optional<QuantizationGrid> input;   ///< of bytes that are read; none: floats
  std::optional<QuantizationGrid> result;  ///< to which means are rounded
  bool writes_bytes = false;               ///< the result's; maxima are written as they are read
};

/// Bytes of scratch memory that PoolChannelsLast takes.
int64_t PoolingScratchBytes(const ChannelsLastPooling& pooling, const PoolingStorage& storage);

/// Whether 32 bits hold the sum of an image's bytes: only then means of bytes are taken.
bool SumsOfBytesFit(const ChannelsLastPooling& pooling);

/// Pools images of the elements that `storage` names. Sums of bytes are exact, so that their means, each rounded twice
/// on its way from the sum, are the same bits for every instruction set and number of threads.
void PoolChannelsLast(const ChannelsLastPooling& pooling, const PoolingStorage& storage, const void* input,
                      const PixelStrides& strides, void* output, const PixelStrides& output_strides, void* scratch);

}  // namespace kuiper_infer::kernel
