// SPDX-License-Identifier: MIT
#include "data/checksum.hpp"

#include <algorithm>
#include <vector>

#include "data/deflate.hpp"
#include "utils/rounding.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer {
namespace {

// A checksum is a polynomial over the numbers 0 and 1 modulo kPolynomial; the uppermost bit is the coefficient of x^0.
constexpr uint32_t kPolynomial = 0xEDB88320U;
constexpr uint32_t kOne = 0x80000000U;
constexpr uint32_t kByteShift = kOne >> 8;  ///< x^8

uint32_t Product(uint32_t a, uint32_t b) {
  uint32_t product = 0;
  for (uint32_t coefficient = kOne; coefficient != 0; coefficient >>= 1) {
    if ((a & coefficient) != 0) product ^= b;
    b = (b >> 1) ^ ((b & 1) != 0 ? kPolynomial : 0);
  }
  return product;
}

}  // namespace

uint32_t Crc32(const void* bytes, std::size_t count) { return Crc32OfRun(bytes, count); }

uint32_t JoinedCrc32(uint32_t first, uint32_t second, uint64_t second_count) {
  // Each byte that follows the first run multiplies the polynomial of that run by x^8.
  uint32_t shift = kOne;
  uint32_t power = kByteShift;
  for (uint64_t rest = second_count; rest != 0; rest >>= 1) {
    if ((rest & 1) != 0) shift = Product(shift, power);
    power = Product(power, power);
  }
  return Product(first, shift) ^ second;
}

uint32_t SharedCrc32(const void* bytes, std::size_t count) {
  constexpr int64_t kPiece = int64_t{1} << 20;
  const auto size = static_cast<int64_t>(count);
  std::vector<uint32_t> pieces(static_cast<std::size_t>(DivideUp(size, kPiece)));
  ParallelFor(static_cast<int64_t>(pieces.size()), 1, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      const int64_t length = std::min(kPiece, size - i * kPiece);
      pieces[i] = Crc32(static_cast<const char*>(bytes) + i * kPiece, static_cast<std::size_t>(length));
    }
  });
  uint32_t crc = 0;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    crc = JoinedCrc32(crc, pieces[i], std::min(kPiece, size - static_cast<int64_t>(i) * kPiece));
  }
  return crc;
}

}  // namespace kuiper_infer
