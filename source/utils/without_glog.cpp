// SPDX-License-Identifier: MIT
#include <cstdio>

#include "utils/log.hpp"

namespace kuiper_infer {

void Log(Severity severity, const std::string& text, const char* /*file*/, int /*line*/) {
  if (severity == Severity::kInfo) return;
  std::fprintf(stderr, "%s: %s\n", severity == Severity::kWarning ? "warning" : "error", text.c_str());
}

}  // namespace kuiper_infer
