// SPDX-License-Identifier: MIT
#include "quantization/chart_panel.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace kuiper_infer::quantization {

double Panel::LengthOf(double value) const { return value > 0 ? width * std::min(value / end, 1.0) : 0; }

void Panel::DrawScale(SvgDrawing& svg, int parts, double top, double bottom, const std::string& title) const {
  svg.Text(left, top - 12, "start", title);
  for (int part = 0; part <= parts; ++part) {
    const double x = left + width * part / parts;
    svg.Line(x, top - 4, x, bottom + 2, "#dddddd");
    std::ostringstream mark;
    mark << end * part / parts;
    svg.Text(x, bottom + 18, "middle", mark.str(), " fill=\"#555555\"");
  }
}

void Panel::DrawBar(SvgDrawing& svg, double value, double y, double height, const char* color) const {
  svg.Rectangle(left, y, std::max(LengthOf(value), 1.0), height, color);
}

double NiceEnd(double most) {
  if (!(most > 0)) return 1;
  const double power = std::pow(10, std::floor(std::log10(most)));
  for (const double factor : {1.0, 1.5, 2.0, 3.0, 5.0, 7.0}) {
    if (factor * power >= most) return factor * power;
  }
  return 10 * power;
}

}  // namespace kuiper_infer::quantization
