// SPDX-License-Identifier: MIT
#include "picture_model.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <stdexcept>

#include "kuiper_infer/vision/preprocess.hpp"
#include "picture_file.hpp"

namespace demos {
namespace {

constexpr int64_t kHalvings = 32;  // 2^5: the coarsest stride of the usual networks

std::vector<std::string> ReadLabels(const std::string& path) {
  std::vector<std::string> labels;
  if (path.empty()) return labels;
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path + ": cannot be opened");
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    labels.push_back(line);
  }
  return labels;
}

/// The extent of a frame for a picture's side, in proportion and rounded up.
int64_t RoundUp(int64_t side, double scale) {
  const auto scaled = static_cast<int64_t>(std::ceil(static_cast<double>(side) * scale - 1e-6));
  return (std::max<int64_t>(1, scaled) + kHalvings - 1) / kHalvings * kHalvings;
}

}  // namespace

PictureModel::PictureModel(const std::string& param, const std::string& bin, const std::string& labels, int64_t size)
    : file_(param), model_(kuiper_infer::Model::Load(param, bin)), labels_(ReadLabels(labels)), size_(size) {
  const bool one = model_.inputs().size() == 1;
  const kuiper_infer::Shape shape = one ? model_.inputs().front().spec.shape : kuiper_infer::Shape{};
  if (!one || shape.size() != 4 || (shape[0] != 1 && shape[0] != -1) || (shape[1] != 3 && shape[1] != -1)) {
    throw std::runtime_error(file_ + ": has " +
                             (one ? "an input of shape " + kuiper_infer::ShapeString(shape)
                                  : std::to_string(model_.inputs().size()) + " inputs") +
                             "; one colour picture (1, 3, height, width) is expected");
  }
}

kuiper_infer::Letterboxed PictureModel::Frame(const cv::Mat& picture) const {
  const kuiper_infer::ImageView view = ViewOf(picture);
  const kuiper_infer::Shape& shape = model_.inputs().front().spec.shape;
  const int64_t longer = std::max(view.height, view.width);
  const double scale = std::min(1.0, static_cast<double>(size_) / static_cast<double>(longer));
  return Letterbox(view, shape[2] > 0 ? shape[2] : RoundUp(view.height, scale),
                   shape[3] > 0 ? shape[3] : RoundUp(view.width, scale));
}

std::vector<kuiper_infer::NdArray> PictureModel::Run(const kuiper_infer::Letterboxed& frame) const {
  std::vector<kuiper_infer::NdArray> outputs =
      model_.Run(ImageToTensor(frame.image, kuiper_infer::ColorOrder::kBgr, kuiper_infer::ColorOrder::kRgb));
  if (outputs.empty()) throw std::runtime_error(file_ + ": the model has no output");
  return outputs;
}

std::string PictureModel::LabelOf(int64_t number) const {
  const auto index = static_cast<std::size_t>(number);
  return index < labels_.size() && !labels_[index].empty() ? labels_[index] : std::to_string(number);
}

cv::Vec3b ColorOf(int64_t label) {
  // Steps of the golden angle keep the hues of neighbours apart, however many classes there are.
  const double hue = std::fmod(static_cast<double>(label) * 0.618034, 1.0) * 6;
  cv::Vec3b color;
  for (int channel = 0; channel < 3; ++channel) {
    const double distance = std::fabs(std::fmod(hue + 2.0 * channel, 6.0) - 3) - 1;
    color[channel] = static_cast<uchar>(std::lround(255 * std::clamp(distance, 0.0, 1.0)));
  }
  return color;
}

}  // namespace demos
