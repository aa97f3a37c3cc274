// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "kuiper_infer/runtime/ir.h"

namespace kuiper_infer {

/// The attribute's bytes. If they are still in their file, they are read.
std::vector<char> BytesOf(const pnnx::Attribute& attribute);

/// The attribute of the operator "pnnx.Attribute" that produces the operand; null if another operator produces it.
pnnx::Attribute* ConstantOf(const pnnx::Operand* operand);

/// The attribute that ConstantOf returns, if the converter has computed it, otherwise null. The converter folds
/// everything that does not depend on an input into constants.
pnnx::Attribute* FoldedConstantOf(const pnnx::Operand* operand);

/// The place of the input that is the weight of a linear layer or of an embedding. Nothing for any other operator, or
/// if the weight is an attribute of the operator.
std::optional<std::size_t> WeightInputOf(const pnnx::Operator& op);

/// The elements of a constant of float32, float64 or float16 as float32; empty for other element types, and
/// in graphs that were loaded without weights.
std::vector<float> FloatsOf(const pnnx::Attribute& attribute);

}  // namespace kuiper_infer
