// SPDX-License-Identifier: MIT
#include "data/byte_source.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <unistd.h>

#include <sys/stat.h>

#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer {
namespace {

[[noreturn]] void FailWithReason(const std::string& name, const std::string& what) {
  const int reason = errno;
  if (reason == ENOMEM) throw std::bad_alloc();
  throw Error(ErrorCode::kFile, name + ": " + what + ": " + std::strerror(reason));
}

}  // namespace

std::shared_ptr<const ByteSource> ByteSource::OpenFile(const std::string& path) {
  // Made first: it closes the file, whatever fails.
  const std::shared_ptr<ByteSource> source(new ByteSource(path, -1, nullptr, 0));
  source->file_ = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (source->file_ < 0) FailWithReason(path, "cannot be opened");
  struct stat status {};
  if (fstat(source->file_, &status) != 0) FailWithReason(path, "cannot be read");
  if (!S_ISREG(status.st_mode)) throw Error(ErrorCode::kFile, path + ": is no plain file");
  source->size_ = static_cast<uint64_t>(status.st_size);
  return source;
}

std::shared_ptr<const ByteSource> ByteSource::OfMemory(std::string_view bytes, std::string name) {
  return std::shared_ptr<const ByteSource>(new ByteSource(std::move(name), -1, bytes.data(), bytes.size()));
}

ByteSource::~ByteSource() {
  if (file_ >= 0) close(file_);
}

void ByteSource::Read(uint64_t offset, uint64_t count, void* target) const {
  if (offset > size_ || count > size_ - offset) {
    throw Error(ErrorCode::kFile, name_ + ": has " + std::to_string(size_) + " bytes, expected " +
                                      std::to_string(count) + " from byte " + std::to_string(offset) + " on");
  }
  if (file_ < 0) {
    if (count > 0) std::memcpy(target, memory_ + offset, count);
    return;
  }
  constexpr uint64_t kMostAtOnce = uint64_t{1} << 30;  // Linux reads at most 2 GiB in one call
  auto* to = static_cast<char*>(target);
  for (uint64_t done = 0; done < count;) {
    const auto got = pread(file_, to + done, std::min(kMostAtOnce, count - done), static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) FailWithReason(name_, "cannot be read");
    if (got == 0) throw Error(ErrorCode::kFile, name_ + ": ends before byte " + std::to_string(offset + count));
    done += static_cast<uint64_t>(got);
  }
}

}  // namespace kuiper_infer
