// SPDX-License-Identifier: MIT
#include "cli/graph/graph_drawing.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>
#include <sstream>

#include "cli/graph/operator_kind.hpp"
#include "utils/xml_text.hpp"

namespace kuiper_infer::cli {
namespace {

constexpr const char* kInk = "#1f2933";
constexpr const char* kQuiet = "#5f6b76";

/// A string of the DOT language.
std::string Quote(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

/// Text in a label.
std::string Font(const std::string& text, const char* color, int size) {
  return "<FONT COLOR=\"" + std::string(color) + "\" POINT-SIZE=\"" + std::to_string(size) + "\">" + XmlText(text) +
         "</FONT>";
}

/// A colour from white to orange by the share of time, on a scale of square roots: most shares are small.
std::string Heat(double share) {
  const double heat = std::sqrt(std::clamp(4 * share, 0.0, 1.0));
  const auto mixed = [heat](int hottest) { return static_cast<unsigned>(std::lround(255 + heat * (hottest - 255))); };
  char color[16];
  std::snprintf(color, sizeof(color), "#%02x%02x%02x", mixed(0xee), mixed(0x83), mixed(0x4a));
  return color;
}

const OperatorKind& KindOf(const GraphRow& row) { return cli::KindOf(row.operators.front()->type); }

std::string NodeOf(const GraphRows& graph, std::size_t at, std::size_t count, double total) {
  const GraphRow& row = graph.rows[at];
  const bool border = row.IsBorder();
  const bool drawn_full = row.has_step || border;
  const std::string title = (count > 1 ? std::to_string(count) + " x " : "") + row.Title();
  std::string label = "<B>" + Font(title, drawn_full ? kInk : kQuiet, 11) + "</B><BR/>" + Font(row.Name(), kQuiet, 10);
  for (const std::string& text : {graph.ShapeText(at), graph.MethodText(at)}) {
    if (!text.empty()) label += "<BR/>" + Font(text, drawn_full ? kInk : kQuiet, 10);
  }
  std::string fill = "white";
  if (row.has_step && total > 0) {
    label += "<BR/>" + Font(TimeText(graph.Seconds(at), total), kInk, 10);
    fill = Heat(graph.Seconds(at) / total);
  }
  return Quote(row.Name()) + " [label=<" + label + ">, style=\"rounded," + (drawn_full ? "filled" : "dashed") +
         "\", color=\"" + KindOf(row).color + "\", fillcolor=\"" + fill + "\"];\n";
}

void DrawNodes(const GraphRows& graph, const std::vector<Fold>& folds, double total, const std::string& indent,
               std::ostream& dot) {
  for (const Fold& fold : folds) {
    if (fold.parts.empty()) {
      dot << indent << NodeOf(graph, fold.first, fold.count, total);
    } else if (fold.count == 1) {
      DrawNodes(graph, fold.parts, total, indent, dot);
    } else {
      // A frame's place and length make its name unique.
      dot << indent << "subgraph cluster_" << fold.first << "_" << fold.length << " {\n"
          << indent << "  label=" << Quote(std::to_string(fold.count) + " x")
          << "; style=\"rounded,filled\"; fillcolor=\"#f4f6f8\"; color=\"#d9dee4\"; labeljust=l;\n";
      DrawNodes(graph, fold.parts, total, indent + "  ", dot);
      dot << indent << "}\n";
    }
  }
}

/// A line of the heading, made of pieces that Font returns.
std::string Line(const std::string& pieces) { return "<TR><TD ALIGN=\"LEFT\">" + pieces + "</TD></TR>"; }

std::string LegendLine(const std::string& mark, const std::string& text) {
  return Line(mark + " " + Font(text, kQuiet, 10));
}

std::string Square(const std::string& color) { return Font("\xE2\x96\xA0", color.c_str(), 12); }

/// Title, totals, and the meaning of colours and lines.
std::string Heading(const GraphRows& graph, const GraphCaption& caption, double total) {
  std::set<std::string> used;
  bool dashed = false;
  for (std::size_t row = 0; row < graph.rows.size(); ++row) {
    if (graph.shown[row] != row) continue;
    used.insert(KindOf(graph.rows[row]).id);
    dashed = dashed || !(graph.rows[row].has_step || graph.rows[row].IsBorder());
  }
  std::string heading =
      R"(<TABLE BORDER="0" CELLPADDING="1" CELLSPACING="0">)" + Line("<B>" + Font(caption.title, kInk, 16) + "</B>");
  for (const std::string& line : caption.totals) heading += Line(Font(line, kInk, 11));
  for (const OperatorKind& kind : OperatorKinds()) {
    if (used.count(kind.id) > 0) heading += LegendLine(Square(kind.color), kind.name);
  }
  if (dashed) heading += LegendLine(Font("- -", kQuiet, 10), "fused with a neighbour, or a view");
  if (total > 0) {
    heading +=
        LegendLine(Square(Heat(0.01)) + Square(Heat(0.08)) + Square(Heat(0.25)), "1, 8, 25 % of the time and more");
  }
  return heading + "</TABLE>";
}

}  // namespace

std::string MakeDot(const GraphRows& graph, const GraphCaption& caption, double total) {
  std::ostringstream dot;
  const char* const font = "fontname=\"Helvetica,Arial,sans-serif\"";
  dot << "digraph model {\n"
      << "  graph [" << font << ", fontcolor=\"" << kQuiet
      << "\", fontsize=11, ranksep=0.25, bgcolor=\"white\", pad=0.2, "
      << "labelloc=t, labeljust=l, label=<" << Heading(graph, caption, total) << ">];\n"
      << "  node [" << font << ", shape=box, penwidth=1.6, margin=\"0.14,0.07\"];\n"
      << "  edge [color=\"#9aa5b1\", arrowsize=0.7];\n";
  DrawNodes(graph, graph.folds, total, "  ", dot);
  for (std::size_t row = 0; row < graph.rows.size(); ++row) {
    if (graph.shown[row] != row) continue;
    for (const std::size_t input : graph.Inputs(row)) {
      dot << "  " << Quote(graph.rows[input].Name()) << " -> " << Quote(graph.rows[row].Name()) << ";\n";
    }
  }
  dot << "}\n";
  return dot.str();
}

}  // namespace kuiper_infer::cli
