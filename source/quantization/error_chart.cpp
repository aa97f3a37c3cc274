// SPDX-License-Identifier: MIT
#include "quantization/error_chart.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace kuiper_infer::quantization {
namespace {

constexpr int kRow = 18;
constexpr int kTop = 64;
constexpr int kBottom = 34;
constexpr int kBars = 420;   // width of the longest bar
constexpr int kNotes = 330;  // room for what is written behind the bars
constexpr int kLetter = 7;   // width of a letter, about
constexpr std::size_t kMostLetters = 48;

constexpr const char* kRounded = "#2b6cb0";
constexpr const char* kFloat = "#c9a227";

std::string Escaped(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      default:
        escaped += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
  }
  return escaped;
}

/// The end of a long name, which tells layers apart.
std::string Shortened(const std::string& name) {
  return name.size() <= kMostLetters ? name : "..." + name.substr(name.size() - kMostLetters + 3);
}

void Text(std::ostream& svg, double x, double y, const char* anchor, const std::string& text, const char* more = "") {
  svg << "<text x=\"" << x << "\" y=\"" << y << "\" text-anchor=\"" << anchor << "\"" << more << ">" << Escaped(text)
      << "</text>\n";
}

void Rectangle(std::ostream& svg, double x, double y, double width, double height, const char* color) {
  svg << "<rect x=\"" << x << "\" y=\"" << y << "\" width=\"" << width << "\" height=\"" << height << "\" fill=\""
      << color << "\"/>\n";
}

std::string NoteOf(const LayerRow& row) {
  std::string note;
  if (row.decibels) {
    char text[32];
    std::snprintf(text, sizeof(text), "%.1f", *row.decibels);
    note = text;
  }
  if (!row.reason.empty()) note += (note.empty() ? "" : "  ") + row.form + ": " + row.reason;
  return note;
}

/// The end of the scale, a multiple of ten decibels.
double ScaleEnd(const Report& report) {
  double most = 10;
  for (const LayerRow& row : report.layers) {
    if (row.decibels && std::isfinite(*row.decibels)) most = std::max(most, *row.decibels);
  }
  return 10 * std::ceil(most / 10);
}

}  // namespace

std::string DrawErrors(const Report& report, const std::string& title) {
  std::size_t letters = 0;
  for (const LayerRow& row : report.layers) letters = std::max(letters, Shortened(row.name).size());
  const double left = 20 + static_cast<double>(letters) * kLetter;
  const double width = std::max(left + kBars + kNotes, 700.0);
  const double bottom = kTop + kRow * static_cast<double>(report.layers.size());
  const double end = ScaleEnd(report);
  std::ostringstream svg;
  svg << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << width << "\" height=\"" << bottom + kBottom
      << "\" font-family=\"sans-serif\" font-size=\"12\">\n";
  Rectangle(svg, 0, 0, width, bottom + kBottom, "white");
  Text(svg, 10, 22, "start", title, " font-size=\"15\" font-weight=\"bold\"");
  Text(svg, 10, 44, "start",
       "Signal-to-noise ratio of each layer's " + report.decibels_of + " in dB, longer is better:");
  Rectangle(svg, 470, 34, 12, 12, kRounded);
  Text(svg, 487, 44, "start", "quantised");
  Rectangle(svg, 560, 34, 12, 12, kFloat);
  Text(svg, 577, 44, "start", "stays in float");
  for (double mark = 0; mark <= end; mark += 10) {
    const double x = left + kBars * mark / end;
    svg << "<line x1=\"" << x << "\" y1=\"" << kTop - 4 << "\" x2=\"" << x << "\" y2=\"" << bottom + 2
        << "\" stroke=\"#dddddd\"/>\n";
    Text(svg, x, bottom + 18, "middle", std::to_string(static_cast<int>(mark)), " fill=\"#555555\"");
  }
  double y = kTop;
  for (const LayerRow& row : report.layers) {
    const double decibels = row.decibels ? std::clamp(*row.decibels, 0.0, end) : 0.0;
    const double length = kBars * decibels / end;
    Text(svg, left - 6, y + 12, "end", Shortened(row.name));
    Rectangle(svg, left, y + 2, std::max(length, 1.0), kRow - 5, row.form == "float" ? kFloat : kRounded);
    Text(svg, left + length + 5, y + 12, "start", NoteOf(row), " fill=\"#333333\"");
    y += kRow;
  }
  svg << "</svg>\n";
  return svg.str();
}

}  // namespace kuiper_infer::quantization
