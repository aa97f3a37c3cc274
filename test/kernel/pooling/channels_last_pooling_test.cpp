// SPDX-License-Identifier: MIT
// Pooling of channels-last images, compared with its planar twin, and of bytes, compared with the definition.
#include "kernel/pooling/channels_last_pooling.hpp"

#include <cmath>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "kernel/channels_last_images.hpp"
#include "kernel/pooling/pooling.hpp"
#include "kernel/random_data.hpp"
#include "shape/window.hpp"
#include "utils/half.hpp"
#include "utils/system/cpu_info.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

const PoolingStorage kFloats{};

ChannelsLastPooling MakePooling(const Images& images, const WindowGrid& grid, const AverageDivisor* divisor) {
  ChannelsLastPooling pooling;
  pooling.maximum = divisor == nullptr;
  pooling.fixed_divisor = divisor != nullptr ? static_cast<double>(divisor->fixed) : 0;
  pooling.batch = images.batch;
  pooling.channels = images.channels;
  pooling.image = grid.image;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const Window& window = grid.window[axis];
    pooling.dilation[axis] = window.dilation;
    for (int64_t o = 0; o < grid.positions[axis]; ++o) {
      const int64_t part = divisor != nullptr ? divisor->AxisPart(window, grid.image[axis], o) : 1;
      pooling.axes[axis].push_back({CoveredElements(window, grid.image[axis], o), part});
    }
  }
  return pooling;
}

TEST(ChannelsLastPoolingTest, PoolingEqualsThePlanarOne) {
  uint32_t seed = 1;
  for (const Images& images : kImages) {
    for (const Window& window : {Window{2, 2, 0, 0, 1}, Window{3, 2, 1, 1, 1}, Window{3, 1, 1, 1, 2},
                                 Window{5, 3, 2, 2, 1}, Window{7, 7, 0, 0, 1}}) {
      for (const bool ceil_mode : {false, true}) {
        ++seed;
        SCOPED_TRACE("channels " + std::to_string(images.channels) + " window " + std::to_string(window.kernel) +
                     " seed " + std::to_string(seed));
        const WindowGrid grid = MakeWindowGrid({7 + seed % 5, 9}, {window, window}, ceil_mode);
        const int64_t planes = images.batch * images.channels;
        auto input = RandomVector<float>(planes * grid.image_size(), seed);
        input[input.size() / 2] = std::nanf("");
        const int64_t pitch = images.channels + images.gap;
        const auto image = ChannelsLast(input, images.batch, images.channels, grid.image_size(), pitch);
        const PixelStrides steps{pitch, pitch * grid.image_size()};
        const PixelStrides to{images.channels + kGap, (images.channels + kGap) * grid.position_count()};
        std::vector<float> expected(static_cast<std::size_t>(planes * grid.position_count()));
        std::vector<float> found(expected.size() / images.channels * (images.channels + kGap), kUntouched);

        MaxPool<float>(grid, planes, input.data(), expected.data(), nullptr);
        const ChannelsLastPooling maximum = MakePooling(images, grid, nullptr);
        std::vector<uint8_t> scratch(static_cast<std::size_t>(PoolingScratchBytes(maximum, kFloats)));
        PoolChannelsLast(maximum, kFloats, image.data(), steps, found.data(), to, scratch.data());
        ExpectEqual(expected, found, images.batch, images.channels, 0);
        if (window.dilation != 1) continue;
        for (const AverageDivisor& divisor :
             {AverageDivisor{true, 0}, AverageDivisor{false, 0}, AverageDivisor{true, 7}}) {
          AveragePool<float>(grid, divisor, planes, input.data(), expected.data());
          PoolChannelsLast(MakePooling(images, grid, &divisor), kFloats, image.data(), steps, found.data(), to,
                           scratch.data());
          ExpectEqual(expected, found, images.batch, images.channels, 1e-5);
        }
      }
    }
  }
}

std::vector<uint8_t> AsBytes(const std::vector<float>& floats) { return {floats.begin(), floats.end()}; }

