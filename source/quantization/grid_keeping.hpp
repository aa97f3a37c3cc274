// SPDX-License-Identifier: MIT
#pragma once

#include "kuiper_infer/runtime/ir.h"

namespace kuiper_infer::quantization {

/// Whether every array that the operator makes holds only elements of its first input, or zeros.
bool KeepsGrid(const pnnx::Operator& op);

/// Whether its result holds the elements of all its inputs, side by side.
bool IsJoin(const pnnx::Operator& op);

/// Whether it adds its inputs, two or more, each of them once.
bool IsSum(const pnnx::Operator& op);

/// Whether it adds two arrays.
bool IsAddition(const pnnx::Operator& op);

/// Whether it is an activation that convolutions can do while they store.
bool IsActivation(const pnnx::Operator& op);

}  // namespace kuiper_infer::quantization
