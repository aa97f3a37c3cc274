// SPDX-License-Identifier: MIT
#pragma once

#include "cli/command_line.hpp"
#include "kuiper_infer/text/generate_options.hpp"

namespace kuiper_infer::cli {

/// Adds the flags of an answer's options, which set `seed` and all members of `generate` except its seed. Both
/// must outlive the command.
void AddSamplingOptions(const Command& command, text::GenerateOptions& generate, int64_t& seed);

}  // namespace kuiper_infer::cli
