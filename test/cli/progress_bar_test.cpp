// SPDX-License-Identifier: MIT
#include "cli/terminal/progress_bar.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fcntl.h>
#include <thread>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kuiper_infer::test {
namespace {

/// Redirects standard error to a pseudo-terminal as long as the object lives.
class Terminal {
 public:
  Terminal() : master_(posix_openpt(O_RDWR | O_NOCTTY)), error_(dup(STDERR_FILENO)) {
    if (grantpt(master_) != 0 || unlockpt(master_) != 0) return;
    slave_ = open(ptsname(master_), O_RDWR | O_NOCTTY);
    dup2(slave_, STDERR_FILENO);
    fcntl(master_, F_SETFL, O_NONBLOCK);
  }
  ~Terminal() {
    dup2(error_, STDERR_FILENO);
    for (const int file : {slave_, error_, master_}) close(file);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  bool opened() const { return slave_ >= 0; }

  /// Returns the text written since the last call.
  std::string Read() const {
    std::fflush(stderr);
    std::array<char, 4096> text{};
    const ssize_t count = read(master_, text.data(), text.size());
    return {text.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0))};
  }

 private:
  const int master_;
  const int error_;
  int slave_ = -1;
};

RunProgress Progress(std::size_t done) {
  static const std::string name = "features.0";
  static const std::string type = "nn.Conv2d";
  return {done, 4, name, type};
}

void WaitForPatience() { std::this_thread::sleep_for(std::chrono::milliseconds(600)); }

TEST(ProgressBarTest, AppearsInLongRunsAndGoes) {
  const Terminal terminal;
  if (!terminal.opened()) GTEST_SKIP() << "this machine gives no terminal";
  std::string early;
  std::string half;
  std::string soon;
  std::string end;
  {
    cli::ProgressBar bar;
    bar.Show(Progress(1));
    early = terminal.Read();
    WaitForPatience();
    bar.Show(Progress(2));
    half = terminal.Read();
    bar.Show(Progress(3));
    soon = terminal.Read();
  }
  end = terminal.Read();
  EXPECT_EQ(early, "");
  EXPECT_THAT(half, testing::HasSubstr("[" + std::string(20, '#') + std::string(20, '.') + "] 2/4 nn.Conv2d"));
  EXPECT_EQ(soon, "") << "written more often than eyes can follow";
  EXPECT_EQ(end, "\r\x1b[K");
}

TEST(ProgressBarTest, FilesGetNone) {
  testing::internal::CaptureStderr();
  {
    cli::ProgressBar bar;
    WaitForPatience();
    bar.Show(Progress(2));
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace kuiper_infer::test
