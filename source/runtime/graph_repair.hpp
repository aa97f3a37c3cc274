// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "kuiper_infer/runtime/ir.h"

namespace kuiper_infer {

/// Corrects what the converter is known to write wrong, if the graph itself determines what is meant. The kinds of
/// repair are listed in runtime/repair/repairs.hpp. Returns a warning for each place that had to be guessed.
std::vector<std::string> RepairGraph(pnnx::Graph& graph);

}  // namespace kuiper_infer
