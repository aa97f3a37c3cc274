// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/states/model_states.hpp"

namespace kuiper_infer {

/// How sessions keep the elements of states. A state has the type that the model computes with, or the one of
/// GrowingInput::stored. In int8, the rows of a float32 state are kept as rows of integers with a scale
/// (kernel/attention/int8_rows.hpp), so that the last extent of the array that keeps them counts the scale's bytes.

/// The part of the last extent that holds a row's scale in an array that keeps a state in the type `kept`; 0: none.
int64_t ScaleExtent(const StatePair& pair, RuntimeDataType kept);

/// The elements that the array `kept` keeps, row-major and in the type that the model computes with.
NdArray ElementsOf(const StatePair& pair, const NdArray& kept);

/// Writes elements, in the type that the model computes with, to `kept`, an array that keeps them or a view of it.
void KeepElements(const StatePair& pair, const NdArray& elements, const NdArray& kept);

}  // namespace kuiper_infer
