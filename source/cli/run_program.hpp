// SPDX-License-Identifier: MIT
#pragma once

namespace kuiper_infer::cli {

/// The program `kuiper` as a function with the arguments and the result of main. It prints to the process's standard
/// output and error, sets the process's logging and its handling of SIGPIPE, and throws nothing.
int RunProgram(int argc, const char* const* argv);

}  // namespace kuiper_infer::cli
