// SPDX-License-Identifier: MIT
#pragma once

// RuntimeGraph with what programs use beside it: tensors and layers of their own. Sources that need neither compile
// faster with runtime_graph.hpp alone.
#include "../data/tensor.hpp"
#include "../layer/abstract/layer_factory.hpp"
#include "runtime_graph.hpp"
