// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

namespace kuiper_infer {

/// x * y + z, rounded to the nearest float once. MinGW's std::fma rounds the product, too, so that results on Windows
/// would differ from results elsewhere.
inline float Fma(float x, float y, float z) {
#ifdef __MINGW32__
  const double product = static_cast<double>(x) * y;  // exact
  double sum = product + z;
  if (!std::isfinite(sum)) return static_cast<float>(sum);
  // Where the sum is not exact it is rounded to odd, from which rounding to float gives what the exact sum would
  // (Boldo, Melquiond, Emulation of a FMA and correctly rounded sums, 2008).
  const double rest = sum - product;
  const double error = (product - (sum - rest)) + (z - rest);
  int64_t bits;
  std::memcpy(&bits, &sum, sizeof(bits));
  if (error != 0 && bits % 2 == 0) {
    bits += (error > 0) == (sum > 0) ? 1 : -1;
    std::memcpy(&sum, &bits, sizeof(bits));
  }
  return static_cast<float>(sum);
#else
  return std::fma(x, y, z);
#endif
}

}  // namespace kuiper_infer
