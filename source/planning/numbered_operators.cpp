// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include "planning/topology.hpp"

namespace kuiper_infer {
namespace {

Operators OfType(const Operators& operators, const std::string& type) {
  Operators found;
  for (const auto& op : operators) {
    if (op->type == type) found.push_back(op);
  }
  return found;
}

/// The number N in "pnnx_input_N"; -1 for any other name.
long NumberOf(const std::string& name, const std::string& prefix) {
  if (name.compare(0, prefix.size(), prefix) != 0 || name.size() == prefix.size()) return -1;
  const std::string digits = name.substr(prefix.size());
  const bool number = digits.size() < 10 && digits.find_first_not_of("0123456789") == std::string::npos;
  return number ? std::stol(digits) : -1;
}

Operators SortedByNumber(Operators operators, const std::string& prefix) {
  const bool numbered =
      std::all_of(operators.begin(), operators.end(), [&](const auto& op) { return NumberOf(op->name, prefix) >= 0; });
  if (numbered) {
    std::stable_sort(operators.begin(), operators.end(), [&](const auto& a, const auto& b) {
      return NumberOf(a->name, prefix) < NumberOf(b->name, prefix);
    });
  }
  return operators;
}

}  // namespace

Operators InputOperators(const Operators& operators) {
  return SortedByNumber(OfType(operators, "pnnx.Input"), "pnnx_input_");
}

Operators OutputOperators(const Operators& operators) {
  return SortedByNumber(OfType(operators, "pnnx.Output"), "pnnx_output_");
}

}  // namespace kuiper_infer