/// The maxima of bytes equal the maxima of the same numbers as floats. There are many small windows, or a few large
/// ones, which are pooled in bands.
TEST(ChannelsLastPoolingTest, MaximaOfBytesEqualThePlanarOnes) {
  uint32_t seed = 500;
  for (const Images& images : kImages) {
    for (const Window& window :
         {Window{2, 2, 0, 0, 1}, Window{3, 2, 1, 1, 1}, Window{3, 1, 1, 1, 2}, Window{29, 29, 0, 0, 1}}) {
      SCOPED_TRACE("channels " + std::to_string(images.channels) + " window " + std::to_string(window.kernel) +
                   " seed " + std::to_string(++seed));
      const WindowGrid grid = MakeWindowGrid({58, 31}, {window, window}, false);
      const ChannelsLastPooling pooling = MakePooling(images, grid, nullptr);
      PoolingStorage bytes;
      bytes.input_type = RuntimeDataType::kTypeUInt8;
      EXPECT_EQ(PoolingBands(pooling) > 1, window.kernel == 29);
      const int64_t planes = images.batch * images.channels;
      std::vector<float> input = RandomVector<float>(planes * grid.image_size(), seed);
      for (float& x : input) x = std::floor(128 + 128 * x);
      std::vector<float> expected(static_cast<std::size_t>(planes * grid.position_count()));
      MaxPool<float>(grid, planes, input.data(), expected.data(), nullptr);
      const int64_t pitch = images.channels + images.gap;
      const auto image = AsBytes(ChannelsLast(input, images.batch, images.channels, grid.image_size(), pitch));
      const PixelStrides to{images.channels + kGap, (images.channels + kGap) * grid.position_count()};
      for (const int threads : {1, 3}) {
        const ThreadScope scope(threads);
        std::vector<uint8_t> scratch(static_cast<std::size_t>(PoolingScratchBytes(pooling, bytes)));
        std::vector<uint8_t> found(expected.size() / images.channels * (images.channels + kGap),
                                   static_cast<uint8_t>(kUntouched));
        PoolChannelsLast(pooling, bytes, image.data(), {pitch, pitch * grid.image_size()}, found.data(), to,
                         scratch.data());
        ExpectEqual(expected, {found.begin(), found.end()}, images.batch, images.channels, 0);
      }
    }
  }
}

/// Computes means by their definition: the bytes of a window are added up as integers, the mean is a float product, and
/// it is rounded to the grid.
std::vector<float> DefinedMeans(const WindowGrid& grid, const AverageDivisor& divisor, const QuantizationGrid& read,
                                int64_t planes, const std::vector<float>& bytes) {
  std::vector<float> means;
  for (int64_t plane = 0; plane < planes; ++plane) {
    const float* image = bytes.data() + plane * grid.image_size();
    for (int64_t y = 0; y < grid.positions[1]; ++y) {
      for (int64_t x = 0; x < grid.positions[2]; ++x) {
        const IndexRange rows = CoveredElements(grid.window[1], grid.image[1], y);
        const IndexRange columns = CoveredElements(grid.window[2], grid.image[2], x);
        int64_t sum = 0;
        for (int64_t row = rows.first; row < rows.last; ++row) {
          for (int64_t column = columns.first; column < columns.last; ++column) {
            sum += static_cast<int64_t>(image[row * grid.image[2] + column]) - read.zero_point;
          }
        }
        const int64_t parts =
            divisor.AxisPart(grid.window[1], grid.image[1], y) * divisor.AxisPart(grid.window[2], grid.image[2], x);
        const auto divided = static_cast<double>(divisor.fixed != 0 ? divisor.fixed : parts);
        means.push_back(static_cast<float>(sum) * static_cast<float>(static_cast<double>(read.scale) / divided));
      }
    }
  }
  return means;
}

/// Pools `input`, as elements T with gaps, by one thread and by three.
template <class In, class Out>
void ExpectPooled(const ChannelsLastPooling& pooling, const PoolingStorage& storage, const Images& images,
                  const std::vector<float>& input, const std::vector<float>& expected) {
  const int64_t pixels = pooling.image[1] * pooling.image[2];
  const int64_t pitch = images.channels + images.gap;
  const std::vector<float> floats = ChannelsLast(input, images.batch, images.channels, pixels, pitch);
  const std::vector<In> image(floats.begin(), floats.end());
  const int64_t written = images.channels + kGap;
  const PixelStrides to{written, written * pooling.position_count() / images.batch};
  for (const int threads : {1, 3}) {
    const ThreadScope scope(threads);
    std::vector<uint8_t> scratch(static_cast<std::size_t>(PoolingScratchBytes(pooling, storage)));
    std::vector<Out> found(static_cast<std::size_t>(pooling.position_count() * written), static_cast<Out>(kUntouched));
    PoolChannelsLast(pooling, storage, image.data(), {pitch, pitch * pixels}, found.data(), to, scratch.data());
    ExpectEqual(expected, {found.begin(), found.end()}, images.batch, images.channels, 0);
  }
}

std::vector<float> AsFloats(const std::vector<uint8_t>& bytes) { return {bytes.begin(), bytes.end()}; }

