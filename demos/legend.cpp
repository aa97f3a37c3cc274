// SPDX-License-Identifier: MIT
#include "legend.hpp"

#include <opencv2/imgproc.hpp>

namespace demos {

cv::Mat WithLegend(const cv::Mat& picture, const std::vector<LegendEntry>& entries) {
  constexpr int kRow = 26;
  constexpr int kSquare = 14;
  constexpr int kGap = 8;
  constexpr int kFont = cv::FONT_HERSHEY_SIMPLEX;
  constexpr double kScale = 0.45;
  std::vector<cv::Point> places;
  cv::Point at(kGap, 0);
  for (const LegendEntry& entry : entries) {
    int base = 0;
    const int width = kSquare + kGap / 2 + cv::getTextSize(entry.text, kFont, kScale, 1, &base).width;
    if (at.x > kGap && at.x + width + kGap > picture.cols) at = {kGap, at.y + kRow};
    places.push_back(at);
    at.x += width + 2 * kGap;
  }
  cv::Mat drawn;
  const int height = entries.empty() ? 0 : places.back().y + kRow;
  cv::copyMakeBorder(picture, drawn, 0, height, 0, 0, cv::BORDER_CONSTANT, cv::Scalar::all(255));
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const cv::Point corner(places[i].x, picture.rows + places[i].y + (kRow - kSquare) / 2);
    cv::rectangle(drawn, cv::Rect(corner, cv::Size(kSquare, kSquare)), entries[i].color, cv::FILLED);
    cv::putText(drawn, entries[i].text, corner + cv::Point(kSquare + kGap / 2, kSquare - 2), kFont, kScale,
                cv::Scalar::all(30), 1, cv::LINE_AA);
  }
  return drawn;
}

}  // namespace demos
