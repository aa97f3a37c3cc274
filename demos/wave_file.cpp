// SPDX-License-Identifier: MIT
#include "wave_file.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace demos {
namespace {

constexpr std::size_t kHeaderBytes = 12;      // "RIFF", size, "WAVE"
constexpr std::size_t kChunkHeaderBytes = 8;  // name, size
constexpr std::size_t kFormatBytes = 16;      // of the smallest "fmt " chunk
constexpr uint32_t kPcm = 1;
constexpr uint32_t kExtensible = 0xFFFE;  // also PCM, if the chunk's GUID starts with kPcm
constexpr std::size_t kExtensibleGuid = 24;

/// Little-endian.
uint32_t Number(const uint8_t* bytes, int count) {
  uint32_t value = 0;
  for (int i = count - 1; i >= 0; --i) value = value << 8 | bytes[i];
  return value;
}

bool IsNamed(const uint8_t* chunk, const char* name) { return std::equal(name, name + 4, chunk); }

/// Checks a "fmt " chunk and gives the sampling rate.
int ReadFormat(const uint8_t* format, std::size_t size) {
  if (size < kFormatBytes) throw std::runtime_error("its fmt chunk is too short");
  uint32_t coding = Number(format, 2);
  if (coding == kExtensible && size >= kExtensibleGuid + 2) coding = Number(format + kExtensibleGuid, 2);
  const uint32_t channels = Number(format + 2, 2);
  const uint32_t rate = Number(format + 4, 4);
  const uint32_t bits = Number(format + 14, 2);
  if (coding != kPcm || bits != 16) {
    throw std::runtime_error("holds samples of coding " + std::to_string(coding) + " with " + std::to_string(bits) +
                             " bits; 16-bit PCM is expected");
  }
  if (channels != 1) throw std::runtime_error("has " + std::to_string(channels) + " channels; one is expected");
  if (rate == 0 || rate > 1'000'000)
    throw std::runtime_error("has a sampling rate of " + std::to_string(rate) + ", expected 1 to 1000000");
  return static_cast<int>(rate);
}

}  // namespace

Sound ParseWave(const std::vector<uint8_t>& bytes) {
  if (bytes.size() < kHeaderBytes || !IsNamed(bytes.data(), "RIFF") || !IsNamed(bytes.data() + 8, "WAVE")) {
    throw std::runtime_error("is not a WAVE file");
  }
  Sound sound;
  std::size_t position = kHeaderBytes;
  while (bytes.size() - position >= kChunkHeaderBytes) {
    const uint8_t* chunk = bytes.data() + position;
    const uint8_t* content = chunk + kChunkHeaderBytes;
    const std::size_t there = bytes.size() - position - kChunkHeaderBytes;
    const std::size_t size = std::min<std::size_t>(Number(chunk + 4, 4), there);
    if (IsNamed(chunk, "fmt ")) {
      sound.sampling_rate = ReadFormat(content, size);
    } else if (IsNamed(chunk, "data")) {
      if (sound.sampling_rate == 0) throw std::runtime_error("has its data chunk before its fmt chunk");
      for (std::size_t i = 0; i + 1 < size; i += 2) {
        sound.samples.push_back(static_cast<float>(static_cast<int16_t>(Number(content + i, 2))) / 32768.0F);
      }
      return sound;
    }
    position += kChunkHeaderBytes + std::min(there, size + size % 2);  // chunks start at even places
  }
  throw std::runtime_error("has no data chunk");
}

Sound ReadWave(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<uint8_t> bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file) throw std::runtime_error(path + ": cannot be read");
  try {
    return ParseWave(bytes);
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(path + ": " + error.what());
  }
}

}  // namespace demos
