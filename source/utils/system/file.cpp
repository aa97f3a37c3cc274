// SPDX-License-Identifier: MIT
#include "utils/system/file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
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

/// Opens without waiting for another process and without getting a controlling terminal.
int OpenWithoutBlocking(const std::string& path, int flags) {
  CheckPath(path);
  constexpr mode_t kMode = 0666;
  int descriptor = -1;
  do {
    descriptor = open(path.c_str(), flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, kMode);
  } while (descriptor < 0 && errno == EINTR);
  return descriptor;
}

}  // namespace

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

int64_t File::ReadAt(uint64_t offset, uint64_t count, void* target) const {
  constexpr uint64_t kMostAtOnce = uint64_t{1} << 30;  // Linux reads at most 2 GiB in one call
  ssize_t got = 0;
  do {
    got = pread(descriptor_, target, std::min(kMostAtOnce, count), static_cast<off_t>(offset));
  } while (got < 0 && errno == EINTR);
  return got;
}

int64_t File::Write(std::string_view bytes) const {
  constexpr std::size_t kMostAtOnce = std::size_t{1} << 30;  // Linux writes at most 2 GiB in one call
  ssize_t done = 0;
  do {
    done = write(descriptor_, bytes.data(), std::min(kMostAtOnce, bytes.size()));
  } while (done < 0 && errno == EINTR);
  return done;
}

bool File::Close() {
  const int descriptor = descriptor_;
  descriptor_ = -1;
  return descriptor < 0 || close(descriptor) == 0;
}

bool IsDeviceOrPipe(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

bool SyncFile(const std::string& path) { return fsync(File::ToRead(path).descriptor()) == 0; }

bool MoveFileTo(const std::string& from, const std::string& to) { return std::rename(from.c_str(), to.c_str()) == 0; }

void RemoveFile(const std::string& path) { std::remove(path.c_str()); }

}  // namespace kuiper_infer
