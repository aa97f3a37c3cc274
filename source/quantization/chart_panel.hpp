// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "quantization/svg_drawing.hpp"

namespace kuiper_infer::quantization {

/// Where the bars of one number lie side by side, from zero to `end`, with room for the number behind the longest.
struct Panel {
  double left;
  double width;
  double end;

  double LengthOf(double value) const;
  /// Where the next panel may begin.
  double Right() const { return left + width + 60; }

  /// Title, lines and marks of a scale of so many parts, between the bars' upper and lower end.
  void DrawScale(SvgDrawing& svg, int parts, double top, double bottom, const std::string& title) const;
  void DrawBar(SvgDrawing& svg, double value, double y, double height, const char* color) const;
};

/// The number, rounded up to one that reads well.
double NiceEnd(double most);

}  // namespace kuiper_infer::quantization
