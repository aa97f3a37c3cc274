// SPDX-License-Identifier: MIT
#pragma once

#include "kuiper_infer/kuiper_c.h"
#include "kuiper_infer/runtime/runtime_graph.hpp"

namespace kuiper_infer {

/// The graph of a handle, for interfaces to other languages that tell more about a model than the C interface does.
const RuntimeGraph& GraphOf(const kuiper_model& model);

}  // namespace kuiper_infer
