// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "runtime/step_times.hpp"

namespace kuiper_infer::cli {

/// The text of a file of the Trace Event Format, which Perfetto and browsers' trace viewers open, for a run that was
/// profiled with threads. One track shows the steps, and each further track what a thread did; no two events of a track
/// overlap.
std::string TraceText(const Steps& steps);

}  // namespace kuiper_infer::cli
