// SPDX-License-Identifier: MIT
#include <atomic>
#include <cstdio>

#include "utils/system/log.hpp"

namespace kuiper_infer {
namespace {

constexpr int kNone = static_cast<int>(Severity::kError) + 1;
std::atomic<int> least_shown{static_cast<int>(Severity::kWarning)};

}  // namespace

void Log(Severity severity, const std::string& text, const char* /*file*/, int /*line*/) {
  constexpr const char* kNames[] = {"info", "warning", "error"};
  const int level = static_cast<int>(severity);
  if (level >= least_shown) std::fprintf(stderr, "%s: %s\n", kNames[level], text.c_str());
}

void ShowLog(bool shown) { least_shown = shown ? static_cast<int>(Severity::kInfo) : kNone; }

}  // namespace kuiper_infer
