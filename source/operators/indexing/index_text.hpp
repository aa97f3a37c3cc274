// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "kuiper_infer/data/value.hpp"

namespace kuiper_infer {

/// Reads index lists as files write them: nested brackets of None, True, False and integers, such as
/// "[None,[2,1],[True,False]]". Throws Error(kArgument) that names the column.
Value ParseIndexText(const std::string& text);

/// An integer, a bool or a nested list of these as an array (int64, or bool where all items are). Throws
/// Error(kArgument) if lists of the same level differ in length.
NdArray IndexArray(const Value& value);

}  // namespace kuiper_infer
