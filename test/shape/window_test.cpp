// SPDX-License-Identifier: MIT
#include "shape/window.hpp"

#include <limits>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "utils/error_text.hpp"

namespace kuiper_infer {
namespace {

using ::testing::HasSubstr;

/// Counts positions one by one. In ceil mode, the last window may reach over the end but must start before it.
int64_t Reference(int64_t input, const Window& window, bool ceil_mode) {
  const int64_t padded = input + window.padding_begin + window.padding_end;
  const int64_t reach = window.dilation * (window.kernel - 1) + 1;
  int64_t count = 0;
  while (count * window.stride + reach <= padded) ++count;
  if (!ceil_mode) return count;
  const bool partial = count * window.stride + reach < padded + window.stride;
  if (partial) ++count;
  const bool starts_outside = count > 0 && (count - 1) * window.stride >= input + window.padding_begin;
  return starts_outside ? count - 1 : count;
}

TEST(OutputExtent, EqualsSteppingThroughTheAxis) {
  for (int64_t input : {1, 2, 3, 7, 8, 15, 16, 17, 33}) {
    for (int64_t kernel : {1, 2, 3, 5, 7}) {
      for (int64_t stride : {1, 2, 3, 4}) {
        for (int64_t dilation : {1, 2, 3}) {
          for (int64_t begin : {0, 1, 2}) {
            for (int64_t end : {0, 1, 2, 3}) {
              const Window window{kernel, stride, begin, end, dilation};
              for (const bool ceil_mode : {false, true}) {
                if (ceil_mode && begin != end) continue;  // pooling pads both ends equally
                SCOPED_TRACE(std::to_string(input) + " k" + std::to_string(kernel) + " s" + std::to_string(stride) +
                             " d" + std::to_string(dilation) + " p" + std::to_string(begin) + "," +
                             std::to_string(end) + (ceil_mode ? " ceil" : ""));
                const int64_t expected = Reference(input, window, ceil_mode);
                if (expected > 0) {
                  EXPECT_EQ(OutputExtent(input, window, ceil_mode), expected);
                } else {
                  EXPECT_THROW(OutputExtent(input, window, ceil_mode), Error);
                }
              }
            }
          }
        }
      }
    }
  }
}

// The expected values are those of torch.nn.functional.max_pool1d and conv1d.
TEST(OutputExtent, EqualsPyTorch) {
  EXPECT_EQ(OutputExtent(224, {7, 2, 3, 3, 1}), 112);
  EXPECT_EQ(OutputExtent(112, {3, 2, 0, 0, 1}, true), 56);
  EXPECT_EQ(OutputExtent(2, {3, 2, 0, 0, 1}, true), 1);
  EXPECT_EQ(OutputExtent(4, {1, 3, 0, 0, 1}, true), 2);
  EXPECT_EQ(OutputExtent(5, {2, 3, 1, 1, 1}, true), 2);
  EXPECT_EQ(OutputExtent(6, {3, 2, 1, 1, 1}, true), 4);
}

TEST(OutputExtent, RefusesWhatMakesNoSense) {
  EXPECT_THAT(ErrorText(ErrorCode::kShape, [] { OutputExtent(8, {0, 1, 0, 0, 1}); }), HasSubstr("kernel_size is 0"));
  EXPECT_THAT(ErrorText(ErrorCode::kShape, [] { OutputExtent(8, {3, 0, 0, 0, 1}); }), HasSubstr("stride is 0"));
  EXPECT_THAT(ErrorText(ErrorCode::kShape, [] { OutputExtent(8, {3, 1, 0, 0, 0}); }), HasSubstr("dilation is 0"));
  EXPECT_THAT(ErrorText(ErrorCode::kShape, [] { OutputExtent(8, {3, 1, -1, 0, 1}); }), HasSubstr("padding is -1"));
  EXPECT_THAT(ErrorText(ErrorCode::kShape, [] { OutputExtent(8, {3, 1, 0, -2, 1}); }), HasSubstr("padding is -2"));
  EXPECT_THAT(ErrorText(ErrorCode::kShape, [] { OutputExtent(-1, {3, 1, 0, 0, 1}); }), HasSubstr("input extent is -1"));
  EXPECT_THAT(ErrorText(ErrorCode::kShape, [] { OutputExtent(3, {3, 1, 0, 0, 2}); }), HasSubstr("covers 5 elements"));
  EXPECT_THAT(ErrorText(ErrorCode::kShape, [] { OutputExtent(0, {1, 1, 0, 0, 1}); }), HasSubstr("has only 0"));
}

TEST(OutputExtent, RefusesOverflow) {
  constexpr int64_t kHuge = std::numeric_limits<int64_t>::max();
  EXPECT_THAT(ErrorText(ErrorCode::kShape, [] { OutputExtent(8, {kHuge, 1, 0, 0, 4}); }), HasSubstr("overflows"));
  EXPECT_THAT(ErrorText(ErrorCode::kShape, [] { OutputExtent(kHuge, {1, 1, 1, 0, 1}); }), HasSubstr("overflows"));
  EXPECT_THAT(ErrorText(ErrorCode::kShape,
                        [] {
                          OutputExtent(kHuge, {1, kHuge, 0, 0, 1}, true);
                        }),
              HasSubstr("overflows"));
  EXPECT_THAT(ErrorText(ErrorCode::kShape,
                        [] {
                          TransposedExtent(kHuge, {1, 2, 0, 0, 1}, 0);
                        }),
              HasSubstr("overflows"));
}

TEST(TransposedExtent, InvertsOutputExtent) {
  for (int64_t output : {1, 3, 8, 17}) {
    for (int64_t kernel : {1, 2, 4}) {
      for (int64_t stride : {1, 2, 3}) {
        for (int64_t padding : {0, 1}) {
          for (int64_t extra = 0; extra < stride; ++extra) {
            const Window window{kernel, stride, padding, padding, 2};
            const int64_t extent = (output - 1) * stride - 2 * padding + 2 * (kernel - 1) + extra + 1;
            if (extent < 1) {
              EXPECT_THROW(TransposedExtent(output, window, extra), Error);
              continue;
            }
            EXPECT_EQ(TransposedExtent(output, window, extra), extent);
            EXPECT_EQ(OutputExtent(extent, window), output);
          }
        }
      }
    }
  }
}

TEST(TransposedExtent, RefusesTooMuchOutputPadding) {
  EXPECT_EQ(TransposedExtent(4, {3, 1, 0, 0, 2}, 1), 9);
  EXPECT_THAT(ErrorText(ErrorCode::kShape,
                        [] {
                          TransposedExtent(4, {3, 2, 0, 0, 1}, 2);
                        }),
              HasSubstr("output_padding is 2"));
  EXPECT_THAT(ErrorText(ErrorCode::kShape,
                        [] {
                          TransposedExtent(4, {3, 2, 0, 0, 1}, -1);
                        }),
              HasSubstr("output_padding is -1"));
}

TEST(PadSame, PutsTheOddElementAtTheEnd) {
  for (int64_t kernel : {1, 2, 3, 4, 7}) {
    for (int64_t dilation : {1, 2, 3}) {
      Window window{kernel, 1, 0, 0, dilation};
      PadSame(window);
      EXPECT_EQ(OutputExtent(9, window), 9);
      EXPECT_EQ(window.padding_end - window.padding_begin, dilation * (kernel - 1) % 2);
    }
  }
  Window strided{3, 2, 0, 0, 1};
  EXPECT_THAT(ErrorText(ErrorCode::kShape, [&] { PadSame(strided); }), HasSubstr("stride 1"));
}

TEST(MakeWindowGrid, ExtendsToThreeDimensions) {
  const WindowGrid grid = MakeWindowGrid({9, 12}, {{3, 2, 1, 1, 1}, {2, 2, 0, 0, 1}});
  EXPECT_EQ(grid.image, (Extents3{1, 9, 12}));
  EXPECT_EQ(grid.positions, (Extents3{1, 5, 6}));
  EXPECT_EQ(grid.taps(), 6);
  EXPECT_EQ(grid.position_count(), 30);
  EXPECT_EQ(grid.image_size(), 108);
}

TEST(MakeWindowGrid, RefusesWindowsThatCannotBeCounted) {
  const Window huge{int64_t{1} << 31, 1, int64_t{1} << 31, int64_t{1} << 31, 1};
  EXPECT_THAT(ErrorText(ErrorCode::kShape,
                        [&] {
                          MakeWindowGrid({8, 8, 8}, {huge, huge, huge});
                        }),
              HasSubstr("(4294967304,"));
  const Window ceiling{int64_t{1} << 31, int64_t{1} << 31, 0, 0, 1};
  EXPECT_THAT(ErrorText(ErrorCode::kShape,
                        [&] {
                          MakeWindowGrid({8, 8, 8}, {ceiling, ceiling, ceiling}, true);
                        }),
              HasSubstr("2147483648"));
}

}  // namespace
}  // namespace kuiper_infer
