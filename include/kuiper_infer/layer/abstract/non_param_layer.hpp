// SPDX-License-Identifier: MIT
#pragma once

#include "layer.hpp"

namespace kuiper_infer {

/// A layer without learned parameters.
using NonParamLayer = templates::Layer<float>;

}  // namespace kuiper_infer
