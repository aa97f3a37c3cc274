// SPDX-License-Identifier: MIT
#pragma once

#include "layer.hpp"

namespace kuiper_infer {

/// A layer without learned parameters.
using NonParamLayer = Layer;

}  // namespace kuiper_infer
