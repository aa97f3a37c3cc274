// SPDX-License-Identifier: MIT
#include <map>

#include "operation/row_binder.hpp"

namespace kuiper_infer {

void RowBinder::BindInputs(const std::vector<Argument>& inputs) {
  std::vector<std::size_t> unnamed;
  std::map<int, Argument::List> named;  // by argument; the items of a list have the list's name
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::string name = i < call_.input_names.size() ? call_.input_names[i] : "";
    const int index = operation_.schema->Find(name);
    // Inputs without a name of the schema count by position: expressions refer to their inputs by number, and an
    // operator that the converter made of a pattern may have names of that pattern.
    if (index < 0) {
      unnamed.push_back(i);
    } else {
      named[index].push_back(inputs[i]);
    }
  }
  for (auto& [index, given] : named) {
    const bool holds_list = schema_[index].list || schema_[index].kind == ArgumentKind::kAny;
    const bool several = given.size() > 1 && holds_list && TakesArrays(schema_[index]);
    Assign(index, several ? Argument{std::move(given)} : given.back());
  }
  // Raw TorchScript operators give every argument in order; all other operators give only arrays.
  const bool raw = IsRaw(call_.type);
  std::size_t next = 0;
  for (std::size_t index = 0; index < schema_.size() && next < unnamed.size(); ++index) {
    if (!values_[index].absent() || (!raw && !TakesArrays(schema_[index]))) continue;
    if (schema_[index].list && TakesArrays(schema_[index]) && !raw) {
      Argument::List rest;
      for (; next < unnamed.size(); ++next) rest.push_back(inputs[unnamed[next]]);
      if (rest.size() == 1 && rest.front().list() != nullptr && schema_[index].kind == ArgumentKind::kTensorList) {
        rest = Argument::List(*rest.front().list());
      }
      Assign(static_cast<int>(index), Argument{std::move(rest)});
    } else {
      Assign(static_cast<int>(index), inputs[unnamed[next++]]);
    }
  }
  if (next < unnamed.size()) {
    Fail("", std::to_string(inputs.size()) + " inputs are more than its arguments (" + operation_.schema->text() + ")");
  }
}

}  // namespace kuiper_infer
