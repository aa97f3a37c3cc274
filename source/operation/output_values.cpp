// SPDX-License-Identifier: MIT
#include "operation/output_values.hpp"

#include <algorithm>

namespace kuiper_infer {
namespace {

/// Appends the arrays of an argument. False if it holds anything else.
bool CollectArrays(const Argument& argument, std::vector<int>& inputs) {
  if (argument.none()) return true;
  if (const TensorArgument* tensor = argument.tensor()) {
    inputs.push_back(tensor->input);
    return true;
  }
  const Argument::List* list = argument.list();
  return list != nullptr &&
         std::all_of(list->begin(), list->end(), [&](const Argument& item) { return CollectArrays(item, inputs); });
}

bool Holds(const OutputValues& values, const Arguments& arguments) {
  if (values.condition == nullptr) return true;
  try {
    return values.condition(arguments);
  } catch (const Error&) {
    return false;  // an argument that the condition reads is not known before the run
  }
}

}  // namespace

std::vector<int> PreservedInputs(const OutputValues& values, const Arguments& arguments) {
  if (values.kind != OutputValues::Kind::kPreserved || !Holds(values, arguments)) return {};
  std::vector<int> inputs;
  for (const std::string& source : values.sources) {
    if (!CollectArrays(arguments.Get(source), inputs)) return {};
  }
  return inputs;
}

}  // namespace kuiper_infer
