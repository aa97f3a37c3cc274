// SPDX-License-Identifier: MIT
#include "cli/gate_program.hpp"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <spawn.h>
#include <unistd.h>

#include <sys/wait.h>

#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer::cli {
namespace {

[[noreturn]] void Fail(const std::string& program, const std::string& text) {
  throw Error(ErrorCode::kInput, "gate '" + program + "': " + text);
}

/// Both files of a model, removed with the object.
struct TrialFiles {
  std::string param;
  std::string bin;

  explicit TrialFiles(const std::string& name) : param(name + ".pnnx.param"), bin(name + ".pnnx.bin") {}
  ~TrialFiles() {
    std::error_code ignored;
    std::filesystem::remove(param, ignored);
    std::filesystem::remove(bin, ignored);
  }
  TrialFiles(const TrialFiles&) = delete;
  TrialFiles& operator=(const TrialFiles&) = delete;
};

/// What the program prints, at most a few thousand characters of it.
std::string OutputOf(const std::string& program, const TrialFiles& files) {
  int ends[2];
  if (pipe(ends) != 0) Fail(program, std::string("no pipe for its output: ") + std::strerror(errno));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  std::string arguments[] = {program, files.param, files.bin};
  char* const argv[] = {arguments[0].data(), arguments[1].data(), arguments[2].data(), nullptr};
  pid_t pid = 0;
  const int failure = posix_spawnp(&pid, program.c_str(), &actions, nullptr, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string output;
  constexpr std::size_t kMost = 4096;
  char piece[512];
  for (ssize_t count = 0; failure == 0 && (count = read(ends[0], piece, sizeof(piece))) != 0;) {
    if (count < 0 && errno != EINTR) break;
    if (count > 0 && output.size() < kMost) output.append(piece, static_cast<std::size_t>(count));
  }
  close(ends[0]);
  if (failure != 0) Fail(program, std::string("cannot be started: ") + std::strerror(failure));
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) Fail(program, "was ended by signal " + std::to_string(WTERMSIG(status)));
  if (WEXITSTATUS(status) != 0) Fail(program, "ended with exit code " + std::to_string(WEXITSTATUS(status)));
  return output;
}

double NumberOf(const std::string& program, const std::string& output) {
  char* end = nullptr;
  const double number = std::strtod(output.c_str(), &end);
  const bool whole = end != output.c_str() && std::strspn(end, " \t\r\n") == std::strlen(end);
  if (!whole || !std::isfinite(number)) Fail(program, "prints '" + output.substr(0, 60) + "', expected one number");
  return number;
}

}  // namespace

quantization::Gate ProgramGate(const std::string& program, double at_least, const std::string& trial) {
  const auto measure = [=](std::unique_ptr<pnnx::Graph> graph) {
    const TrialFiles files(trial);
    if (graph->save(files.param, files.bin) != 0) throw Error(ErrorCode::kFile, graph->error());
    return NumberOf(program, OutputOf(program, files));
  };
  return {"the number that '" + program + "' prints", at_least, measure};
}

}  // namespace kuiper_infer::cli
