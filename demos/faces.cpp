// SPDX-License-Identifier: MIT
// Finds faces and their eyes, noses and corners of the mouth, with the weights of MTCNN:
//   tools/get_model.py mtcnn_pnet; tools/get_model.py mtcnn_rnet; tools/get_model.py mtcnn_onet
//   faces tmp/astronaut.jpg --output faces.png
// tmp/astronaut.jpg is NASA's photograph of Eileen Collins, in the public domain.
#include <chrono>
#include <cstdio>
#include <iostream>

#include <CLI/CLI.hpp>
#include <opencv2/imgproc.hpp>

#include "face_cascade.hpp"
#include "picture_file.hpp"

namespace {

using demos::Face;
using demos::Point;

/// Draws with a line's width that suits the picture's size.
void Draw(cv::Mat& picture, const std::vector<Face>& faces) {
  const int width = std::max(1, std::max(picture.rows, picture.cols) / 250);
  for (const Face& face : faces) {
    const demos::Box& box = face.box;
    cv::rectangle(picture, cv::Rect2f(box.left, box.top, box.width(), box.height()), {0, 200, 0}, width);
    for (const Point& point : face.landmarks) {
      cv::circle(picture, cv::Point2f(point.x, point.y), width, {0, 0, 255}, cv::FILLED);
    }
  }
}

void FindFaces(const std::string& models, const std::string& path, double smallest, const std::string& output) {
  cv::Mat picture = demos::ReadPicture(path);
  const demos::FaceCascade cascade(models);
  const auto start = std::chrono::steady_clock::now();
  const std::vector<Face> faces = cascade.Find({demos::ViewOf(picture), kuiper_infer::ColorOrder::kBgr}, smallest);
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
  for (const Face& face : faces) {
    const demos::Box& box = face.box;
    std::printf("%.4f  %.1f %.1f %.1f %.1f ", box.score, box.left, box.top, box.width(), box.height());
    for (const Point& point : face.landmarks) std::printf("  %.1f %.1f", point.x, point.y);
    std::printf("\n");
  }
  std::fprintf(stderr, "%zu faces in %d x %d pixels, %.1f ms\n", faces.size(), picture.cols, picture.rows,
               time.count());
  if (output.empty()) return;
  Draw(picture, faces);
  demos::WritePicture(output, picture);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Prints a line for each face: score, x, y, width, height, and five landmarks as x y."};
  app.footer("Example:\n  faces tmp/astronaut.jpg --output faces.png");
  std::string models = "tmp/models/mtcnn";
  std::string picture;
  std::string output;
  double smallest = 20;
  app.add_option("--models", models, "The models' files without _pnet.pnnx.param, _rnet.pnnx.param, ...")
      ->capture_default_str();
  app.add_option("--smallest", smallest, "The smallest face's side in pixels")
      ->capture_default_str()
      ->check(CLI::Range(12.0, 10000.0));
  app.add_option("--output", output, "A picture to write, with the faces drawn");
  app.add_option("picture", picture, "A picture: PNG, JPEG, ...")->required();
  CLI11_PARSE(app, argc, argv);
  try {
    FindFaces(models, picture, smallest, output);
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << "\n";
    return 1;
  }
  return 0;
}