/// The means have the bits of the definition, as floats, as floats on a grid and as bytes of a grid. There are many
/// small windows, some partly outside, or a few large ones, which are pooled in bands.
TEST(ChannelsLastPoolingTest, MeansOfBytesAreThoseOfExactSums) {
  uint32_t seed = 700;
  const QuantizationGrid written{0.037F, 90, 3, 250};
  for (const Images& images : kImages) {
    for (const Window& window : {Window{2, 2, 0, 0, 1}, Window{3, 2, 1, 1, 1}, Window{29, 29, 0, 0, 1}}) {
      for (const AverageDivisor& divisor :
           {AverageDivisor{true, 0}, AverageDivisor{false, 0}, AverageDivisor{true, 7}}) {
        SCOPED_TRACE("channels " + std::to_string(images.channels) + " window " + std::to_string(window.kernel) +
                     " seed " + std::to_string(++seed));
        const WindowGrid grid = MakeWindowGrid({58, 31}, {window, window}, false);
        const int64_t planes = images.batch * images.channels;
        std::vector<float> input = RandomVector<float>(planes * grid.image_size(), seed);
        for (float& x : input) x = std::floor(128 + 128 * x);
        const ChannelsLastPooling pooling = MakePooling(images, grid, &divisor);
        PoolingStorage storage;
        storage.input_type = RuntimeDataType::kTypeUInt8;
        storage.input = QuantizationGrid{0.021F, static_cast<int32_t>(seed % 256), 0, 255};
        const std::vector<float> means = DefinedMeans(grid, divisor, storage.input, planes, input);
        ExpectPooled<uint8_t, float>(pooling, storage, images, input, means);

        storage.result = written;
        const auto count = static_cast<int64_t>(means.size());
        std::vector<float> rounded(means.size());
        RoundToGrid(written, count, means.data(), rounded.data());
        ExpectPooled<uint8_t, float>(pooling, storage, images, input, rounded);

        storage.result_type = RuntimeDataType::kTypeUInt8;
        std::vector<uint8_t> bytes(means.size());
        RoundToBytes(written, count, means.data(), bytes.data());
        ExpectPooled<uint8_t, uint8_t>(pooling, storage, images, input, AsFloats(bytes));
      }
    }
  }
}

/// Means of floats that the kernel rounds equal means that are rounded afterwards.
TEST(ChannelsLastPoolingTest, MeansOfFloatsAreRoundedOnTheWay) {
  uint32_t seed = 900;
  const Window window{3, 2, 1, 1, 1};
  const AverageDivisor divisor{true, 0};
  const QuantizationGrid written{0.01F, 90, 3, 250};
  for (const Images& images : kImages) {
    SCOPED_TRACE("channels " + std::to_string(images.channels) + " seed " + std::to_string(++seed));
    const WindowGrid grid = MakeWindowGrid({13, 9}, {window, window}, false);
    const int64_t planes = images.batch * images.channels;
    const auto input = RandomVector<float>(planes * grid.image_size(), seed);
    const ChannelsLastPooling pooling = MakePooling(images, grid, &divisor);
    const auto image = ChannelsLast(input, images.batch, images.channels, grid.image_size(), images.channels);
    const auto pool = [&](const PoolingStorage& storage, void* result) {
      PoolChannelsLast(pooling, storage, image.data(), {images.channels, images.channels * grid.image_size()}, result,
                       {images.channels, images.channels * grid.position_count()}, nullptr);
    };
    std::vector<float> means(static_cast<std::size_t>(planes * grid.position_count()));
    pool(kFloats, means.data());
    PoolingStorage storage;
    storage.result = written;
    const auto count = static_cast<int64_t>(means.size());
    std::vector<float> rounded(means.size());
    RoundToGrid(written, count, means.data(), rounded.data());
    std::vector<float> found(means.size());
    pool(storage, found.data());
    EXPECT_EQ(found, rounded);
    storage.result_type = RuntimeDataType::kTypeUInt8;
    std::vector<uint8_t> bytes(means.size());
    RoundToBytes(written, count, means.data(), bytes.data());
    std::vector<uint8_t> found_bytes(means.size());
    pool(storage, found_bytes.data());
    EXPECT_EQ(found_bytes, bytes);
  }
}

