// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace kuiper_infer::cli {

/// The CPU's name as the system gives it; empty where it gives none.
std::string CpuName();

}  // namespace kuiper_infer::cli
