// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "kuiper_infer/runtime/ir.h"

namespace kuiper_infer {

/// The attribute's bytes, also where they are still in their file.
std::vector<char> BytesOf(const pnnx::Attribute& attribute);

/// The one attribute of an operator "pnnx.Attribute" that produces the operand; null where another one does.
pnnx::Attribute* ConstantOf(const pnnx::Operand* operand);

/// The attribute where the converter has computed it: all that depends on no input is folded into such constants.
pnnx::Attribute* FoldedConstantOf(const pnnx::Operand* operand);

/// The elements of a constant of float32, float64 or float16 as float32; empty for other element types, and
/// in graphs that were loaded without weights.
std::vector<float> FloatsOf(const pnnx::Attribute& attribute);

}  // namespace kuiper_infer
