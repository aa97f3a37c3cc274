// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/model_states.hpp"

namespace kuiper_infer {

/// How sessions keep the elements of states. A state has the type that the model computes with, or the one of
/// GrowingInput::stored. In int8, the rows of a float32 state are kept as rows of integers with a scale
/// (kernel/attention/int8_rows.hpp), so that the last extent of the array that keeps them counts the scale's bytes.

/// By how much the last extent of the array that keeps elements of a state in the type `kept` exceeds theirs.
int64_t ScaleExtent(const StatePair& pair, RuntimeDataType kept);

/// The elements, row-major and in the type that the model computes with. `kept` is an array that keeps them.
NdArray ElementsOf(const StatePair& pair, const NdArray& kept);

/// Writes elements, which have the type that the model computes with, to the array that keeps them, or a view of it.
void KeepElements(const StatePair& pair, const NdArray& elements, const NdArray& kept);

}  // namespace kuiper_infer
