// SPDX-License-Identifier: MIT
#include "data/bool_bytes.hpp"

#include <cstring>

namespace kuiper_infer {

bool HasBoolBytes(const NdArray& array) {
  if (array.type() != RuntimeDataType::kTypeBool) return true;
  constexpr uint64_t kOtherBits = 0xFEFEFEFEFEFEFEFE;
  constexpr int64_t kWord = sizeof(uint64_t);
  const auto* bytes = array.data<unsigned char>();
  uint64_t found = 0;
  int64_t i = 0;
  for (; i + kWord <= array.size(); i += kWord) {
    uint64_t word = 0;
    std::memcpy(&word, bytes + i, kWord);
    found |= word;
  }
  for (; i < array.size(); ++i) found |= bytes[i];
  return (found & kOtherBits) == 0;
}

void MakeBoolBytes(const NdArray& array) {
  if (HasBoolBytes(array)) return;
  auto* bytes = array.data<unsigned char>();
  for (int64_t i = 0; i < array.size(); ++i) bytes[i] = bytes[i] != 0 ? 1 : 0;
}

}  // namespace kuiper_infer
