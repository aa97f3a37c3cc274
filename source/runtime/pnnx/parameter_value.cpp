// SPDX-License-Identifier: MIT
#include "runtime/pnnx/parameter_value.hpp"

#include <algorithm>

#include "kuiper_infer/utils/error.hpp"
#include "utils/shorten.hpp"

namespace pnnx {
namespace {

using kuiper_infer::Value;

template <class T, class Item>
Value ListOf(const std::vector<Item>& items) {
  Value::List list;
  list.reserve(items.size());
  for (const Item& item : items) list.emplace_back(static_cast<T>(item));
  return list;
}

/// Throws for a text in the place of an integer.
void CheckInteger(const Value& value) {
  if (!value.Is<std::string>()) return;
  throw kuiper_infer::Error(
      kuiper_infer::ErrorCode::kArgument,
      "found " + kuiper_infer::Shorten(value.Get<std::string>()) + ", expected integers of 64 bits");
}

Value ExactValueOf(const Parameter& parameter) {
  const Value& exact = *parameter.exact;
  CheckInteger(exact);
  if (exact.Is<Value::List>()) {
    for (const Value& item : exact.Get<Value::List>()) CheckInteger(item);
  }
  return exact;
}

}  // namespace

Value ValueOf(const Parameter& parameter) {
  if (parameter.exact != nullptr) return ExactValueOf(parameter);
  switch (parameter.type) {
    case 1:
      return parameter.b;
    case 2:
      return parameter.i;
    case 3:
      return static_cast<double>(parameter.f);
    case 4:
      return parameter.s;
    case 5:
      return ListOf<int64_t>(parameter.ai);
    case 6:
      return ListOf<double>(parameter.af);
    case 7:
      return ListOf<std::string>(parameter.as);
    case 10:
      return std::complex<double>(parameter.c);
    case 11:
      return ListOf<std::complex<double>>(parameter.ac);
    default:
      return {};
  }
}

}  // namespace pnnx
