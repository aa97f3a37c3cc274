// SPDX-License-Identifier: MIT
#include "kernel/quantization/stored_integers.hpp"

#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace kuiper_infer::kernel {
namespace {

TEST(StoredIntegers, EveryByteIsANumberOfEightBits) {
  std::vector<uint8_t> bytes(256);
  std::iota(bytes.begin(), bytes.end(), uint8_t{0});
  std::vector<float> integers(256);
  DecodeIntegers(8, bytes.data(), 256, integers.data());
  for (int i = 0; i < 256; ++i) EXPECT_EQ(integers[i], i < 128 ? i : i - 256);
  std::vector<uint8_t> back(256, 7);
  EncodeIntegers(8, integers.data(), 256, back.data());
  EXPECT_EQ(back, bytes);
}

TEST(StoredIntegers, EveryByteIsTwoNumbersOfFourBits) {
  std::vector<uint8_t> bytes(256);
  std::iota(bytes.begin(), bytes.end(), uint8_t{0});
  std::vector<float> integers(512);
  DecodeIntegers(4, bytes.data(), 512, integers.data());
  for (int i = 0; i < 256; ++i) {
    EXPECT_EQ(integers[2 * i], i % 16 - 8);
    EXPECT_EQ(integers[2 * i + 1], i / 16 - 8);
  }
  std::vector<uint8_t> back(256, 7);
  EncodeIntegers(4, integers.data(), 512, back.data());
  EXPECT_EQ(back, bytes);
}

TEST(StoredIntegers, EachGroupHasItsScale) {
  const std::vector<float> scales{2, 10, 0.5F, 100};
  std::vector<float> numbers(12, 3);
  MultiplyByScales(2, 6, scales.data(), 2, numbers.data());
  EXPECT_EQ(numbers, (std::vector<float>{6, 6, 6, 30, 30, 30, 1.5F, 1.5F, 1.5F, 300, 300, 300}));
}

}  // namespace
}  // namespace kuiper_infer::kernel
