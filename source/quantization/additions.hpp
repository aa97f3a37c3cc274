// SPDX-License-Identifier: MIT
#pragma once

#include "kuiper_infer/runtime/ir.h"

namespace kuiper_infer::quantization {

/// Whether the operator adds its inputs, two or more, each of them once.
bool IsSum(const pnnx::Operator& op);

/// Whether the operator adds two arrays.
bool IsAddition(const pnnx::Operator& op);

}  // namespace kuiper_infer::quantization
