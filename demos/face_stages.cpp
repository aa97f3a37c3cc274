// SPDX-License-Identifier: MIT
#include "face_stages.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace demos {
namespace {

using kuiper_infer::ColorOrder;
using kuiper_infer::Image;
using kuiper_infer::ImageView;
using kuiper_infer::Interpolation;
using kuiper_infer::Model;
using kuiper_infer::NdArray;

constexpr float kProposalThreshold = 0.6F;
constexpr float kThreshold = 0.7F;
constexpr std::size_t kBatch = 64;  // crops at once: a large picture has thousands, whose arrays would not fit a cache

void Expect(bool as_expected, const char* network) {
  if (!as_expected) throw std::runtime_error(std::string(network) + ": does not give MTCNN's boxes and scores");
}

NdArray Prepare(const ImageView& pixels, ColorOrder order, int64_t height, int64_t width) {
  const kuiper_infer::Normalization normalization{1, {127.5F, 127.5F, 127.5F}, {128, 128, 128}};
  const Image resized = Resize(pixels, height, width, Interpolation::kAntialias);
  return ImageToTensor(resized, order, ColorOrder::kRgb, normalization);
}

/// The areas' pixels side by side: (areas, 3, side, side).
NdArray PrepareAreas(const Picture& picture, const PixelArea* areas, int64_t count, int64_t side) {
  NdArray batch(kuiper_infer::RuntimeDataType::kTypeFloat32, {count, 3, side, side});
  float* place = batch.data<float>();
  for (const PixelArea* area = areas; area != areas + count; ++area) {
    const Image crop = Crop(picture.pixels, area->top, area->left, area->height, area->width);
    const NdArray one = Prepare(crop, picture.order, side, side);
    place = std::copy_n(one.data<float>(), one.size(), place);
  }
  return batch;
}

}  // namespace

std::vector<Candidate> Suppressed(const std::vector<Candidate>& candidates, float threshold) {
  std::vector<Box> boxes;
  for (const Candidate& candidate : candidates) boxes.push_back(candidate.box);
  std::vector<Candidate> kept;
  for (const std::size_t number : Suppress(boxes, threshold, Overlap::kUnion)) kept.push_back(candidates[number]);
  return kept;
}

std::vector<Candidate> Propose(const Model& model, const Picture& picture, double scale) {
  const auto height = static_cast<int64_t>(static_cast<double>(picture.pixels.height) * scale + 1);
  const auto width = static_cast<int64_t>(static_cast<double>(picture.pixels.width) * scale + 1);
  const std::vector<NdArray> outputs = model.Run(Prepare(picture.pixels, picture.order, height, width));
  Expect(outputs.size() == 2 && outputs[1].shape().size() == 4 && outputs[0].size() == 2 * outputs[1].size(),
         "the first network");
  const int64_t columns = outputs[1].shape()[3];
  const int64_t plane = outputs[1].shape()[2] * columns;
  const float* shifts = outputs[0].data<float>();
  const float* scores = outputs[1].data<float>() + plane;  // the plane before it: not a face
  const auto in_picture = [&](int64_t pixel) {
    return static_cast<float>(std::floor(static_cast<double>(pixel) / scale));
  };
  std::vector<Candidate> candidates;
  for (int64_t i = 0; i < plane; ++i) {
    if (scores[i] < kProposalThreshold) continue;
    const int64_t x = i % columns * 2;
    const int64_t y = i / columns * 2;
    candidates.push_back({{in_picture(x + 1), in_picture(y + 1), in_picture(x + 12), in_picture(y + 12), scores[i]},
                          {shifts[i], shifts[plane + i], shifts[2 * plane + i], shifts[3 * plane + i]},
                          {}});
  }
  return candidates;
}

std::vector<Candidate> Judge(const Model& model, const Picture& picture, const std::vector<Box>& boxes, int64_t side) {
  std::vector<Candidate> shown;
  std::vector<PixelArea> areas;
  for (const Box& box : boxes) {
    const PixelArea area = InPicture(box, picture.pixels.width, picture.pixels.height);
    if (area.width <= 0 || area.height <= 0) continue;
    shown.push_back({box, {}, {}});
    areas.push_back(area);
  }
  std::vector<Candidate> faces;
  for (std::size_t first = 0; first < shown.size(); first += kBatch) {
    const std::size_t count = std::min(kBatch, shown.size() - first);
    const auto number = static_cast<int64_t>(count);
    const std::vector<NdArray> outputs = model.Run(PrepareAreas(picture, areas.data() + first, number, side));
    Expect(outputs.size() >= 2 && outputs[0].size() == 4 * number && outputs.back().size() == 2 * number &&
               (outputs.size() == 2 || outputs[1].size() == 10 * number),
           "the second or third network");
    for (std::size_t i = 0; i < count; ++i) {
      const float score = outputs.back().data<float>()[2 * i + 1];
      if (!(score > kThreshold)) continue;
      Candidate& face = faces.emplace_back(shown[first + i]);
      const float* shift = outputs[0].data<float>() + 4 * i;
      face.box.score = score;
      face.shift = {shift[0], shift[1], shift[2], shift[3]};
      if (outputs.size() < 3) continue;
      const float* landmarks = outputs[1].data<float>() + 10 * i;  // five x, then five y
      for (std::size_t k = 0; k < 5; ++k) face.landmarks[k] = {landmarks[k], landmarks[k + 5]};
    }
  }
  return faces;
}

}  // namespace demos
