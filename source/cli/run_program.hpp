// SPDX-License-Identifier: MIT
#pragma once

namespace kuiper_infer::cli {

/// The program `kuiper` as a function: what main gets, and gives back. Prints to the process's standard output and
/// error, sets its logging and how it takes SIGPIPE, and throws nothing.
int RunProgram(int argc, const char* const* argv);

}  // namespace kuiper_infer::cli
