// SPDX-License-Identifier: MIT
#include "cli/quantize/gate_process.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <thread>
#include <unistd.h>

#include <sys/wait.h>

#include "kuiper_infer/utils/error.hpp"
#include "utils/numbers_string.hpp"

namespace kuiper_infer::cli {
namespace {

constexpr std::chrono::milliseconds kMoment{10};
constexpr std::chrono::seconds kGrace{2};

/// Starts a program whose standard output is `output`. Returns 0, or errno's number if that fails.
int Start(const std::vector<std::string>& command, int output, pid_t& pid) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  std::vector<std::string> words = command;
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const int failure = posix_spawnp(&pid, argv.front(), &actions, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return failure;
}

}  // namespace

void GateProcess::Fail(const std::string& text) const {
  throw Error(ErrorCode::kInput, "gate '" + program_ + "': " + text);
}

GateProcess::GateProcess(const std::vector<std::string>& command) : program_(command.front()) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) Fail(std::string("a pipe for its output cannot be made: ") + std::strerror(errno));
  const int failure = Start(command, ends[1], pid_);
  close(ends[1]);
  output_ = ends[0];
  if (failure == 0) return;
  close(output_);
  Fail(std::string("cannot be started: ") + std::strerror(failure));
}

GateProcess::~GateProcess() {
  if (pid_ != 0) Reap(SIGTERM);
  close(output_);
}

bool GateProcess::HasEnded() const {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != 0;
}

int GateProcess::Reap(int signal) {
  if (!HasEnded()) {
    kill(-pid_, signal);
    const Clock::time_point end = Clock::now() + kGrace;
    while (!HasEnded() && Clock::now() < end) std::this_thread::sleep_for(kMoment);
  }
  kill(-pid_, SIGKILL);  // what the program has started and left, too
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = 0;
  return status;
}

bool GateProcess::ReadPiece(std::string& output) {
  pollfd wait{output_, POLLIN, 0};
  if (poll(&wait, 1, static_cast<int>(kMoment.count())) <= 0) return true;
  char piece[512];
  const ssize_t count = read(output_, piece, sizeof(piece));
  if (count < 0) return errno == EINTR;
  output.append(piece, static_cast<std::size_t>(count));
  return count > 0;
}

std::string GateProcess::Output(std::size_t most_bytes, double seconds, const HeldSignals& signals) {
  const Clock::time_point start = Clock::now();
  std::string output;
  // The output may end before the program; and a process that it has started may keep the output open for ever.
  for (bool open = true; open || !HasEnded();) {
    const bool ended = HasEnded();
    const std::size_t before = output.size();
    if (open) open = ReadPiece(output);
    if (!open) std::this_thread::sleep_for(kMoment);
    if (ended && output.size() == before) break;
    if (output.size() > most_bytes) {
      Fail("prints more than " + std::to_string(most_bytes) + " bytes, expected one number");
    }
    if (const int signal = signals.noted(); signal != 0) {
      Reap(signal);
      Fail("interrupted by signal " + std::to_string(signal));
    }
    if (std::chrono::duration<double>(Clock::now() - start).count() > seconds) {
      Fail("has not ended after " + NumberString(seconds) + " s, expected a number within --gate-timeout");
    }
  }
  const int status = Reap(SIGTERM);
  if (WIFSIGNALED(status)) Fail("was ended by signal " + std::to_string(WTERMSIG(status)) + ", expected exit code 0");
  if (WEXITSTATUS(status) != 0) Fail("ended with exit code " + std::to_string(WEXITSTATUS(status)) + ", expected 0");
  return output;
}

}  // namespace kuiper_infer::cli
