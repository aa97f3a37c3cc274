// SPDX-License-Identifier: MIT
// Prints the five most probable classes of a picture:
//   classify --param efficientnet_lite0.pnnx.param --bin efficientnet_lite0.pnnx.bin --labels imagenet_classes.txt
//   cat.png
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <numeric>

#include <CLI/CLI.hpp>

#include "kuiper_infer/model.hpp"
#include "kuiper_infer/vision/preprocess.hpp"
#include "picture_file.hpp"

namespace {

using kuiper_infer::NdArray;

/// The preparation for ImageNet's networks: the shorter side is resized to 256 (for an input of 224), the middle is cut
/// out, and RGB is normalised.
NdArray Preprocess(const cv::Mat& picture, int64_t size) {
  const auto resized =
      ResizeShorterSide(demos::ViewOf(picture), size * 256 / 224, kuiper_infer::Interpolation::kAntialias);
  return ImageToTensor(CenterCrop(resized, size, size), kuiper_infer::ColorOrder::kBgr, kuiper_infer::ColorOrder::kRgb,
                       kuiper_infer::Normalization::ImageNet());
}

std::vector<float> Softmax(const NdArray& scores) {
  std::vector<float> values(scores.data<float>(), scores.data<float>() + scores.size());
  const float highest = *std::max_element(values.begin(), values.end());
  for (float& value : values) value = std::exp(value - highest);
  const float sum = std::accumulate(values.begin(), values.end(), 0.0F);
  for (float& value : values) value /= sum;
  return values;
}

std::vector<std::string> ReadLines(const std::string& path) {
  std::vector<std::string> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

void Classify(const std::string& param, const std::string& bin, const std::string& labels, const std::string& path) {
  const cv::Mat picture = demos::ReadPicture(path);
  const auto model = kuiper_infer::Model::Load(param, bin);
  if (model.inputs().size() != 1) throw std::runtime_error(param + ": the model should have one input, the picture");
  const kuiper_infer::Shape& shape = model.inputs().front().spec.shape;
  const int64_t size = shape.size() == 4 && shape[2] > 0 ? shape[2] : 224;
  const NdArray input = Preprocess(picture, size);
  const auto start = std::chrono::steady_clock::now();
  const NdArray scores = model.Run(input).front();
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;

  if (scores.size() == 0) throw std::runtime_error(param + ": the model gives no scores");
  const std::vector<float> probabilities = Softmax(scores);
  std::vector<std::size_t> order(probabilities.size());
  std::iota(order.begin(), order.end(), 0);
  const std::size_t shown = std::min<std::size_t>(5, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(shown), order.end(),
                    [&](std::size_t a, std::size_t b) { return probabilities[a] > probabilities[b]; });
  const std::vector<std::string> names = ReadLines(labels);
  for (std::size_t i = 0; i < shown; ++i) {
    const std::string name = order[i] < names.size() ? "  " + names[order[i]] : "";
    std::printf("%6.2f %%  class %zu%s\n", 100.0 * probabilities[order[i]], order[i], name.c_str());
  }
  std::printf("%.1f ms\n", time.count());
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Prints the five most probable ImageNet classes of a picture."};
  std::string param;
  std::string bin;
  std::string labels;
  std::string picture;
  app.add_option("--param", param, "The model's .pnnx.param file")->required();
  app.add_option("--bin", bin, "The model's .pnnx.bin file")->required();
  app.add_option("--labels", labels, "A text file with one class name per line");
  app.add_option("picture", picture, "A picture: PNG, JPEG, ...")->required();
  CLI11_PARSE(app, argc, argv);
  try {
    Classify(param, bin, labels, picture);
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << "\n";
    return 1;
  }
  return 0;
}
