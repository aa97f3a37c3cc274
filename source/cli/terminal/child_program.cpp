// SPDX-License-Identifier: MIT
#include "cli/terminal/child_program.hpp"

#include <spawn.h>
#include <unistd.h>

#include <sys/wait.h>

namespace kuiper_infer::cli {

std::optional<int> RunAndWait(std::vector<std::string> command) {
  std::vector<char*> words;
  for (std::string& word : command) words.push_back(word.data());
  words.push_back(nullptr);
  pid_t child = 0;
  if (posix_spawnp(&child, words.front(), nullptr, nullptr, words.data(), environ) != 0) return std::nullopt;
  int status = -1;
  waitpid(child, &status, 0);
  constexpr int kNotFound = 127;
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNotFound) return std::nullopt;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace kuiper_infer::cli
