// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace kuiper_infer {

enum class Severity { kInfo, kWarning, kError };

/// Writes a message to the program's log: the seam to glog. log.cpp calls it; a build without glog (KUIPER_STAND_INS)
/// compiles without_glog.cpp, which writes warnings and errors to the standard error stream. `file` and `line` are the
/// caller's place.
void Log(Severity severity, const std::string& text, const char* file = __builtin_FILE(), int line = __builtin_LINE());

/// Shows all messages on the standard error stream, or none of them. For programs that have no log but this.
void ShowLog(bool shown);

}  // namespace kuiper_infer
