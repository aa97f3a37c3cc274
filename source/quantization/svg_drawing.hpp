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

}  // namespace kuiper_infer::quantization
