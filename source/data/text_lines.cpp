// SPDX-License-Identifier: MIT
#include "data/text_lines.hpp"

#include <algorithm>

#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer {

bool TextLines::Next(std::string& line) {
  constexpr std::size_t kMostBytes = 16 << 20;
  constexpr uint64_t kBlock = 1 << 16;
  line.clear();
  ++number_;
  while (true) {
    if (at_ == block_.size()) {
      if (offset_ == source_->size()) return !line.empty();
      block_.resize(std::min(kBlock, source_->size() - offset_));
      source_->Read(offset_, block_.size(), block_.data());
      offset_ += block_.size();
      at_ = 0;
    }
    const std::size_t end = std::min(block_.find('\n', at_), block_.size());
    if (line.size() + (end - at_) > kMostBytes) {
      throw Error(ErrorCode::kFile, name() + ":" + std::to_string(number_) + ": the line is longer than " +
                                        std::to_string(kMostBytes) + " bytes");
    }
    line.append(block_, at_, end - at_);
    at_ = end;
    if (end == block_.size()) continue;
    ++at_;
    return true;
  }
}

}  // namespace kuiper_infer
