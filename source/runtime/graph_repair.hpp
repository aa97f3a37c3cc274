// SPDX-License-Identifier: MIT
#pragma once

#include "kuiper_infer/runtime/ir.h"

namespace kuiper_infer {

/// Puts right what the converter is known to write wrong, where the graph itself tells what is meant. The kinds of
/// repair are listed in runtime/repair/repairs.hpp.
void RepairGraph(pnnx::Graph& graph);

}  // namespace kuiper_infer
