// SPDX-License-Identifier: MIT
#include <array>

#include "data/deflate.hpp"
#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer {
namespace {

constexpr int kBytesAtOnce = 8;

/// Table t holds the remainders of a byte that t bytes follow.
using Tables = std::array<std::array<uint32_t, 256>, kBytesAtOnce>;

Tables MakeTables() {
  Tables tables{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1) ^ ((rest & 1) != 0 ? 0xEDB88320U : 0);
    tables[0][byte] = rest;
  }
  for (int t = 1; t < kBytesAtOnce; ++t) {
    for (uint32_t byte = 0; byte < 256; ++byte) {
      const uint32_t before = tables[t - 1][byte];
      tables[t][byte] = (before >> 8) ^ tables[0][before & 0xFF];
    }
  }
  return tables;
}

}  // namespace

uint32_t Crc32OfRun(const void* bytes, std::size_t count) {
  static const Tables kTables = MakeTables();
  const auto* byte = static_cast<const unsigned char*>(bytes);
  uint32_t crc = ~uint32_t{0};
  for (; count >= kBytesAtOnce; count -= kBytesAtOnce, byte += kBytesAtOnce) {
    uint32_t next = 0;
    for (int i = 0; i < kBytesAtOnce; ++i) {
      const uint32_t running = i < 4 ? (crc >> (8 * i)) & 0xFF : 0;
      next ^= kTables[kBytesAtOnce - 1 - i][byte[i] ^ running];
    }
    crc = next;
  }
  for (; count > 0; --count, ++byte) crc = (crc >> 8) ^ kTables[0][(crc ^ *byte) & 0xFF];
  return ~crc;
}

bool Inflate(const void* /*packed*/, std::size_t /*packed_size*/, void* /*target*/, std::size_t /*size*/) {
  throw Error(
      ErrorCode::kUnsupported,
      "a packed entry needs libdeflate, which this build of KuiperInfer lacks; the converter writes unpacked ones");
}

}  // namespace kuiper_infer
