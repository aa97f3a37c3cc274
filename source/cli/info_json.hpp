// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "kuiper_infer/runtime/runtime_graph.hpp"

namespace kuiper_infer::cli {

/// What `kuiper info --json` prints of a built graph: one object in one line, with `inputs`, `outputs`, `states`,
/// `operators` (counts by type), `parameters`, `weight_bytes`, `planned_bytes` (null if an input shape is not known)
/// and `warnings`. Free extents are -1.
std::string InfoJson(const RuntimeGraph& graph);

}  // namespace kuiper_infer::cli
