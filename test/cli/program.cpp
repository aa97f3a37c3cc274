// SPDX-License-Identifier: MIT
#include "cli/program.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <spawn.h>
#include <stdexcept>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>
#include <sys/wait.h>

extern char** environ;

namespace kuiper_infer::test {
namespace {

constexpr std::chrono::seconds kTimeLimit{20};

constexpr int kCreate = O_RDWR | O_CREAT | O_TRUNC;

/// Starts the program; -1 stands for no standard output.
pid_t Spawn(const std::vector<std::string>& arguments, const std::string& in, int out, const std::string& err) {
  std::vector<char*> argv{const_cast<char*>(KUIPER_PROGRAM)};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, in.c_str(), O_RDONLY, 0);
  if (out >= 0) {
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  } else {
    posix_spawn_file_actions_addclose(&actions, STDOUT_FILENO);
  }
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err.c_str(), kCreate, 0600);
  pid_t pid = 0;
  const int failure = posix_spawn(&pid, KUIPER_PROGRAM, &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) throw std::runtime_error(std::string(KUIPER_PROGRAM) + " cannot be started");
  return pid;
}

}  // namespace

std::string ReadText(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

namespace {

ProgramResult RunBetween(const std::string& input, int output, const std::vector<std::string>& arguments) {
  const TemporaryFolder folder;
  const pid_t pid = Spawn(arguments, input, output, folder / "err");
  const auto deadline = std::chrono::steady_clock::now() + kTimeLimit;
  ProgramResult result;
  int status = 0;
  while (waitpid(pid, &status, WNOHANG) == 0) {
    if (!result.timed_out && std::chrono::steady_clock::now() > deadline) {
      result.timed_out = true;
      kill(pid, SIGKILL);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  result.err = ReadText(folder / "err");
  return result;
}

}  // namespace

ProgramResult RunKuiper(const std::vector<std::string>& arguments) { return RunKuiperOn("/dev/null", arguments); }

ProgramResult RunKuiperOn(const std::string& input, const std::vector<std::string>& arguments) {
  const TemporaryFolder folder;
  const int out = open((folder / "out").c_str(), kCreate, 0600);
  ProgramResult result = RunBetween(input, out, arguments);
  close(out);
  result.out = ReadText(folder / "out");
  return result;
}

ProgramResult RunKuiperInto(int output, const std::vector<std::string>& arguments) {
  return RunBetween("/dev/null", output, arguments);
}

ProgramResult RunOnLineReader(const std::string& command, const std::vector<std::string>& more) {
  const std::string base = std::string(KUIPER_SOURCE_DIR) + "/tmp/line_reader.pnnx.";
  std::vector<std::string> arguments{command,      "--param", base + "param",           "--bin",
                                     base + "bin", "--shape", "pnnx_input_0=1,1,32,100"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return RunKuiper(arguments);
}

void ExpectErrorLine(const ProgramResult& result, const std::vector<std::string>& pieces) {
  SCOPED_TRACE("standard error: " + result.err);
  EXPECT_FALSE(result.timed_out);
  EXPECT_EQ(result.signal, 0);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1);
  EXPECT_TRUE(!result.err.empty() && result.err.back() == '\n');
  EXPECT_EQ(result.err.rfind("error: ", 0), 0U);
  for (const std::string& piece : pieces) EXPECT_NE(result.err.find(piece), std::string::npos) << "lacks: " << piece;
}

TemporaryFolder::TemporaryFolder() : path_(testing::TempDir() + "kuiper_XXXXXX") {
  if (mkdtemp(path_.data()) == nullptr) throw std::runtime_error(path_ + ": cannot be created");
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace kuiper_infer::test
