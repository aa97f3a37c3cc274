// SPDX-License-Identifier: MIT
#include "quantization/report/report_chart.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <utility>
#include <vector>

#include "quantization/report/svg_drawing.hpp"

namespace kuiper_infer::quantization {
namespace {

constexpr int kRow = 18;
constexpr int kTop = 84;
constexpr int kBottom = 34;
constexpr int kBars = 320;   // width of the longest bar
constexpr int kPairs = 190;  // the same for two bars, before and after
constexpr int kNotes = 330;  // room for what is written behind the bars
constexpr int kLetter = 7;   // width of a letter, about
constexpr std::size_t kMostLetters = 48;

constexpr const char* kRounded = "#2b6cb0";
constexpr const char* kFloat = "#b08a1c";
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

double MostDecibels(const Report& report) {
  double most = 0;
  for (const LayerRow& row : report.layers) {
    if (row.decibels && std::isfinite(*row.decibels)) most = std::max(most, *row.decibels);
  }
  return most;
}

/// A number of a layer in the float model and in the quantised one.
struct Pair {
  std::optional<double> before;
  std::optional<double> after;

  double most() const { return std::max(before.value_or(0), after.value_or(0)); }
};

/// The figures that a panel of the chart shows.
struct Measure {
  const char* title;
  int digits;
  Pair (*of)(const LayerRow& row);
};

std::optional<double> Kibibytes(const std::optional<int64_t>& bytes) {
  return bytes ? std::optional<double>(static_cast<double>(*bytes) / 1024) : std::nullopt;
}

constexpr Measure kMeasures[] = {{"Time in ms", 3,
                                  [](const LayerRow& row) {
                                    return Pair{row.before_ms, row.after_ms};
                                  }},
                                 {"Weights in KiB", 1, [](const LayerRow& row) {
                                    return Pair{Kibibytes(row.before_bytes), Kibibytes(row.after_bytes)};
                                  }}};

double MostOf(const Report& report, const Measure& measure) {
  double most = 0;
  for (const LayerRow& row : report.layers) most = std::max(most, measure.of(row).most());
  return most;
}

/// "Weights in KiB: 30.0, then 8.0", all layers together.
std::string TitleOf(const Report& report, const Measure& measure) {
  Pair sums{0.0, 0.0};
  for (const LayerRow& row : report.layers) {
    const Pair pair = measure.of(row);
    *sums.before += pair.before.value_or(0);
    *sums.after += pair.after.value_or(pair.before.value_or(0));
  }
  return measure.title + std::string(": ") + Rounded(*sums.before, 1) + ", then " + Rounded(*sums.after, 1);
}

void DrawPair(SvgDrawing& svg, const Panel& panel, const Pair& pair, const Measure& measure, double y,
              const char* color) {
  if (pair.before) panel.DrawBar(svg, *pair.before, y + 3, kRow / 2.0 - 3, kBefore);
  if (!pair.after) return;
  panel.DrawBar(svg, *pair.after, y + kRow / 2.0, kRow / 2.0 - 3, color);
  svg.Text(panel.left + panel.LengthOf(pair.most()) + 5, y + 13, "start", Rounded(*pair.after, measure.digits));
}

void DrawLegend(SvgDrawing& svg, bool pairs) {
  double x = 10;
  const std::vector<std::pair<const char*, const char*>> legend = {
      {kRounded, "quantised"}, {kFloat, "stays in float"}, {kBefore, "float model"}};
  for (std::size_t i = 0; i < (pairs ? 3U : 2U); ++i, x += 110) {
    svg.Rectangle(x, 36, 12, 12, legend[i].first);
    svg.Text(x + 17, 46, "start", legend[i].second);
  }
}

}  // namespace

std::string DrawReport(const Report& report, const std::string& title) {
  std::size_t letters = 0;
  for (const LayerRow& row : report.layers) letters = std::max(letters, Shortened(row.name).size());
  const Panel errors{20 + static_cast<double>(letters) * kLetter, kBars,
                     10 * std::ceil(MostDecibels(report) / 10 + 0.01)};
  std::vector<std::pair<const Measure*, Panel>> panels;
  double notes = errors.Right();
  for (const Measure& measure : kMeasures) {
    const double most = MostOf(report, measure);
    if (!(most > 0)) continue;
    panels.push_back({&measure, Panel{notes, kPairs, NiceEnd(most)}});
    notes = panels.back().second.Right();
  }
  const double bottom = kTop + kRow * static_cast<double>(report.layers.size());
  SvgDrawing svg(notes + kNotes, bottom + kBottom);
  svg.Text(10, 22, "start", title, " font-size=\"15\" font-weight=\"bold\"");
  DrawLegend(svg, !panels.empty());
  errors.DrawScale(svg, 5, kTop, bottom, "Signal-to-noise ratio of the " + report.decibels_of + " in dB");
  for (const auto& [measure, panel] : panels) panel.DrawScale(svg, 2, kTop, bottom, TitleOf(report, *measure));
  double y = kTop;
  for (const LayerRow& row : report.layers) {
    const char* const color = row.form == "float" ? kFloat : kRounded;
    svg.Text(errors.left - 6, y + 13, "end", Shortened(row.name));
    if (row.decibels) {
      errors.DrawBar(svg, *row.decibels, y + 3, kRow - 6, color);
      svg.Text(errors.left + errors.LengthOf(*row.decibels) + 5, y + 13, "start", Rounded(*row.decibels, 1));
    }
    for (const auto& [measure, panel] : panels) DrawPair(svg, panel, measure->of(row), *measure, y, color);
    svg.Text(notes, y + 13, "start", NoteOf(row), " fill=\"#333333\"");
    y += kRow;
  }
  return svg.Finish();
}

}  // namespace kuiper_infer::quantization
