// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "kuiper_infer/data/ndarray.hpp"
#include "kuiper_infer/vision/image.hpp"

namespace demos {

/// A box in pixels.
struct Detection {
  int64_t label = 0;
  float score = 0;
  float left = 0;
  float top = 0;
  float width = 0;
  float height = 0;
};

/// The candidates of a YOLO detector that reach the confidence, each with its best class, in pixels of the network's
/// input. Outputs have one of two forms, which their extents tell apart, since a detector has more candidates than
/// numbers for each candidate:
///   (1, 4 + classes, candidates), at least as many columns as rows: YOLOv8, v9, v11, v12 and v5u
///   (1, candidates, 5 + classes), more rows than columns: YOLOv5, v7; a class' score is multiplied by the objectness
/// Boxes are centre x, centre y, width, height. `extras` numbers at the end of each candidate, such as the coefficients
/// of masks, are no classes. Candidates that are not finite or have no area are left out. Throws Error(kShape) for any
/// other output.
std::vector<Detection> DecodeDetections(const kuiper_infer::NdArray& output, float confidence, int64_t extras = 0);

/// The count of numbers for its mask that each candidate of a segmentation export has: the channels of the prototypes
/// (1, masks, height, width), which are the output after the candidates. 0 for all other models.
int64_t MaskCoefficients(const std::vector<kuiper_infer::NdArray>& outputs);

/// Intersection over union.
float Overlap(const Detection& first, const Detection& second);

/// Non-maximum suppression: without the boxes that overlap a better one of their class by more than that, best first.
std::vector<Detection> SuppressByClass(const std::vector<Detection>& detections, float overlap);

/// Converts boxes from the frame's pixels to the pixels of the picture that was fitted into the frame, and clips them
/// to the picture.
std::vector<Detection> MapToPicture(const std::vector<Detection>& detections, const kuiper_infer::Letterboxed& frame,
                                    int64_t picture_height, int64_t picture_width);

}  // namespace demos
