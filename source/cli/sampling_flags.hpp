// SPDX-License-Identifier: MIT
#pragma once

#include "cli/command_line.hpp"
#include "kuiper_infer/text/generate_options.hpp"

namespace kuiper_infer::cli {

/// Adds the flags of an answer's options, which set the members of `generate`. It must outlive the command.
void AddSamplingOptions(const Command& command, text::GenerateOptions& generate);

}  // namespace kuiper_infer::cli
