// SPDX-License-Identifier: MIT
#pragma once

#include "kuiper_infer/runtime/ir.h"

namespace kuiper_infer {

/// Puts right what the converter is known to write wrong, where the graph itself tells what is meant:
/// * inputs that repeat a module's weights go;
/// * divisions of integers whose result is an index round down: torch.div's rounding mode is lost.
void RepairGraph(pnnx::Graph& graph);

}  // namespace kuiper_infer
