// SPDX-License-Identifier: MIT
#include "wave_file.hpp"

#include <random>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace demos {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Bytes = std::vector<uint8_t>;

void Append(Bytes& bytes, const std::string& name) { bytes.insert(bytes.end(), name.begin(), name.end()); }

void Append(Bytes& bytes, uint32_t number, int count) {
  for (int i = 0; i < count; ++i) bytes.push_back(static_cast<uint8_t>(number >> (8 * i)));
}

struct Format {
  uint32_t coding = 1;
  uint32_t channels = 1;
  uint32_t rate = 16000;
  uint32_t bits = 16;
};

Bytes Header(const Format& format = {}) {
  Bytes bytes;
  Append(bytes, "RIFF");
  Append(bytes, 0, 4);
  Append(bytes, "WAVEfmt ");
  Append(bytes, 16, 4);
  Append(bytes, format.coding, 2);
  Append(bytes, format.channels, 2);
  Append(bytes, format.rate, 4);
  Append(bytes, format.rate * 2, 4);
  Append(bytes, 2, 2);
  Append(bytes, format.bits, 2);
  return bytes;
}

Bytes WithData(Bytes bytes, uint32_t size, const std::vector<int>& samples) {
  Append(bytes, "data");
  Append(bytes, size, 4);
  for (const int sample : samples) Append(bytes, static_cast<uint32_t>(sample), 2);
  return bytes;
}

std::string ErrorOf(const Bytes& bytes) {
  try {
    ParseWave(bytes);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "no error";
}

TEST(WaveFileTest, GivesTheSamplesBetweenMinusOneAndOne) {
  const Sound sound = ParseWave(WithData(Header(), 8, {0, 16384, -32768, 32767}));
  EXPECT_EQ(sound.sampling_rate, 16000);
  EXPECT_THAT(sound.samples, ElementsAre(0, 0.5F, -1, 32767.0F / 32768));
}

TEST(WaveFileTest, PassesOverOtherChunks) {
  Bytes bytes = Header();
  Append(bytes, "LIST");
  Append(bytes, 3, 4);
  Append(bytes, "abc!");  // odd chunks are filled up
  EXPECT_THAT(ParseWave(WithData(bytes, 2, {16384})).samples, ElementsAre(0.5F));
}

TEST(WaveFileTest, ReadsTheExtensibleFormat) {
  Bytes bytes = Header({0xFFFE});
  bytes[16] = 40;
  Append(bytes, 22, 2);  // the extension's size
  Append(bytes, 16, 2);  // valid bits
  Append(bytes, 4, 4);   // the channels' places
  Append(bytes, 1, 4);   // the GUID: PCM
  Append(bytes, 0x100000, 4);
  Append(bytes, 0xAA000080, 4);
  Append(bytes, 0x719B3800, 4);
  EXPECT_THAT(ParseWave(WithData(bytes, 2, {16384})).samples, ElementsAre(0.5F));
}

TEST(WaveFileTest, GivesWhatIsThereOfAFileThatEndsEarly) {
  EXPECT_THAT(ParseWave(WithData(Header(), 0xFFFFFFFF, {16384, 0})).samples, ElementsAre(0.5F, 0));
}

TEST(WaveFileTest, SaysWhatIsWrong) {
  EXPECT_THAT(ErrorOf({}), HasSubstr("not a WAVE file"));
  EXPECT_THAT(ErrorOf(Header()), HasSubstr("no data chunk"));
  EXPECT_THAT(ErrorOf(WithData(Header({1, 2}), 2, {0})), HasSubstr("2 channels"));
  EXPECT_THAT(ErrorOf(WithData(Header({1, 1, 16000, 8}), 2, {0})), HasSubstr("with 8 bits"));
  EXPECT_THAT(ErrorOf(WithData(Header({3, 1, 16000, 32}), 2, {0})), HasSubstr("coding 3"));
  EXPECT_THAT(ErrorOf(WithData(Header({1, 1, 0}), 2, {0})), HasSubstr("sampling rate of 0"));
  Bytes without_format;
  Append(without_format, "RIFF0000WAVE");
  EXPECT_THAT(ErrorOf(WithData(without_format, 2, {0})), HasSubstr("before its fmt chunk"));
  EXPECT_THROW(ReadWave("no/such/file.wav"), std::runtime_error);
}

TEST(WaveFileTest, SurvivesDamagedFiles) {
  const Bytes whole = WithData(Header(), 20, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  for (std::size_t size = 0; size < whole.size(); ++size) {
    ErrorOf(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)));
  }
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (int i = 0; i < 2000; ++i) {
    Bytes damaged = whole;
    for (int k = 0; k < 3; ++k) damaged[random() % damaged.size()] = static_cast<uint8_t>(random());
    ErrorOf(damaged);
  }
}

}  // namespace
}  // namespace demos
