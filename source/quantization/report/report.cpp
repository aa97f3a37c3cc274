// SPDX-License-Identifier: MIT
#include "quantization/report/report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace kuiper_infer::quantization {
namespace {

std::string Fixed(const std::optional<double>& value, int digits, const std::string& unknown) {
  if (!value) return unknown;
  if (std::isinf(*value)) return *value > 0 ? "inf" : "-inf";
  char text[64];
  std::snprintf(text, sizeof(text), "%.*f", digits, *value);
  return text;
}

std::string Whole(const std::optional<int64_t>& value, const std::string& unknown) {
  return value ? std::to_string(*value) : unknown;
}

/// The columns of a row, without columns of numbers that no layer has.
using Cells = std::vector<std::string>;

struct Columns {
  bool times = false;
  bool bytes = false;
};

Columns ColumnsOf(const Report& report) {
  Columns columns;
  for (const LayerRow& row : report.layers) {
    columns.times = columns.times || row.before_ms || row.after_ms;
    columns.bytes = columns.bytes || row.before_bytes || row.after_bytes;
  }
  return columns;
}

Cells Header(const Report& report, const Columns& columns) {
  Cells cells{"layer", "type", "form", report.decibels_of + " dB"};
  if (columns.times) cells.insert(cells.end(), {"ms before", "ms after"});
  if (columns.bytes) cells.insert(cells.end(), {"bytes before", "bytes after"});
  cells.emplace_back("reason");
  return cells;
}

Cells CellsOf(const LayerRow& row, const Columns& columns) {
  Cells cells{row.name, row.type, row.form, Fixed(row.decibels, 1, "-")};
  if (columns.times) cells.insert(cells.end(), {Fixed(row.before_ms, 4, "-"), Fixed(row.after_ms, 4, "-")});
  if (columns.bytes) cells.insert(cells.end(), {Whole(row.before_bytes, "-"), Whole(row.after_bytes, "-")});
  cells.push_back(row.reason);
  return cells;
}

}  // namespace

std::string ReportText(const Report& report) {
  const Columns columns = ColumnsOf(report);
  std::vector<Cells> lines{Header(report, columns)};
  for (const LayerRow& row : report.layers) lines.push_back(CellsOf(row, columns));
  std::vector<std::size_t> widths(lines.front().size(), 0);
  for (const Cells& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  }
  constexpr std::size_t kWords = 3;  // the first columns and the last hold words
  std::string text;
  for (const Cells& line : lines) {
    std::string row;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::string blanks(widths[i] - line[i].size(), ' ');
      const bool words = i < kWords || i + 1 == line.size();
      row += (i > 0 ? "  " : "") + (words ? line[i] + blanks : blanks + line[i]);
    }
    text += row.substr(0, row.find_last_not_of(' ') + 1) + "\n";
  }
  for (const std::string& remark : report.remarks) text += remark + "\n";
  return text;
}

}  // namespace kuiper_infer::quantization
