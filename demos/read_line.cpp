// SPDX-License-Identifier: MIT
// Reads a picture of one printed line:
//   read_line --model tmp/line_reader tmp/line_hello.png
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>

#include <CLI/CLI.hpp>
#include <opencv2/imgproc.hpp>

#include "ctc.hpp"
#include "kuiper_infer/runtime/runtime_graph.hpp"
#include "picture_file.hpp"

namespace {

using kuiper_infer::NdArray;

constexpr int kHeight = 32;

/// Grey, dark on light, 32 pixels high, values from -1 to 1: (1,1,32,W).
NdArray Preprocess(cv::Mat picture) {
  if (cv::mean(picture)[0] < 128) picture = 255 - picture;
  const double scale = static_cast<double>(kHeight) / picture.rows;
  const int width = std::max(kHeight, static_cast<int>(std::lround(picture.cols * scale)));
  cv::Mat line;
  cv::resize(picture, line, {width, kHeight}, 0, 0, scale < 1 ? cv::INTER_AREA : cv::INTER_LINEAR);
  NdArray input(kuiper_infer::RuntimeDataType::kTypeFloat32, {1, 1, kHeight, width});
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < width; ++x) {
      input.data<float>()[y * width + x] = (static_cast<float>(line.at<uchar>(y, x)) / 255.0F - 0.5F) / 0.5F;
    }
  }
  return input;
}

/// Looks at the network's output of shape (1,columns,classes).
demos::CtcColumns ColumnsOf(const NdArray& log_probabilities, const std::string& alphabet) {
  const auto columns = static_cast<std::size_t>(log_probabilities.shape()[1]);
  const auto classes = static_cast<std::size_t>(log_probabilities.shape()[2]);
  if (classes != alphabet.size() + 1) {
    throw std::runtime_error("the model has " + std::to_string(classes) + " classes, the alphabet " +
                             std::to_string(alphabet.size()) + " characters");
  }
  return {log_probabilities.data<float>(), columns, classes};
}

std::string ReadAlphabet(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line)) throw std::runtime_error(path + ": cannot be read");
  return line;
}

void ReadLine(const std::string& model, const std::string& path) {
  const cv::Mat picture = demos::ReadPicture(path, cv::IMREAD_GRAYSCALE);
  const std::string alphabet = ReadAlphabet(model + ".alphabet.txt");
  kuiper_infer::RuntimeGraph graph(model + ".pnnx.param", model + ".pnnx.bin");
  graph.Build();
  const NdArray input = Preprocess(picture);
  const auto start = std::chrono::steady_clock::now();
  graph.set_input(graph.input_names().front(), input);
  graph.Run();
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
  const NdArray output = graph.outputs().front();
  const demos::CtcColumns line = ColumnsOf(output, alphabet);
  const std::vector<std::size_t> labels = demos::ReadGreedily(line);
  std::string text;
  for (const std::size_t label : labels) text += alphabet[label - 1];
  const auto characters = static_cast<double>(std::max<std::size_t>(1, labels.size()));
  const double probability = std::exp(demos::LogProbability(line, labels) / characters);
  std::printf("%s\nprobability per character %.3f, %.1f ms\n", text.c_str(), probability, time.count());
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Reads a picture of one printed line of text."};
  app.footer(
      "The probability per character is the n-th root of the probability that the network gives to the whole text,\n"
      "which has n characters, wherever in the picture they stand.\n"
      "Example:\n  read_line --model tmp/line_reader tmp/line_hello.png");
  std::string model = "tmp/line_reader";
  std::string picture;
  app.add_option("--model", model, "The model's files without .pnnx.param, .pnnx.bin and .alphabet.txt")
      ->capture_default_str();
  app.add_option("picture", picture, "A picture: PNG, JPEG, ...")->required();
  CLI11_PARSE(app, argc, argv);
  try {
    ReadLine(model, picture);
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << "\n";
    return 1;
  }
  return 0;
}
