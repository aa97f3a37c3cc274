// SPDX-License-Identifier: MIT
#include "cli/graph_drawing.hpp"

#include <cmath>
#include <cstdio>
#include <map>
#include <sstream>

namespace kuiper_infer::cli {
namespace {

/// What became of an operator: its steps, or none where it was joined with another or is only a view.
struct Drawn {
  double seconds = 0;
  std::string method;
  bool has_step = false;
  bool channels_last = false;
};

std::map<std::string, Drawn> CollectSteps(const Steps& steps) {
  std::map<std::string, Drawn> drawn;
  for (const auto& step : steps) {
    Drawn& op = drawn[step.name];
    op.seconds += step.seconds;
    op.has_step = true;
    op.channels_last = op.channels_last || step.channels_last;
    if (!step.method.empty()) op.method = step.method;
  }
  return drawn;
}

/// A string of the DOT language.
std::string Quote(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

/// From white to red by the share of time, on a scale of square roots: most shares are small.
std::string Heat(double share) {
  char color[16];
  const int fade = 255 - static_cast<int>(std::lround(200 * std::sqrt(std::min(1.0, 4 * share))));
  std::snprintf(color, sizeof(color), "#ff%02x%02x", static_cast<unsigned>(fade), static_cast<unsigned>(fade));
  return color;
}

std::string ShapeOf(const RuntimeOperand& operand) {
  return operand.has_shape ? ShapeString(Shape(operand.shapes.begin(), operand.shapes.end())) : "";
}

std::string NodeOf(const RuntimeOperator& op, const std::map<std::string, Drawn>& drawn, double total) {
  const bool border = op.type == "pnnx.Input" || op.type == "pnnx.Output";
  const auto found = drawn.find(op.name);
  std::ostringstream node;
  std::ostringstream label;
  label << op.type << "\n" << op.name;
  std::string style = "shape=box, style=\"rounded,filled\", fillcolor=white";
  if (border) {
    style = "shape=oval, style=filled, fillcolor=lightblue";
  } else if (found == drawn.end()) {
    style = "shape=box, style=\"rounded,dashed\", color=gray, fontcolor=gray40";
  } else {
    const Drawn& step = found->second;
    if (!step.method.empty()) label << "\n" << step.method;
    if (step.channels_last) label << "\nchannels last";
    if (total > 0) {
      char share[48];
      std::snprintf(share, sizeof(share), "%.3f ms, %.1f %%", step.seconds * 1e3, 100 * step.seconds / total);
      label << "\n" << share;
      style = "shape=box, style=\"rounded,filled\", fillcolor=" + Quote(Heat(step.seconds / total));
    }
  }
  std::string text = Quote(label.str());
  for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at)) text.replace(at, 1, "\\n");
  node << "  " << Quote(op.name) << " [label=" << text << ", " << style << "];\n";
  return node.str();
}

}  // namespace

std::string MakeDot(const RuntimeGraph& graph, const Steps& steps, bool timed) {
  const std::map<std::string, Drawn> drawn = CollectSteps(steps);
  const double total = timed ? Total(steps) : 0;
  std::map<const RuntimeOperand*, std::string> producers;
  std::ostringstream dot;
  dot << "digraph model {\n  node [fontname=\"sans-serif\", fontsize=11];\n  edge [fontname=\"sans-serif\", "
         "fontsize=9];\n";
  for (const auto& op : graph.operators()) {
    dot << NodeOf(*op, drawn, total);
    for (const auto& operand : op->output_operands_seq) producers[operand.get()] = op->name;
  }
  for (const auto& op : graph.operators()) {
    for (const auto& operand : op->input_operands_seq) {
      dot << "  " << Quote(producers[operand.get()]) << " -> " << Quote(op->name)
          << " [label=" << Quote(ShapeOf(*operand)) << "];\n";
    }
  }
  dot << "}\n";
  return dot.str();
}

}  // namespace kuiper_infer::cli
