// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "kernel/quantization/quantize.hpp"
#include "kuiper_infer/utils/data_type.hpp"
#include "shape/pixel_strides.hpp"
#include "shape/window_range.hpp"

namespace kuiper_infer::kernel {

/// Pooling of channels-last images of float32, bfloat16 or bytes: every output pixel combines the pixels in a box of
/// the input, channel by channel. The box of output (d, h, w) covers axes[0][d] x axes[1][h] x axes[2][w].
struct ChannelsLastPooling {
  struct Range {
    IndexRange elements;  ///< `dilation` apart
    int64_t divisor = 1;  ///< factor of the divisor along this axis
  };
  bool maximum = false;                    ///< the largest element (NaN if there is one), otherwise the sum divided
  std::array<std::vector<Range>, 3> axes;  ///< one for each position
  std::array<int64_t, 3> dilation{1, 1, 1};
  double fixed_divisor = 0;  ///< instead of the axes' factors; 0: none
  int64_t batch = 1;
  int64_t channels = 1;
  std::array<int64_t, 3> image{1, 1, 1};

  int64_t position_count() const {
    return batch * static_cast<int64_t>(axes[0].size() * axes[1].size() * axes[2].size());
  }
};

/// The smallest number of outputs that gives work to all threads.
constexpr int64_t kManyPoolingPositions = 64;

/// The number of bands of rows into which boxes are cut: above 1 if there are few boxes and they are large. A band is
/// combined by the thread whose cache probably holds it. Cuts, and so results, don't depend on the number of threads.
int64_t PoolingBands(const ChannelsLastPooling& pooling);

/// The stored form of the pixels' numbers: float32, bfloat16 (if the instruction set in use is AVX-512) or bytes of a
/// grid with q from 0 to 255. Maxima are written as they are read, means in any form.
struct PoolingStorage {
  RuntimeDataType input_type = RuntimeDataType::kTypeFloat32;
  RuntimeDataType result_type = RuntimeDataType::kTypeFloat32;
  QuantizationGrid input;                  ///< of the input's bytes
  std::optional<QuantizationGrid> result;  ///< the grid to which means are rounded
};

/// Bytes of scratch memory that PoolChannelsLast takes.
int64_t PoolingScratchBytes(const ChannelsLastPooling& pooling, const PoolingStorage& storage);

/// Whether 32 bits hold the sum of an image's bytes. Means of bytes are computed only in that case.
bool SumsOfBytesFit(const ChannelsLastPooling& pooling);

/// Pools images of the elements that `storage` describes. Sums of bytes are exact, and two roundings follow, so that
/// means have the same bits for every instruction set and number of threads.
void PoolChannelsLast(const ChannelsLastPooling& pooling, const PoolingStorage& storage, const void* input,
                      const PixelStrides& strides, void* output, const PixelStrides& output_strides, void* scratch);

}  // namespace kuiper_infer::kernel
