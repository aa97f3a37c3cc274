// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace kuiper_infer::cli {

/// Runs a program, which is looked for in the system's folders, and waits for its end. Returns its exit code, another
/// number than 0 if a signal has ended it; nothing if it can't be started.
std::optional<int> RunAndWait(std::vector<std::string> command);

}  // namespace kuiper_infer::cli
