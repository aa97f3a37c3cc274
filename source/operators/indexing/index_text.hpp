// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "kuiper_infer/data/value.hpp"

namespace kuiper_infer {

/// Reads index lists as files write them: nested brackets of None, True, False and integers, such as
/// "[None,[2,1],[True,False]]". Throws Error(kArgument) that names the column.
Value ParseIndexText(const std::string& text);

/// Converts an integer, a bool or a nested list of these to an array (bool if all items are, else int64). Throws
/// Error(kArgument) if lists of the same level differ in length.
NdArray IndexArray(const Value& value);

}  // namespace kuiper_infer
