// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace kuiper_infer::cli {

/// The CPU's name as the system gives it; empty if the system does not name it.
std::string CpuName();

/// The most memory that the process has held, in MiB.
double PeakMebibytes();

}  // namespace kuiper_infer::cli
