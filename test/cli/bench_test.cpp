// SPDX-License-Identifier: MIT
// The output of `kuiper bench` for one caller, for several clients, and after an interrupt.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <thread>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>

#include "cli/bench/run_times.hpp"
#include "cli/program.hpp"

namespace kuiper_infer::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

void ExpectRates(const json& report, int clients) {
  EXPECT_GT(report.at("requests_per_s").get<double>(), 0);
  EXPECT_GE(report.at("runs").get<int>(), clients) << "every client asks once at least";
  EXPECT_GT(report.at("min_ms").get<double>(), 0);
  EXPECT_LE(report.at("min_ms").get<double>(), report.at("p50_ms").get<double>());
  EXPECT_EQ(report.at("median_ms"), report.at("p50_ms"));
  EXPECT_LE(report.at("p50_ms").get<double>(), report.at("p95_ms").get<double>());
  EXPECT_LE(report.at("p95_ms").get<double>(), report.at("p99_ms").get<double>());
}

TEST(BenchClientsTest, StreamsAndThreadsAreShownSideBySide) {
  const ProgramResult result = RunOnLineReader("bench", {"--clients", "3", "--seconds", "0.2", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 1);
  const json report = json::parse(result.out);
  ExpectRates(report, 3);
  ExpectRates(report.at("in_turn"), 3);
  EXPECT_EQ(report.at("clients"), 3);
  EXPECT_EQ(report.at("threads"), 1);
  for (const char* key : {"spread", "peak_mib", "load_ms"}) EXPECT_TRUE(report.at(key).is_number()) << key;
  // In turn, each client waits for the runs of the two other clients.
  const double one_run = report.at("in_turn").at("min_ms").get<double>();
  EXPECT_GT(report.at("in_turn").at("p99_ms").get<double>(), 2 * one_run);
}

TEST(BenchClientsTest, ThreadsChooseTheWay) {
  const ProgramResult result =
      RunOnLineReader("bench", {"--clients", "2", "--threads", "2", "--seconds", "0.05", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json report = json::parse(result.out);
  ExpectRates(report, 2);
  EXPECT_EQ(report.at("threads"), 2);
  EXPECT_FALSE(report.contains("in_turn"));
}

TEST(BenchClientsTest, PrintsALineForEachWay) {
  const ProgramResult result = RunOnLineReader("bench", {"--clients", "2", "--seconds", "0"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("2 clients of one model"));
  EXPECT_THAT(result.out, HasSubstr("requests/s    p50 ms    p95 ms    p99 ms\nstreams "));
  EXPECT_THAT(result.out, HasSubstr("\nin turn "));
}

TEST(BenchClientsTest, AsManyAsMakeSense) {
  for (const char* clients : {"0", "-1", "1025", "nan"}) {
    EXPECT_EQ(RunOnLineReader("bench", {"--clients", clients}).exit_code, 2) << clients;
  }
}

/// Returns whether a process has a handler of SIGINT. The program has one from its first run on.
bool CatchesInterrupts(pid_t pid) {
  const std::string status = ReadText("/proc/" + std::to_string(pid) + "/status");
  const std::size_t at = status.find("SigCgt:");
  return at != std::string::npos && (std::stoull(status.substr(at + 7), nullptr, 16) >> (SIGINT - 1) & 1) != 0;
}

/// Starts a bench that would take a minute, and interrupts it once it measures.
ProgramResult Interrupted(const std::vector<std::string>& more) {
  const TemporaryFolder folder;
  std::vector<std::string> words = {KUIPER_PROGRAM, "bench",
                                    "--param",      KUIPER_SOURCE_DIR "/tmp/line_reader.pnnx.param",
                                    "--bin",        KUIPER_SOURCE_DIR "/tmp/line_reader.pnnx.bin",
                                    "--shape",      "1,1,32,100",
                                    "--seconds",    "60"};
  words.insert(words.end(), more.begin(), more.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const std::string out = folder / "out";
  const std::string err = folder / "err";
  const pid_t pid = fork();
  if (pid == 0) {
    signal(SIGINT, SIG_DFL);
    dup2(open(out.c_str(), O_WRONLY | O_CREAT, 0600), STDOUT_FILENO);
    dup2(open(err.c_str(), O_WRONLY | O_CREAT, 0600), STDERR_FILENO);
    execv(KUIPER_PROGRAM, argv.data());
    _exit(127);
  }
  for (int waited = 0; !CatchesInterrupts(pid) && waited < 2000; ++waited) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  std::this_thread::sleep_for(std::chrono::seconds(1));  // for warming up and some runs
  kill(pid, SIGINT);
  ProgramResult result;
  int status = 0;
  for (int waited = 0; waitpid(pid, &status, WNOHANG) == 0; ++waited) {
    if (waited == 2000) {
      result.timed_out = true;
      kill(pid, SIGKILL);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  result.out = ReadText(out);
  result.err = ReadText(err);
  return result;
}

TEST(BenchInterruptTest, PrintsWhatThereIs) {
  for (const std::vector<std::string>& more :
       std::vector<std::vector<std::string>>{{"--json"}, {"--json", "--clients", "2"}}) {
    const ProgramResult result = Interrupted(more);
    SCOPED_TRACE(result.err);
    EXPECT_FALSE(result.timed_out);
    EXPECT_EQ(result.exit_code, 128 + SIGINT);
    EXPECT_THAT(result.err, HasSubstr("interrupted: the figures are those of the runs until then"));
    const json report = json::parse(result.out);
    EXPECT_GT(report.at("median_ms").get<double>(), 0);
    EXPECT_GT(report.at("runs").get<int>(), 0);
  }
}

TEST(RunTimesTest, QuantilesAreNearestRanks) {
  std::vector<double> hundred;
  for (int i = 1; i <= 100; ++i) hundred.push_back(i);
  EXPECT_EQ(cli::Quantile(hundred, 0), 1);
  EXPECT_EQ(cli::Quantile(hundred, 0.5), 50);
  EXPECT_EQ(cli::Quantile(hundred, 0.99), 99);
  EXPECT_EQ(cli::Quantile(hundred, 1), 100);
  EXPECT_EQ(cli::Quantile({7}, 0.99), 7);
  EXPECT_EQ(cli::Quantile({}, 0.5), 0);
}

TEST(RunTimesTest, NotesTellOfBusyMachinesAndOfUnequalRuns) {
  const MachineLoad idle{0.1, 0.01, 0};
  EXPECT_EQ(cli::NoteOnLoad(idle, 2, 2, 0.1), "");
  EXPECT_THAT(cli::NoteOnLoad({3.5, 1.25, 0.5}, 2, 2, 0.1),
              HasSubstr("kept 1.25 of 2 processors busy, the host took 0.50 (steal); load average 3.5"));
  EXPECT_EQ(cli::NoteOnLoad({3.5, 1.25, 0.5}, 0.01, 2, 0.1), "") << "too short to tell";
  EXPECT_THAT(cli::NoteOnLoad(idle, 2, 2, 1.5), HasSubstr("slow runs took 2.5 times as long as fast ones"));
  EXPECT_THAT(cli::NoteOnLoad({3.5, 1.25, 0.5}, 2, 2, 1.5), HasSubstr("; slow runs"));
}

}  // namespace
}  // namespace kuiper_infer::test
