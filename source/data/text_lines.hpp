// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "data/byte_source.hpp"

namespace kuiper_infer {

/// The lines of a text, read in blocks. A line has at most 16 MiB, far more than real lines have; without a limit a
/// file without line ends would be read into memory as a whole.
class TextLines {
 public:
  explicit TextLines(std::shared_ptr<const ByteSource> source) : source_(std::move(source)) {}

  /// Reads the next line without its line feed; returns false at the text's end. Throws Error(kFile) that names the
  /// text and the line if the line is too long or cannot be read.
  bool Next(std::string& line);

  const std::string& name() const { return source_->name(); }
  /// The number of the line that Next has read, counted from 1. After the last line it is the number of lines plus 1.
  int64_t number() const { return number_; }

 private:
  std::shared_ptr<const ByteSource> source_;
  uint64_t offset_ = 0;  ///< in the source, behind the block
  std::string block_;
  std::size_t at_ = 0;  ///< in the block
  int64_t number_ = 0;
};

}  // namespace kuiper_infer
