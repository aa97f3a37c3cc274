// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "utils/system/machine_load.hpp"

namespace kuiper_infer {

// What machine_load.cpp asks of the system.

/// Nothing if the system doesn't tell.
std::optional<ProcessorSeconds> ReadProcessorSeconds();

/// Processor time of this process.
double OwnSeconds();

/// Threads that ran or waited for a processor, on average over the last minute; 0 if the system doesn't tell.
double LoadAverage();

}  // namespace kuiper_infer
