// SPDX-License-Identifier: MIT
#include "text/vocabulary.hpp"

#include <algorithm>

namespace kuiper_infer::text {

Vocabulary::Vocabulary(std::vector<std::string> names) : names_(std::move(names)) {
  numbers_.reserve(names_.size());
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (!names_[i].empty()) numbers_[names_[i]] = static_cast<int32_t>(i);
    longest_ = std::max(longest_, names_[i].size());
  }
}

int32_t Vocabulary::FindByte(unsigned char byte) const {
  constexpr char kDigits[] = "0123456789ABCDEF";
  return Find(std::string("<0x") + kDigits[byte >> 4] + kDigits[byte & 15] + ">");
}

}  // namespace kuiper_infer::text
