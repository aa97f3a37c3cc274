// SPDX-License-Identifier: MIT
#include <csignal>
#include <fcntl.h>
#include <initializer_list>
#include <unistd.h>

#include "cli/terminal/standard_output.hpp"

namespace kuiper_infer::cli {

void PrepareStandardFiles() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // The lowest free number is taken, which is this one.
    if (fcntl(file, F_GETFD) == -1 && open("/dev/null", O_RDONLY) != file) return;
  }
}

}  // namespace kuiper_infer::cli
