// SPDX-License-Identifier: MIT
#pragma once

#include "kuiper_infer/runtime/ir.h"
#include "runtime/pnnx/param_file.hpp"

namespace pnnx {

/// Reads .param text into an empty graph: operators, operands, parameters, and the shapes and types of attributes.
/// Throws Error(kFile) that names the file, the line and what was expected there.
void ReadParam(Graph& graph, ParamFile file);

}  // namespace pnnx
