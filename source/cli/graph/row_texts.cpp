// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>

#include "cli/graph/graph_rows.hpp"

namespace kuiper_infer::cli {
namespace {

/// Returns the type that a row shows: "add(@0,@1)" for an expression, else the operator's type.
std::string TypeText(const RuntimeOperator& op) {
  const auto found = op.params.find("expr");
  const auto* expression =
      found == op.params.end() ? nullptr : dynamic_cast<const RuntimeParameterString*>(found->second.get());
  if (op.type != "pnnx.Expression" || expression == nullptr) return op.type;
  constexpr std::size_t kLongest = 40;
  return expression->value.size() > kLongest ? expression->value.substr(0, kLongest) + "..." : expression->value;
}

/// A type without its prefix: "relu" for "F.relu".
std::string ShortType(const RuntimeOperator& op) {
  const std::string text = TypeText(op);
  return text == op.type ? text.substr(text.find_last_of(".:") + 1) : text;
}

}  // namespace

std::string GraphRow::Title() const {
  std::string title = TypeText(*operators.front());
  constexpr std::size_t kMost = 6;
  for (std::size_t i = 1; i < std::min(kMost, operators.size()); ++i) title += " + " + ShortType(*operators[i]);
  if (operators.size() > kMost) title += " + " + std::to_string(operators.size() - kMost) + " more";
  return title;
}

std::string GraphRows::ShapeText(std::size_t row) const {
  Shape low = rows[row].OutputShape();
  Shape high = low;
  for (const std::size_t repeat : repeats[row]) {
    const Shape shape = rows[repeat].OutputShape();
    if (shape.size() != low.size()) return "";
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      low[axis] = std::min(low[axis], shape[axis]);
      high[axis] = std::max(high[axis], shape[axis]);
    }
  }
  std::string text;
  for (std::size_t axis = 0; axis < low.size(); ++axis) {
    text += (axis == 0 ? "" : ",") + (low[axis] < 0 ? "?" : std::to_string(low[axis]));
    if (high[axis] != low[axis]) text += ".." + std::to_string(high[axis]);
  }
  return text.empty() ? "" : "(" + text + ")";
}

std::string GraphRows::MethodText(std::size_t row) const {
  std::set<std::string> methods;
  std::set<std::string> types;
  bool channels_last = false;
  for (const std::size_t repeat : repeats[row]) {
    const GraphRow& one = rows[repeat];
    methods.insert(one.method);
    channels_last = channels_last || one.channels_last;
    const bool plain = one.stored == RuntimeDataType::kTypeUnknown || one.stored == RuntimeDataType::kTypeFloat32;
    if (!plain) types.insert(TypeName(one.stored));
  }
  methods.erase("");
  std::string text;
  for (const std::string& method : methods) text += (text.empty() ? "" : " or ") + method;
  if (channels_last) text += text.empty() ? "channels last" : ", channels last";
  for (const std::string& type : types) text += (text.empty() ? "" : ", ") + type;
  return text;
}

}  // namespace kuiper_infer::cli
