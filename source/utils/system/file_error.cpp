// SPDX-License-Identifier: MIT
#include <cerrno>
#include <cstring>
#include <new>

#include "kuiper_infer/utils/error.hpp"
#include "utils/system/file.hpp"

namespace kuiper_infer {

void FailWithErrno(const std::string& path, const std::string& what) {
  const int reason = errno;
  if (reason == ENOMEM) throw std::bad_alloc();
  throw Error(ErrorCode::kFile, path + ": " + what + ": " + std::strerror(reason));
}

void CheckPath(const std::string& path) {
  if (path.empty()) throw Error(ErrorCode::kFile, "the path of a file is empty");
  if (path.find('\0') != std::string::npos) {
    throw Error(ErrorCode::kFile, std::string(path.c_str()) + ": the path holds a zero byte");
  }
}

}  // namespace kuiper_infer
