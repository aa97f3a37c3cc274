// SPDX-License-Identifier: MIT
#include "cli/terminal/standard_output.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <string>

#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer::cli {

void FinishStandardOutput() {
  const bool printed = std::cout.flush().good();
  const bool written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (printed && written) return;
  // Another attempt gives the reason again, which other calls may have overwritten since.
  errno = 0;
  std::fputc('\n', stdout);
  std::fflush(stdout);
  throw Error(ErrorCode::kFile,
              std::string("cannot write to standard output: ") + std::strerror(errno != 0 ? errno : EIO));
}

}  // namespace kuiper_infer::cli
