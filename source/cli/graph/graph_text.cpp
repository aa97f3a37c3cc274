// SPDX-License-Identifier: MIT
#include <cstdio>
#include <sstream>

#include "cli/graph/graph_drawing.hpp"

namespace kuiper_infer::cli {
namespace {

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
    text_ << "  " << row.Name();
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

std::string TimeText(double seconds, double total) {
  char text[48];
  std::snprintf(text, sizeof(text), "%.3f ms, %.1f %%", seconds * 1e3, 100 * seconds / total);
  return text;
}

std::string MakeText(const GraphRows& graph, double total) {
  TextWriter writer(graph, total);
  writer.Write(graph.folds, "", "");
  return writer.text();
}

}  // namespace kuiper_infer::cli
