// SPDX-License-Identifier: MIT
#include "picture_file.hpp"

#include <stdexcept>

namespace demos {

cv::Mat ReadPicture(const std::string& path, cv::ImreadModes mode) {
  cv::Mat picture = cv::imread(path, mode);
  if (picture.empty()) throw std::runtime_error(path + ": cannot be read as a picture");
  return picture;
}

void WritePicture(const std::string& path, const cv::Mat& picture) {
  bool written = false;
  try {
    written = cv::imwrite(path, picture,
                          {cv::IMWRITE_PNG_COMPRESSION, 9, cv::IMWRITE_PNG_STRATEGY, cv::IMWRITE_PNG_STRATEGY_DEFAULT});
  } catch (const cv::Exception&) {  // of an ending that names no format
  }
  if (!written) throw std::runtime_error(path + ": cannot be written");
}

kuiper_infer::ImageView ViewOf(const cv::Mat& picture) {
  return {picture.data, picture.rows, picture.cols, picture.channels(), static_cast<int64_t>(picture.step[0])};
}

}  // namespace demos
