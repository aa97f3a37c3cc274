// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "kuiper_infer/data/value.hpp"
#include "operation/schema.hpp"

namespace kuiper_infer {

// What a known value means where an argument of some kind is wanted; nothing where it can't be one.

/// The value as a number, where it is one or an array of one element.
std::optional<Value> AsNumber(const Value& value);
/// The value as an integer, where it is a bool, an integer, or a float that is one exactly.
std::optional<int64_t> AsInt(const Value& value);
/// The value as a real number, where it is one, or one of the words inf and nan, which the format writes without
/// quotes.
std::optional<double> AsFloat(const Value& value);
/// The element type that a name such as torch.float or PyTorch's code means; kTypeUnknown for anything else.
RuntimeDataType AsType(const Value& value);
/// The items of a list-valued argument; a single value is a list of one, a rank-1 array a list of its elements.
std::vector<Value> Items(const Value& value);

/// Whether a known value can stand for the argument.
bool Fits(const ArgumentSchema& argument, const Value& value);

}  // namespace kuiper_infer
