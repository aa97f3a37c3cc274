// SPDX-License-Identifier: MIT
#include "quantization/report/svg_drawing.hpp"

#include <algorithm>
#include <cmath>

#include "utils/xml_text.hpp"

namespace kuiper_infer::quantization {

SvgDrawing::SvgDrawing(double width, double height) {
  text_ << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << width << "\" height=\"" << height
        << "\" font-family=\"sans-serif\" font-size=\"12\">\n";
  Rectangle(0, 0, width, height, "white");
}

void SvgDrawing::Text(double x, double y, const char* anchor, const std::string& text, const char* more) {
  text_ << "<text x=\"" << x << "\" y=\"" << y << "\" text-anchor=\"" << anchor << "\"" << more << ">" << XmlText(text)
        << "</text>\n";
}

void SvgDrawing::Rectangle(double x, double y, double width, double height, const char* color) {
  text_ << "<rect x=\"" << x << "\" y=\"" << y << "\" width=\"" << width << "\" height=\"" << height << "\" fill=\""
        << color << "\"/>\n";
}

void SvgDrawing::Line(double x1, double y1, double x2, double y2, const char* color) {
  text_ << "<line x1=\"" << x1 << "\" y1=\"" << y1 << "\" x2=\"" << x2 << "\" y2=\"" << y2 << "\" stroke=\"" << color
        << "\"/>\n";
}

std::string SvgDrawing::Finish() { return text_.str() + "</svg>\n"; }

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
