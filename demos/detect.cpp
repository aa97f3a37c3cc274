// SPDX-License-Identifier: MIT
// Finds objects in a picture with a detector of the YOLO family:
//   detect --param tmp/shape_detector.pnnx.param --bin tmp/shape_detector.pnnx.bin
//          --labels tmp/shape_detector.labels.txt --output boxes.png tmp/shapes.png
// Exports of YOLOv5, v8, v9, v11 and v12 by Ultralytics, their segmentation models too, run unchanged, with the names
// of their classes.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>

#include <CLI/CLI.hpp>
#include <opencv2/imgproc.hpp>

#include "detection.hpp"
#include "picture_file.hpp"
#include "picture_model.hpp"

namespace {

using demos::Detection;

struct Options {
  std::string param;
  std::string bin;
  std::string labels;
  std::string output;
  std::string picture;
  float confidence = 0.25F;
  float overlap = 0.45F;
  int64_t size = 640;
};

void Draw(cv::Mat& picture, const std::vector<Detection>& detections, const demos::PictureModel& model) {
  const int line = std::max(1, std::max(picture.rows, picture.cols) / 320);
  const double font = 0.15 * line + 0.2;
  for (auto it = detections.rbegin(); it != detections.rend(); ++it) {  // the best are drawn last, on top
    const cv::Scalar color = demos::ColorOf(it->label);
    const cv::Rect box(cvRound(it->left), cvRound(it->top), cvRound(it->width), cvRound(it->height));
    cv::rectangle(picture, box, color, line);
    char score[16];
    std::snprintf(score, sizeof score, " %.2f", it->score);
    const std::string text = model.LabelOf(it->label) + score;
    int base = 0;
    const cv::Size size = cv::getTextSize(text, cv::FONT_HERSHEY_SIMPLEX, font, 1, &base);
    const int left = std::max(0, std::min(box.x, picture.cols - size.width));
    const cv::Rect plate(left, std::max(0, box.y - size.height - base), size.width, size.height + base);
    cv::rectangle(picture, plate, color, cv::FILLED);
    const double light = 0.114 * color[0] + 0.587 * color[1] + 0.299 * color[2];
    cv::putText(picture, text, {plate.x, plate.y + size.height + base / 2}, cv::FONT_HERSHEY_SIMPLEX, font,
                light > 128 ? cv::Scalar::all(0) : cv::Scalar::all(255), 1, cv::LINE_AA);
  }
}

void Detect(const Options& options) {
  cv::Mat picture = demos::ReadPicture(options.picture);
  const demos::PictureModel model(options.param, options.bin, options.labels, options.size);
  const kuiper_infer::Letterboxed frame = model.Frame(picture);
  const auto start = std::chrono::steady_clock::now();
  const auto outputs = model.Run(frame);
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
  // If there are several outputs, the first one is decoded; all others are for training or for masks.
  const std::vector<Detection> candidates =
      demos::DecodeDetections(outputs.front(), options.confidence, demos::MaskCoefficients(outputs));
  const std::vector<Detection> detections =
      MapToPicture(demos::SuppressByClass(candidates, options.overlap), frame, picture.rows, picture.cols);
  for (const Detection& box : detections) {
    std::printf("%s %.4f %.1f %.1f %.1f %.1f\n", model.LabelOf(box.label).c_str(), box.score, box.left, box.top,
                box.width, box.height);
  }
  std::fprintf(stderr, "%zu objects in %d x %d pixels, network at %lld x %lld, %.1f ms\n", detections.size(),
               picture.cols, picture.rows, static_cast<long long>(frame.image.width()),
               static_cast<long long>(frame.image.height()), time.count());
  if (options.output.empty()) return;
  Draw(picture, detections, model);
  demos::WritePicture(options.output, picture);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Prints a line for each object: label, score, x, y, width, height; best first."};
  app.footer(
      "Example:\n  detect --param tmp/shape_detector.pnnx.param --bin tmp/shape_detector.pnnx.bin \\\n"
      "    --labels tmp/shape_detector.labels.txt --output boxes.png tmp/shapes.png");
  Options options;
  app.add_option("--param", options.param, "The model's .pnnx.param file")->required();
  app.add_option("--bin", options.bin, "The model's .pnnx.bin file")->required();
  app.add_option("--labels", options.labels, "A text file with one class name per line");
  app.add_option("--confidence", options.confidence, "The lowest score of an object")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1.0));
  app.add_option("--overlap", options.overlap, "The largest overlap with a better object of the same class")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1.0));
  app.add_option("--size", options.size, "If the model takes any size, larger pictures are scaled to this longer side")
      ->capture_default_str()
      ->check(CLI::Range(32, 4096));
  app.add_option("--output", options.output, "A picture to write, with the boxes drawn");
  app.add_option("picture", options.picture, "A picture: PNG, JPEG, ...")->required();
  CLI11_PARSE(app, argc, argv);
  try {
    Detect(options);
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << "\n";
    return 1;
  }
  return 0;
}
