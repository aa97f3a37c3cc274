// SPDX-License-Identifier: MIT
#include "data/byte_source.hpp"

#include <cstring>

#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer {

std::shared_ptr<const ByteSource> ByteSource::OpenFile(const std::string& path) {
  File file = File::ToRead(path);
  const uint64_t size = file.Size(path);
  return std::shared_ptr<const ByteSource>(new ByteSource(path, std::move(file), nullptr, size));
}

std::shared_ptr<const ByteSource> ByteSource::OfMemory(std::string_view bytes, std::string name) {
  return std::shared_ptr<const ByteSource>(new ByteSource(std::move(name), std::nullopt, bytes.data(), bytes.size()));
}

std::string ByteSource::Text(uint64_t most_bytes) const {
  if (size_ > most_bytes) {
    throw Error(ErrorCode::kFile,
                name_ + ": has " + std::to_string(size_) + " bytes, expected at most " + std::to_string(most_bytes));
  }
  std::string text(size_, '\0');
  Read(0, size_, text.data());
  return text;
}

void ByteSource::Read(uint64_t offset, uint64_t count, void* target) const {
  if (offset > size_ || count > size_ - offset) {
    throw Error(ErrorCode::kFile, name_ + ": has " + std::to_string(size_) + " bytes, expected " +
                                      std::to_string(count) + " from byte " + std::to_string(offset) + " on");
  }
  if (!file_) {
    if (count > 0) std::memcpy(target, memory_ + offset, count);
    return;
  }
  auto* to = static_cast<char*>(target);
  for (uint64_t done = 0; done < count;) {
    const int64_t got = file_->ReadAt(offset + done, count - done, to + done);
    if (got < 0) FailWithErrno(name_, "cannot be read");
    if (got == 0) throw Error(ErrorCode::kFile, name_ + ": ends before byte " + std::to_string(offset + count));
    done += static_cast<uint64_t>(got);
  }
}

}  // namespace kuiper_infer
