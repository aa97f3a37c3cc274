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
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include "kuiper_infer/runtime/runtime_ir.hpp"

namespace {

using kuiper_infer::NdArray;

// ImageNet's statistics, for RGB values between 0 and 1.
constexpr float kMean[3] = {0.485F, 0.456F, 0.406F};
constexpr float kDeviation[3] = {0.229F, 0.224F, 0.225F};

/// Short side to size * 256 / 224, centre crop, RGB planes, normalised: (1,3,size,size).
NdArray Preprocess(const cv::Mat& picture, int size) {
  const double scale = size * 256.0 / 224.0 / std::min(picture.rows, picture.cols);
  cv::Mat resized;
  cv::resize(picture, resized,
             {std::max(size, static_cast<int>(std::lround(picture.cols * scale))),
              std::max(size, static_cast<int>(std::lround(picture.rows * scale)))},
             0, 0, scale < 1 ? cv::INTER_AREA : cv::INTER_LINEAR);
  const cv::Mat crop = resized({(resized.cols - size) / 2, (resized.rows - size) / 2, size, size});
  NdArray input(kuiper_infer::RuntimeDataType::kTypeFloat32, {1, 3, size, size});
  for (int c = 0; c < 3; ++c) {
    for (int y = 0; y < size; ++y) {
      for (int x = 0; x < size; ++x) {
        const float value = static_cast<float>(crop.at<cv::Vec3b>(y, x)[2 - c]) / 255.0F;  // OpenCV stores BGR
        input.data<float>()[(c * size + y) * size + x] = (value - kMean[c]) / kDeviation[c];
      }
    }
  }
  return input;
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
  const cv::Mat picture = cv::imread(path, cv::IMREAD_COLOR);
  if (picture.empty()) throw std::runtime_error(path + ": cannot be read as a picture");
  kuiper_infer::RuntimeGraph graph(param, bin);
  graph.Build();
  const std::string input = graph.input_names().front();
  const kuiper_infer::Shape shape = graph.input_spec(input).shape;
  const int size = shape.size() == 4 && shape[2] > 0 ? static_cast<int>(shape[2]) : 224;
  graph.set_input(input, Preprocess(picture, size));
  const auto start = std::chrono::steady_clock::now();
  graph.Run();
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;

  const std::vector<float> probabilities = Softmax(graph.outputs().front());
  std::vector<std::size_t> order(probabilities.size());
  std::iota(order.begin(), order.end(), 0);
  const std::size_t shown = std::min<std::size_t>(5, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(shown), order.end(),
                    [&](std::size_t a, std::size_t b) { return probabilities[a] > probabilities[b]; });
  const std::vector<std::string> names = ReadLines(labels);
  for (std::size_t i = 0; i < shown; ++i) {
    const std::string name = order[i] < names.size() ? names[order[i]] : "";
    std::printf("%6.2f %%  class %zu  %s\n", 100.0 * probabilities[order[i]], order[i], name.c_str());
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
  app.add_option("picture", picture, "PNG, JPEG, ...")->required();
  CLI11_PARSE(app, argc, argv);
  try {
    Classify(param, bin, labels, picture);
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << "\n";
    return 1;
  }
  return 0;
}
