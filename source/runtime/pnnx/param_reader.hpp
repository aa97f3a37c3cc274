// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "kuiper_infer/runtime/ir.h"

namespace pnnx {

/// Reads a .param file into an empty graph: operators, operands, parameters, and the shapes and types of attributes.
/// Throws Error(kFile) that names the file, the line and what was expected there.
void ReadParam(Graph& graph, const std::string& path);

}  // namespace pnnx
