// SPDX-License-Identifier: MIT
#include "quantization/svg_drawing.hpp"

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

}  // namespace kuiper_infer::quantization
