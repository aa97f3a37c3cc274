// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <opencv2/core.hpp>

namespace demos {

/// A colour and its meaning.
struct LegendEntry {
  cv::Vec3b color;  ///< BGR
  std::string text;
};

/// The picture with the entries on white below it, in as many rows as they need.
cv::Mat WithLegend(const cv::Mat& picture, const std::vector<LegendEntry>& entries);

}  // namespace demos
