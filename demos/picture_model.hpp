// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string>
#include <vector>

#include <opencv2/core.hpp>

#include "kuiper_infer/model.hpp"
#include "kuiper_infer/vision/image.hpp"

namespace demos {

/// A model of one picture, RGB between 0 and 1, and the names of its classes.
class PictureModel {
 public:
  /// `labels` may be empty. A model for any size gets larger pictures with `size` pixels on the longer side.
  PictureModel(const std::string& param, const std::string& bin, const std::string& labels, int64_t size);

  /// The picture (BGR) in the frame that the network gets: of the model's own size, or else the picture's, rounded up
  /// to sides that can be halved five times.
  kuiper_infer::Letterboxed Frame(const cv::Mat& picture) const;
  /// The model's outputs for a frame; there is at least one.
  std::vector<kuiper_infer::NdArray> Run(const kuiper_infer::Letterboxed& frame) const;
  /// The name of a class, or its number if there are fewer labels.
  std::string LabelOf(int64_t number) const;

 private:
  std::string file_;
  kuiper_infer::Model model_;
  std::vector<std::string> labels_;
  int64_t size_;
};

/// A colour for a class, BGR; neighbours differ clearly.
cv::Vec3b ColorOf(int64_t label);

}  // namespace demos
