// SPDX-License-Identifier: MIT
// Tells the class of each pixel of a picture:
//   segment --param tmp/shape_segmenter.pnnx.param --bin tmp/shape_segmenter.pnnx.bin
//           --labels tmp/shape_segmenter.labels.txt --output overlay.png tmp/shapes.png
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <iostream>

#include <CLI/CLI.hpp>

#include "kuiper_infer/utils/error.hpp"
#include "legend.hpp"
#include "picture_file.hpp"
#include "picture_model.hpp"

namespace {

using kuiper_infer::NdArray;

constexpr int64_t kBackground = 0;  // of nearly all models

struct Options {
  std::string param;
  std::string bin;
  std::string labels;
  std::string output;
  std::string mask;
  std::string picture;
  int64_t size = 640;
};

/// The class with the largest logit. If there is only one channel, it distinguishes its object (1) from the rest (0).
int64_t ClassAt(const float* logits, int64_t classes, int64_t step) {
  if (classes == 1) return logits[0] > 0 ? 1 : 0;
  int64_t best = 0;
  for (int64_t c = 1; c < classes; ++c) {
    if (logits[c * step] > logits[best * step]) best = c;
  }
  return best;
}

/// The class of each of the picture's pixels: that of the network's pixel under its middle.
cv::Mat_<uchar> ClassesOf(const NdArray& output, const kuiper_infer::Letterboxed& frame, const cv::Size& size) {
  const kuiper_infer::Shape& shape = output.shape();
  if (shape.size() != 4 || shape[0] != 1 || shape[1] < 1 || shape[1] > 256 || shape[2] < 1 || shape[3] < 1) {
    throw kuiper_infer::Error(kuiper_infer::ErrorCode::kShape,
                              "the model's first output has the shape " + kuiper_infer::ShapeString(shape) +
                                  "; a segmenter's (1, classes, height, width) with up to 256 classes is expected");
  }
  const NdArray logits = output.To(kuiper_infer::RuntimeDataType::kTypeFloat32).Contiguous();
  const auto place = [&](int position, int64_t border, int64_t frame_extent, int64_t extent) {
    const double in_frame = (position + 0.5) * frame.scale + static_cast<double>(border);
    const double share = in_frame / static_cast<double>(frame_extent);
    return std::clamp<int64_t>(static_cast<int64_t>(share * static_cast<double>(extent)), 0, extent - 1);
  };
  cv::Mat_<uchar> classes(size);
  for (int y = 0; y < size.height; ++y) {
    const int64_t row = place(y, frame.top, frame.image.height(), shape[2]);
    for (int x = 0; x < size.width; ++x) {
      const int64_t column = place(x, frame.left, frame.image.width(), shape[3]);
      classes(y, x) =
          static_cast<uchar>(ClassAt(logits.data<float>() + row * shape[3] + column, shape[1], shape[2] * shape[3]));
    }
  }
  return classes;
}

void Segment(const Options& options) {
  cv::Mat picture = demos::ReadPicture(options.picture);
  const demos::PictureModel model(options.param, options.bin, options.labels, options.size);
  const kuiper_infer::Letterboxed frame = model.Frame(picture);
  const auto start = std::chrono::steady_clock::now();
  const NdArray output = model.Run(frame).front();
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
  const cv::Mat_<uchar> classes = ClassesOf(output, frame, picture.size());

  std::array<int64_t, 256> pixels{};
  for (const uchar label : classes) ++pixels[label];
  std::vector<demos::LegendEntry> legend;
  for (int64_t label = 0; label < static_cast<int64_t>(pixels.size()); ++label) {
    const int64_t count = pixels[static_cast<std::size_t>(label)];
    if (count == 0) continue;
    std::printf("%s %.3f %%\n", model.LabelOf(label).c_str(),
                100.0 * static_cast<double>(count) / static_cast<double>(classes.total()));
    if (label != kBackground) legend.push_back({demos::ColorOf(label), model.LabelOf(label)});
  }
  std::fprintf(stderr, "%d x %d pixels, network at %lld x %lld, %.1f ms\n", picture.cols, picture.rows,
               static_cast<long long>(frame.image.width()), static_cast<long long>(frame.image.height()), time.count());
  if (!options.mask.empty()) demos::WritePicture(options.mask, classes);
  if (options.output.empty()) return;
  for (int y = 0; y < picture.rows; ++y) {
    for (int x = 0; x < picture.cols; ++x) {
      if (classes(y, x) == kBackground) continue;
      picture.at<cv::Vec3b>(y, x) = picture.at<cv::Vec3b>(y, x) * 0.3 + demos::ColorOf(classes(y, x)) * 0.7;
    }
  }
  demos::WritePicture(options.output, demos::WithLegend(picture, legend));
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Prints each class' share of a picture's pixels."};
  app.footer(
      "Example:\n  segment --param tmp/shape_segmenter.pnnx.param --bin tmp/shape_segmenter.pnnx.bin \\\n"
      "    --labels tmp/shape_segmenter.labels.txt --output overlay.png tmp/shapes.png");
  Options options;
  app.add_option("--param", options.param, "The model's .pnnx.param file")->required();
  app.add_option("--bin", options.bin, "The model's .pnnx.bin file")->required();
  app.add_option("--labels", options.labels, "A text file with one class name per line, the background's first");
  app.add_option("--size", options.size, "If the model takes any size, larger pictures are scaled to this longer side")
      ->capture_default_str()
      ->check(CLI::Range(32, 4096));
  app.add_option("--output", options.output,
                 "A picture to write, with the classes' colours over it and their names below");
  app.add_option("--mask", options.mask,
                 "A grey picture to write, whose values are the numbers of the pixels' classes");
  app.add_option("picture", options.picture, "A picture: PNG, JPEG, ...")->required();
  CLI11_PARSE(app, argc, argv);
  try {
    Segment(options);
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << "\n";
    return 1;
  }
  return 0;
}
