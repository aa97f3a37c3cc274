// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "quantization/svg_drawing.hpp"

namespace kuiper_infer::quantization {

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
