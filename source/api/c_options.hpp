// SPDX-License-Identifier: MIT
#pragma once

#include "kuiper_infer/kuiper_c.h"
#include "kuiper_infer/runtime/build_options.hpp"

namespace kuiper_infer {

/// The options of a C program, which may have another version's struct; null gives the defaults. Throws Error that
/// names the member, its value and what was expected.
BuildOptions ReadBuildOptions(const kuiper_options* given);

/// A copy in this version's struct of the options of a C program, which may have another version's; null gives the
/// defaults. Throws Error(kInput) that names the member, its value and what was expected.
kuiper_run_options ReadRunOptions(const kuiper_run_options* given);

}  // namespace kuiper_infer
