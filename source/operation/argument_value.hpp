// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "kuiper_infer/data/value.hpp"
#include "operation/schema.hpp"

namespace kuiper_infer {

// Conversions of known values to the kinds of arguments. They return nothing if the value can't be of that kind.

/// The value as a number: from a number or an array of one element.
std::optional<Value> AsNumber(const Value& value);
/// The value as an integer: from a bool, an integer, or a float without a fraction.
std::optional<int64_t> AsInt(const Value& value);
/// The value as a real number: from a real number, or from the words inf and nan, which the format writes without
/// quotes.
std::optional<double> AsFloat(const Value& value);
/// The element type that a name such as torch.float, or a number of PyTorch's ScalarType, stands for; kTypeUnknown for
/// anything else.
RuntimeDataType AsType(const Value& value);
/// The items of a list-valued argument; a single value is a list of one, a rank-1 array a list of its elements.
std::vector<Value> Items(const Value& value);

/// Whether a known value can stand for the argument.
bool Fits(const ArgumentSchema& argument, const Value& value);

}  // namespace kuiper_infer
