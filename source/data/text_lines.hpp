// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "data/byte_source.hpp"

namespace kuiper_infer {

/// The lines of a text, read in blocks. A line has at most 16 MiB: no real one comes near, and a file of any size may
/// have no line ends at all.
class TextLines {
 public:
  explicit TextLines(std::shared_ptr<const ByteSource> source) : source_(std::move(source)) {}

  /// Reads the next line without its line feed; false at the text's end. Throws Error(kFile) that names the text and
  /// the line where it is too long or cannot be read.
  bool Next(std::string& line);

  const std::string& name() const { return source_->name(); }
  /// The number of the line that Next has read, from 1 on; behind the last one, the number that one more would have.
  int64_t number() const { return number_; }

 private:
  std::shared_ptr<const ByteSource> source_;
  uint64_t offset_ = 0;  ///< in the source, behind the block
  std::string block_;
  std::size_t at_ = 0;  ///< in the block
  int64_t number_ = 0;
};

}  // namespace kuiper_infer
