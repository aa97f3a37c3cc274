// SPDX-License-Identifier: MIT
#include "cli/terminal/progress_bar.hpp"

#include <cstdio>
#include <string>
#include <unistd.h>

namespace kuiper_infer::cli {
namespace {

constexpr auto kPatience = std::chrono::milliseconds(500);
constexpr auto kPause = std::chrono::milliseconds(100);

}  // namespace

ProgressBar::ProgressBar()
    : terminal_(isatty(STDERR_FILENO) != 0), next_(std::chrono::steady_clock::now() + kPatience) {}

ProgressBar::~ProgressBar() {
  if (shown_) std::fputs("\r\x1b[K", stderr);
}

void ProgressBar::Show(const RunProgress& progress) {
  if (!terminal_ || std::chrono::steady_clock::now() < next_) return;
  next_ = std::chrono::steady_clock::now() + kPause;
  shown_ = true;
  constexpr std::size_t kWidth = 40;
  const std::size_t filled = kWidth * progress.done / progress.total;
  const std::string bar = std::string(filled, '#') + std::string(kWidth - filled, '.');
  std::fprintf(stderr, "\r\x1b[K[%s] %zu/%zu %.30s", bar.c_str(), progress.done, progress.total, progress.type.c_str());
}

}  // namespace kuiper_infer::cli
