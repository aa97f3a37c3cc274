// SPDX-License-Identifier: MIT
#include "quantization/report_chart.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>
#include <utility>
#include <vector>

#include "quantization/svg_drawing.hpp"

namespace kuiper_infer::quantization {
namespace {

constexpr int kRow = 18;
constexpr int kTop = 84;
constexpr int kBottom = 34;
constexpr int kBars = 320;   // width of the longest bar
constexpr int kNotes = 330;  // room for what is written behind the bars
constexpr int kLetter = 7;   // width of a letter, about
constexpr std::size_t kMostLetters = 48;

constexpr const char* kRounded = "#2b6cb0";
constexpr const char* kFloat = "#c9a227";
constexpr const char* kBefore = "#bbbbbb";

/// The end of a long name, which tells layers apart.
std::string Shortened(const std::string& name) {
  return name.size() <= kMostLetters ? name : "..." + name.substr(name.size() - kMostLetters + 3);
}

std::string NoteOf(const LayerRow& row) { return row.reason.empty() ? "" : row.form + ": " + row.reason; }

std::string Rounded(double value, int digits) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.*f", digits, value);
  return text;
}

/// Where bars of a number from zero to `end` lie, with room for the number behind the longest.
struct Panel {
  double left;
  double width;
  double end;

  double LengthOf(double value) const { return width * std::clamp(value / end, 0.0, 1.0); }
  double right() const { return left + width + 50; }
};

/// The number, rounded up to one that reads well.
double NiceEnd(double most) {
  if (!(most > 0)) return 1;
  const double power = std::pow(10, std::floor(std::log10(most)));
  for (const double factor : {1.0, 1.5, 2.0, 3.0, 5.0, 7.0}) {
    if (factor * power >= most) return factor * power;
  }
  return 10 * power;
}

double MostDecibels(const Report& report) {
  double most = 0;
  for (const LayerRow& row : report.layers) {
    if (row.decibels && std::isfinite(*row.decibels)) most = std::max(most, *row.decibels);
  }
  return most;
}

double MostMilliseconds(const Report& report) {
  double most = 0;
  for (const LayerRow& row : report.layers)
    most = std::max({most, row.before_ms.value_or(0), row.after_ms.value_or(0)});
  return most;
}

void DrawScale(SvgDrawing& svg, const Panel& panel, int parts, double bottom, const std::string& title) {
  svg.Text(panel.left, kTop - 12, "start", title);
  for (int part = 0; part <= parts; ++part) {
    const double x = panel.left + panel.width * part / parts;
    svg.Line(x, kTop - 4, x, bottom + 2, "#dddddd");
    std::ostringstream mark;
    mark << panel.end * part / parts;
    svg.Text(x, bottom + 18, "middle", mark.str(), " fill=\"#555555\"");
  }
}

void DrawBar(SvgDrawing& svg, const Panel& panel, double value, double y, double height, const char* color) {
  svg.Rectangle(panel.left, y, std::max(panel.LengthOf(value), 1.0), height, color);
}

}  // namespace

std::string DrawReport(const Report& report, const std::string& title) {
  std::size_t letters = 0;
  for (const LayerRow& row : report.layers) letters = std::max(letters, Shortened(row.name).size());
  const bool timed = MostMilliseconds(report) > 0;
  const Panel errors{20 + static_cast<double>(letters) * kLetter, kBars,
                     10 * std::ceil(MostDecibels(report) / 10 + 0.01)};
  const Panel times{errors.right(), timed ? kBars / 2.0 : 0.0, NiceEnd(MostMilliseconds(report))};
  const double notes = timed ? times.right() : errors.right();
  const double bottom = kTop + kRow * static_cast<double>(report.layers.size());
  SvgDrawing svg(notes + kNotes, bottom + kBottom);
  svg.Text(10, 22, "start", title, " font-size=\"15\" font-weight=\"bold\"");
  double x = 10;
  const std::vector<std::pair<const char*, const char*>> legend = {
      {kRounded, "quantised"}, {kFloat, "stays in float"}, {kBefore, "float model"}};
  for (std::size_t i = 0; i < (timed ? 3U : 2U); ++i, x += 110) {
    svg.Rectangle(x, 36, 12, 12, legend[i].first);
    svg.Text(x + 17, 46, "start", legend[i].second);
  }
  DrawScale(svg, errors, 5, bottom, "Signal-to-noise ratio of the " + report.decibels_of + " in dB");
  if (timed) DrawScale(svg, times, 2, bottom, "Time in ms");
  double y = kTop;
  for (const LayerRow& row : report.layers) {
    const char* const color = row.form == "float" ? kFloat : kRounded;
    svg.Text(errors.left - 6, y + 13, "end", Shortened(row.name));
    if (row.decibels) {
      DrawBar(svg, errors, *row.decibels, y + 3, kRow - 6, color);
      svg.Text(errors.left + errors.LengthOf(*row.decibels) + 5, y + 13, "start", Rounded(*row.decibels, 1));
    }
    if (row.before_ms) DrawBar(svg, times, *row.before_ms, y + 3, kRow / 2.0 - 3, kBefore);
    if (row.after_ms) {
      DrawBar(svg, times, *row.after_ms, y + kRow / 2.0, kRow / 2.0 - 3, color);
      const double longer = std::max(*row.after_ms, row.before_ms.value_or(0));
      svg.Text(times.left + times.LengthOf(longer) + 5, y + 13, "start", Rounded(*row.after_ms, 3));
    }
    svg.Text(notes, y + 13, "start", NoteOf(row), " fill=\"#333333\"");
    y += kRow;
  }
  return svg.Finish();
}

}  // namespace kuiper_infer::quantization
