// SPDX-License-Identifier: MIT
#include "quantization/additions.hpp"

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

namespace kuiper_infer::quantization {
namespace {

/// Returns the text of a parameter; empty if the operator has none of that name.
std::string TextOf(const pnnx::Operator& op, const std::string& name) {
  const auto found = op.params.find(name);
  return found == op.params.end() ? "" : found->second.encode_to_string();
}

/// Returns whether an expression is add(...) of the terms @0, @1, ... and of further sums, and names each of the
/// `inputs` inputs once.
bool AddsEachOnce(std::string text, std::size_t inputs) {
  for (std::size_t at = text.find("add("); at != std::string::npos; at = text.find("add(")) text.erase(at, 4);
  text.erase(std::remove(text.begin(), text.end(), ')'), text.end());
  std::istringstream stream(text);
  std::vector<std::string> found;
  for (std::string term; std::getline(stream, term, ',');) found.push_back(term);
  std::vector<std::string> wanted;
  for (std::size_t i = 0; i < inputs; ++i) wanted.push_back("@" + std::to_string(i));
  return std::is_permutation(found.begin(), found.end(), wanted.begin(), wanted.end());
}

}  // namespace

bool IsSum(const pnnx::Operator& op) {
  if (op.inputs.size() < 2) return false;
  if (op.type == "torch.add" || op.type == "aten::add")
    return TextOf(op, "alpha").empty() || TextOf(op, "alpha") == "1";
  return op.type == "pnnx.Expression" && AddsEachOnce(TextOf(op, "expr"), op.inputs.size());
}

bool IsAddition(const pnnx::Operator& op) { return op.inputs.size() == 2 && IsSum(op); }

}  // namespace kuiper_infer::quantization
