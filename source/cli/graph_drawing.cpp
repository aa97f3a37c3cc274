// SPDX-License-Identifier: MIT
#include "cli/graph_drawing.hpp"

#include <cmath>
#include <cstdio>
#include <sstream>

namespace kuiper_infer::cli {
namespace {

/// A string of the DOT language; line feeds in it centre the lines.
std::string Quote(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    c == '\n' ? quoted += "\\n" : quoted += c;
  }
  return quoted + "\"";
}

/// A colour from white to red by the share of time, on a scale of square roots: most shares are small.
std::string Heat(double share) {
  char color[16];
  const int fade = 255 - static_cast<int>(std::lround(200 * std::sqrt(std::min(1.0, 4 * share))));
  std::snprintf(color, sizeof(color), "#ff%02x%02x", static_cast<unsigned>(fade), static_cast<unsigned>(fade));
  return color;
}

bool IsBorder(const GraphRow& row) {
  return row.operators.front()->type == "pnnx.Input" || row.operators.front()->type == "pnnx.Output";
}

std::string TimeText(double seconds, double total) {
  char text[48];
  std::snprintf(text, sizeof(text), "%.3f ms, %.1f %%", seconds * 1e3, 100 * seconds / total);
  return text;
}

const std::string& NameOf(const GraphRow& row) { return row.operators.front()->name; }

std::string NodeOf(const GraphRows& graph, std::size_t at, std::size_t count, double total) {
  const GraphRow& row = graph.rows[at];
  std::string label = row.Title() + "\n" + NameOf(row);
  if (count > 1) label = std::to_string(count) + " x " + label;
  for (const std::string& text : {graph.ShapeText(at), graph.MethodText(at)}) {
    if (!text.empty()) label += "\n" + text;
  }
  std::string style = "shape=box, style=\"rounded,filled\", fillcolor=white";
  if (IsBorder(row)) {
    style = "shape=oval, style=filled, fillcolor=lightblue";
  } else if (!row.has_step) {
    style = "shape=box, style=\"rounded,dashed\", color=gray, fontcolor=gray40";
  } else if (total > 0) {
    label += "\n" + TimeText(graph.Seconds(at), total);
    style = "shape=box, style=\"rounded,filled\", fillcolor=" + Quote(Heat(graph.Seconds(at) / total));
  }
  return Quote(NameOf(row)) + " [label=" + Quote(label) + ", " + style + "];\n";
}

void DrawNodes(const GraphRows& graph, const std::vector<Fold>& folds, double total, const std::string& indent,
               std::ostream& dot) {
  for (const Fold& fold : folds) {
    if (fold.parts.empty()) {
      dot << indent << NodeOf(graph, fold.first, fold.count, total);
    } else if (fold.count == 1) {
      DrawNodes(graph, fold.parts, total, indent, dot);
    } else {
      // A frame's name has to be its own: where it begins and how long it is.
      dot << indent << "subgraph cluster_" << fold.first << "_" << fold.length << " {\n"
          << indent << "  label=" << Quote(std::to_string(fold.count) + " x") << "; style=rounded; labeljust=l;\n";
      DrawNodes(graph, fold.parts, total, indent + "  ", dot);
      dot << indent << "}\n";
    }
  }
}

/// Lines of the rows shown, numbered from 1; `gutter` stands before each of them, `first` before the first.
class TextWriter {
 public:
  TextWriter(const GraphRows& graph, double total) : graph_(graph), total_(total), numbers_(graph.rows.size()) {
    for (std::size_t row = 0, shown = 0; row < graph.rows.size(); ++row) {
      if (graph.shown[row] == row) numbers_[row] = ++shown;
    }
  }

  void Write(const std::vector<Fold>& folds, std::string first, const std::string& gutter) {
    for (const Fold& fold : folds) {
      char repeats[32];
      std::snprintf(repeats, sizeof(repeats), "%2zu x  ", fold.count);
      const bool repeated = fold.count > 1;
      if (fold.parts.empty()) {
        WriteLine(fold.first, first + (repeated ? repeats : ""));
      } else {
        Write(fold.parts, first + (repeated ? repeats : ""), gutter + (repeated ? "   |  " : ""));
      }
      first = gutter;
    }
  }

  std::string text() const { return text_.str(); }

 private:
  void WriteLine(std::size_t at, const std::string& gutter) {
    const GraphRow& row = graph_.rows[at];
    char number[32];
    std::snprintf(number, sizeof(number), "%3zu  ", numbers_[at]);
    text_ << number << gutter << row.Title();
    for (const std::string& text : {graph_.ShapeText(at), graph_.MethodText(at)}) {
      if (!text.empty()) text_ << "  " << text;
    }
    if (total_ > 0 && row.has_step) text_ << "  " << TimeText(graph_.Seconds(at), total_);
    text_ << "  " << NameOf(row);
    const std::vector<std::size_t> inputs = graph_.Inputs(at);
    if (inputs.size() > 1 || (inputs.size() == 1 && numbers_[inputs.front()] + 1 != numbers_[at])) {
      const char* separator = "  <- ";
      for (const std::size_t input : inputs) {
        text_ << separator << numbers_[input];
        separator = ", ";
      }
    }
    text_ << "\n";
  }

  const GraphRows& graph_;
  double total_;
  std::vector<std::size_t> numbers_;
  std::ostringstream text_;
};

}  // namespace

std::string MakeDot(const GraphRows& graph, double total) {
  std::ostringstream dot;
  dot << "digraph model {\n  node [fontname=\"sans-serif\", fontsize=11];\n  graph [fontname=\"sans-serif\", "
         "fontsize=14, ranksep=0.25];\n";
  DrawNodes(graph, graph.folds, total, "  ", dot);
  for (std::size_t row = 0; row < graph.rows.size(); ++row) {
    if (graph.shown[row] != row) continue;
    for (const std::size_t input : graph.Inputs(row)) {
      dot << "  " << Quote(NameOf(graph.rows[input])) << " -> " << Quote(NameOf(graph.rows[row])) << ";\n";
    }
  }
  dot << "}\n";
  return dot.str();
}

std::string MakeText(const GraphRows& graph, double total) {
  TextWriter writer(graph, total);
  writer.Write(graph.folds, "", "");
  return writer.text();
}

}  // namespace kuiper_infer::cli
