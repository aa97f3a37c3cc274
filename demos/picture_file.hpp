// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <opencv2/imgcodecs.hpp>

#include "kuiper_infer/vision/image.hpp"

namespace demos {

/// Reads a picture as 8-bit BGR, or as grey for cv::IMREAD_GRAYSCALE; alpha is left out. Throws if there is no picture.
cv::Mat ReadPicture(const std::string& path, cv::ImreadModes mode = cv::IMREAD_COLOR);

/// In the format that the path's ending names.
void WritePicture(const std::string& path, const cv::Mat& picture);

/// A picture's pixels for the library's functions; valid as long as the picture.
kuiper_infer::ImageView ViewOf(const cv::Mat& picture);

}  // namespace demos
