// SPDX-License-Identifier: MIT
#pragma once

#include "kuiper_infer/runtime/ir.h"

namespace kuiper_infer::quantization {

/// Whether every array that the operator makes holds only elements of its first input, or zeros.
bool KeepsGrid(const pnnx::Operator& op);

/// Whether the operator is a concatenation: its result holds the elements of all its inputs side by side.
bool IsJoin(const pnnx::Operator& op);

/// Whether the operator adds two or more inputs, each of them once.
bool IsSum(const pnnx::Operator& op);

/// Whether the operator adds two arrays.
bool IsAddition(const pnnx::Operator& op);

/// Whether the operator is an activation that convolutions can fuse.
bool IsActivation(const pnnx::Operator& op);

}  // namespace kuiper_infer::quantization
