// SPDX-License-Identifier: MIT
#include "utils/file.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <unistd.h>

#include <sys/stat.h>

#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer {
namespace {

const char* KindOf(mode_t mode) {
  if (S_ISDIR(mode)) return "a directory";
  if (S_ISFIFO(mode)) return "a FIFO";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

[[noreturn]] void FailNotRegular(const std::string& path, mode_t mode) {
  throw Error(ErrorCode::kFile, path + ": is " + KindOf(mode) + ", expected a regular file");
}

/// Opens without waiting for another process and without getting a controlling terminal. A path with a zero byte is
/// refused, because the system would end it there.
int OpenWithoutBlocking(const std::string& path, int flags) {
  if (path.empty()) throw Error(ErrorCode::kFile, "the path of a file is empty");
  if (path.find('\0') != std::string::npos) {
    throw Error(ErrorCode::kFile, std::string(path.c_str()) + ": the path holds a zero byte");
  }
  constexpr mode_t kMode = 0666;
  int descriptor = -1;
  do {
    descriptor = open(path.c_str(), flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, kMode);
  } while (descriptor < 0 && errno == EINTR);
  return descriptor;
}

}  // namespace

void FailWithErrno(const std::string& path, const std::string& what) {
  const int reason = errno;
  if (reason == ENOMEM) throw std::bad_alloc();
  throw Error(ErrorCode::kFile, path + ": " + what + ": " + std::strerror(reason));
}

File File::ToRead(const std::string& path) {
  File file(OpenWithoutBlocking(path, O_RDONLY));
  struct stat status {};
  if (file.descriptor_ < 0) {
    const int reason = errno;
    // A socket cannot be opened; the system's reason, "no such device or address", would not say so.
    if (reason == ENXIO && stat(path.c_str(), &status) == 0) FailNotRegular(path, status.st_mode);
    errno = reason;
    FailWithErrno(path, "cannot be opened");
  }
  if (fstat(file.descriptor_, &status) != 0) FailWithErrno(path, "cannot be read");
  if (!S_ISREG(status.st_mode)) FailNotRegular(path, status.st_mode);
  return file;
}

File File::ToWrite(const std::string& path) {
  File file(OpenWithoutBlocking(path, O_WRONLY | O_CREAT | O_TRUNC));
  if (file.descriptor_ < 0) {
    const int reason = errno;
    struct stat status {};
    if (reason == ENXIO && stat(path.c_str(), &status) == 0 && S_ISFIFO(status.st_mode)) {
      throw Error(ErrorCode::kFile, path + ": cannot be written: it is a FIFO that nobody reads");
    }
    errno = reason;
    FailWithErrno(path, "cannot be written");
  }
  // Whoever reads a FIFO may be slower than its writer.
  const int flags = fcntl(file.descriptor_, F_GETFL);
  if (flags < 0 || fcntl(file.descriptor_, F_SETFL, flags & ~O_NONBLOCK) != 0) {
    FailWithErrno(path, "cannot be written");
  }
  return file;
}

File::~File() { Close(); }

uint64_t File::Size(const std::string& path) const {
  struct stat status {};
  if (fstat(descriptor_, &status) != 0) FailWithErrno(path, "cannot be read");
  return static_cast<uint64_t>(status.st_size);
}

bool File::Close() {
  const int descriptor = descriptor_;
  descriptor_ = -1;
  return descriptor < 0 || close(descriptor) == 0;
}

}  // namespace kuiper_infer
