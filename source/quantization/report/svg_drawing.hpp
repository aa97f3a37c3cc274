// SPDX-License-Identifier: MIT
#pragma once

#include <sstream>
#include <string>

namespace kuiper_infer::quantization {

/// A picture in SVG on a white background. Coordinates count pixels from the upper left corner.
class SvgDrawing {
 public:
  SvgDrawing(double width, double height);

  /// `anchor` says which end of the text lies at x: "start", "middle" or "end". `more` are attributes of the element.
  void Text(double x, double y, const char* anchor, const std::string& text, const char* more = "");
  void Rectangle(double x, double y, double width, double height, const char* color);
  void Line(double x1, double y1, double x2, double y2, const char* color);
  /// The whole file.
  std::string Finish();

 private:
  std::ostringstream text_;
};

/// A panel of the chart, which has the bars of one number of all layers, from zero to `end`, with room for the number
/// after the longest bar.
struct Panel {
  double left;
  double width;
  double end;

  double LengthOf(double value) const;
  /// The left edge of the next panel.
  double Right() const { return left + width + 60; }

  /// Draws title, lines and marks of a scale with `parts` parts, between the upper and the lower end of the bars.
  void DrawScale(SvgDrawing& svg, int parts, double top, double bottom, const std::string& title) const;
  void DrawBar(SvgDrawing& svg, double value, double y, double height, const char* color) const;
};

/// The number rounded up to a number that suits a scale.
double NiceEnd(double most);

}  // namespace kuiper_infer::quantization