/// Pools images of bfloat16 numbers, of which some are NaN or infinite. Results are those of the same numbers in
/// float32, rounded; a maximum is one of the numbers.
TEST(ChannelsLastPoolingTest, OfBFloat16NumbersRoundsResultsOfFloats) {
  if (UsedIsa() < Isa::kAvx512) GTEST_SKIP() << "kernels for bfloat16 arrays are made for AVX-512";
  uint32_t seed = 1100;
  for (const Images& images : kImages) {
    for (const Window& window : {Window{3, 2, 1, 1, 1}, Window{29, 29, 0, 0, 1}}) {
      for (const bool maximum : {true, false}) {
        SCOPED_TRACE("channels " + std::to_string(images.channels) + " window " + std::to_string(window.kernel) +
                     (maximum ? " maximum" : " mean") + " seed " + std::to_string(++seed));
        const AverageDivisor divisor{true, 0};
        const WindowGrid grid = MakeWindowGrid({58, 31}, {window, window}, false);
        const ChannelsLastPooling pooling = MakePooling(images, grid, maximum ? nullptr : &divisor);
        std::vector<float> image = RandomVector<float>(images.batch * images.channels * grid.image_size(), seed);
        image.front() = -std::numeric_limits<float>::quiet_NaN();
        image.back() = -std::numeric_limits<float>::infinity();
        std::vector<BFloat16> stored(image.begin(), image.end());
        stored.front().bits = 0xFFC0;  // NaN with a sign
        image.assign(stored.begin(), stored.end());
        const PixelStrides from{images.channels, images.channels * grid.image_size()};
        const PixelStrides to{images.channels, images.channels * grid.position_count()};
        PoolingStorage storage;
        std::vector<uint8_t> scratch(static_cast<std::size_t>(PoolingScratchBytes(pooling, storage)));
        std::vector<float> floats(static_cast<std::size_t>(images.batch * to.image));
        PoolChannelsLast(pooling, storage, image.data(), from, floats.data(), to, scratch.data());
        const auto expect_rounded = [&](const std::vector<BFloat16>& found) {
          for (std::size_t i = 0; i < floats.size(); ++i) {
            if (std::isnan(floats[i])) {
              ASSERT_TRUE(std::isnan(static_cast<float>(found[i]))) << i;
            } else {
              ASSERT_EQ(found[i].bits, BFloat16(floats[i]).bits) << i;
            }
          }
        };
        storage.input_type = storage.result_type = RuntimeDataType::kTypeBFloat16;
        std::vector<BFloat16> found(floats.size());
        PoolChannelsLast(pooling, storage, stored.data(), from, found.data(), to, scratch.data());
        expect_rounded(found);
        if (maximum) continue;
        storage.input_type = RuntimeDataType::kTypeFloat32;
        PoolChannelsLast(pooling, storage, image.data(), from, found.data(), to, scratch.data());
        expect_rounded(found);
        storage.input_type = RuntimeDataType::kTypeBFloat16;
        storage.result_type = RuntimeDataType::kTypeFloat32;
        std::vector<float> means(floats.size());
        PoolChannelsLast(pooling, storage, stored.data(), from, means.data(), to, scratch.data());
        for (std::size_t i = 0; i < floats.size(); ++i) {
          ASSERT_TRUE(means[i] == floats[i] || (std::isnan(means[i]) && std::isnan(floats[i]))) << i;
        }
      }
    }
  }
}

TEST(ChannelsLastPoolingTest, ImagesWhoseBytesDontFitASumAreNamed) {
  ChannelsLastPooling pooling;
  pooling.image = {1, 2048, 4112};
  EXPECT_TRUE(SumsOfBytesFit(pooling));
  pooling.image = {1, 2048, 4113};
  EXPECT_FALSE(SumsOfBytesFit(pooling));
}

TEST(ChannelsLastPoolingTest, FewLargeBoxesArePooledInBandsWhateverTheThreads) {
  uint32_t seed = 300;
  for (const Images& images : kImages) {
    for (const int64_t height : {7, 14, 29}) {
      SCOPED_TRACE("channels " + std::to_string(images.channels) + " height " + std::to_string(height) + " seed " +
                   std::to_string(++seed));
      const WindowGrid grid = MakeWindowGrid({2 * height, 9}, {{height, height, 0, 0, 1}, {9, 9, 0, 0, 1}}, false);
      const AverageDivisor divisor{true, 0};
      const ChannelsLastPooling pooling = MakePooling(images, grid, &divisor);
      EXPECT_GT(PoolingBands(pooling), 1);
      const int64_t planes = images.batch * images.channels;
      const auto input = RandomVector<float>(planes * grid.image_size(), seed);
      const int64_t pitch = images.channels + images.gap;
      const auto image = ChannelsLast(input, images.batch, images.channels, grid.image_size(), pitch);
      const PixelStrides to{images.channels + kGap, (images.channels + kGap) * grid.position_count()};
      std::vector<float> expected(static_cast<std::size_t>(planes * grid.position_count()));
      AveragePool<float>(grid, divisor, planes, input.data(), expected.data());
      std::vector<float> first;
      for (const int threads : {1, 2, 3}) {
        const ThreadScope scope(threads);
        std::vector<uint8_t> scratch(static_cast<std::size_t>(PoolingScratchBytes(pooling, kFloats)));
        std::vector<float> found(expected.size() / images.channels * (images.channels + kGap), kUntouched);
        PoolChannelsLast(pooling, kFloats, image.data(), {pitch, pitch * grid.image_size()}, found.data(), to,
                         scratch.data());
        ExpectEqual(expected, found, images.batch, images.channels, 1e-5);
        if (first.empty()) first = found;
        EXPECT_EQ(found, first);
      }
    }
  }
}

}  // namespace
}  // namespace kuiper_infer::kernel
