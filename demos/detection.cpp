// SPDX-License-Identifier: MIT
#include "detection.hpp"

#include <algorithm>
#include <cmath>

#include "kuiper_infer/utils/error.hpp"
#include "suppression.hpp"

namespace demos {
namespace {

using kuiper_infer::Error;
using kuiper_infer::ErrorCode;
using kuiper_infer::NdArray;

/// The layout of a candidate's numbers.
struct Form {
  int64_t candidates;
  int64_t classes;
  int64_t candidate_step;
  int64_t number_step;
  bool objectness;
};

Form FormOf(const kuiper_infer::Shape& shape, int64_t extras) {
  const bool fits = shape.size() == 3 && shape[0] == 1;
  if (fits && shape[2] >= shape[1] && shape[1] > 4 + extras) {
    return {shape[2], shape[1] - 4 - extras, 1, shape[2], false};
  }
  if (fits && shape[1] > shape[2] && shape[2] > 5 + extras) {
    return {shape[1], shape[2] - 5 - extras, shape[2], 1, true};
  }
  throw Error(ErrorCode::kShape, "the model's first output has the shape " + kuiper_infer::ShapeString(shape) +
                                     "; a detector's (1, 4 + classes, candidates) or (1, candidates, 5 + classes) is "
                                     "expected");
}

bool Drawable(const Detection& box) {
  return std::isfinite(box.left) && std::isfinite(box.top) && std::isfinite(box.left + box.width) &&
         std::isfinite(box.top + box.height) && box.width > 0 && box.height > 0;
}

}  // namespace

std::vector<Detection> DecodeDetections(const NdArray& output, float confidence, int64_t extras) {
  const Form form = FormOf(output.shape(), extras);
  const NdArray numbers = output.To(kuiper_infer::RuntimeDataType::kTypeFloat32).Contiguous();
  std::vector<Detection> found;
  for (int64_t i = 0; i < form.candidates; ++i) {
    const float* candidate = numbers.data<float>() + i * form.candidate_step;
    const auto at = [&](int64_t number) { return candidate[number * form.number_step]; };
    const float objectness = form.objectness ? at(4) : 1.0F;
    if (!(objectness >= confidence)) continue;  // most candidates of the older form end here, and so does NaN
    Detection detection;
    detection.score = confidence;
    detection.label = -1;
    for (int64_t c = 0; c < form.classes; ++c) {
      const float score = objectness * at((form.objectness ? 5 : 4) + c);
      if (detection.label < 0 ? score >= detection.score : score > detection.score) {
        detection.score = score;
        detection.label = c;
      }
    }
    detection.width = at(2);
    detection.height = at(3);
    detection.left = at(0) - detection.width / 2;
    detection.top = at(1) - detection.height / 2;
    if (detection.label >= 0 && std::isfinite(detection.score) && Drawable(detection)) found.push_back(detection);
  }
  return found;
}

int64_t MaskCoefficients(const std::vector<NdArray>& outputs) {
  if (outputs.empty() || outputs.front().rank() != 3) return 0;
  const kuiper_infer::Shape& candidates = outputs.front().shape();
  const int64_t numbers = std::min(candidates[1], candidates[2]);
  for (const NdArray& output : outputs) {
    // Exports for training repeat the raw feature maps, which have more channels than a candidate has numbers.
    if (output.rank() == 4 && output.shape()[1] + 5 <= numbers) return output.shape()[1];
  }
  return 0;
}

float Overlap(const Detection& first, const Detection& second) {
  const float width =
      std::min(first.left + first.width, second.left + second.width) - std::max(first.left, second.left);
  const float height = std::min(first.top + first.height, second.top + second.height) - std::max(first.top, second.top);
  if (!(width > 0 && height > 0)) return 0;
  const float both = width * height;
  return both / (first.width * first.height + second.width * second.height - both);
}

std::vector<Detection> SuppressByClass(const std::vector<Detection>& detections, float overlap) {
  const auto rivals = [&](const Detection& better, const Detection& detection) {
    return better.label == detection.label && Overlap(better, detection) > overlap;
  };
  std::vector<Detection> kept;
  for (const std::size_t number : KeepBest(detections, rivals)) kept.push_back(detections[number]);
  return kept;
}

std::vector<Detection> MapToPicture(const std::vector<Detection>& detections, const kuiper_infer::Letterboxed& frame,
                                    int64_t picture_height, int64_t picture_width) {
  std::vector<Detection> mapped;
  for (const Detection& detection : detections) {
    const auto place = [&](float position, int64_t border, int64_t extent) {
      const double value = (static_cast<double>(position) - static_cast<double>(border)) / frame.scale;
      return static_cast<float>(std::clamp(value, 0.0, static_cast<double>(extent)));
    };
    Detection box = detection;
    box.left = place(detection.left, frame.left, picture_width);
    box.top = place(detection.top, frame.top, picture_height);
    box.width = place(detection.left + detection.width, frame.left, picture_width) - box.left;
    box.height = place(detection.top + detection.height, frame.top, picture_height) - box.top;
    if (box.width > 0 && box.height > 0) mapped.push_back(box);
  }
  return mapped;
}

}  // namespace demos
