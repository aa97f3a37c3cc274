// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace kuiper_infer::text {

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): a bijection in which each bit depends on all bits.
inline uint64_t MixBits(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

/// Number `index` of the sequence of a seed, from 0 to below 1, a multiple of 2^-53. It is a function of its arguments
/// alone, with integers of fixed widths, so it is the same on every platform and whatever was drawn before.
inline double RandomNumber(uint64_t seed, uint64_t index) {
  // The seed is mixed first: SplitMix64's sequences of neighbouring states are the same sequence, shifted.
  const uint64_t bits = MixBits(MixBits(seed + 0x9e3779b97f4a7c15U) + (index + 1) * 0x9e3779b97f4a7c15U);
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

}  // namespace kuiper_infer::text
