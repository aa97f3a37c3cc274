// SPDX-License-Identifier: MIT
#include "face_cascade.hpp"

#include <cmath>
#include <stdexcept>

namespace demos {
namespace {

using kuiper_infer::Model;

Model LoadModel(const std::string& files) {
  kuiper_infer::BuildOptions options;
  options.num_threads = 1;  // many small layers: threads would wait for each other for as long as they work
  return Model::Load(files + ".pnnx.param", files + ".pnnx.bin", options);
}

/// The squares that the next network is shown. `extra` as in Shifted.
std::vector<Box> Squares(const std::vector<Candidate>& candidates, float extra) {
  std::vector<Box> squares;
  for (const Candidate& candidate : candidates)
    squares.push_back(Square(Shifted(candidate.box, candidate.shift, extra)));
  return squares;
}

Face Corrected(const Candidate& candidate) {
  const Box& box = candidate.box;
  Face face{Shifted(box, candidate.shift, 1), candidate.landmarks};
  for (Point& point : face.landmarks) {
    point = {box.left - 1 + point.x * (box.width() + 1), box.top - 1 + point.y * (box.height() + 1)};
  }
  return face;
}

}  // namespace

FaceCascade::FaceCascade(const std::string& files)
    : proposal_(LoadModel(files + "_pnet")),
      refinement_(LoadModel(files + "_rnet")),
      output_(LoadModel(files + "_onet")) {}

std::vector<Face> FaceCascade::Find(const Picture& picture, double smallest) const {
  const std::vector<double> scales = PyramidScales(picture.pixels.width, picture.pixels.height, smallest);
  if (scales.empty()) {
    throw std::runtime_error("a picture of " + std::to_string(picture.pixels.width) + " x " +
                             std::to_string(picture.pixels.height) + " pixels has no room for faces of " +
                             std::to_string(std::lround(smallest)));
  }
  std::vector<Candidate> proposals;
  for (const double scale : scales) {
    const std::vector<Candidate> found = Suppressed(Propose(proposal_, picture, scale), 0.5F);
    proposals.insert(proposals.end(), found.begin(), found.end());
  }
  const std::vector<Candidate> refined =
      Suppressed(Judge(refinement_, picture, Squares(Suppressed(proposals, 0.7F), 0), 24), 0.7F);
  std::vector<Face> faces;
  std::vector<Box> boxes;
  for (const Candidate& candidate : Judge(output_, picture, Squares(refined, 1), 48)) {
    faces.push_back(Corrected(candidate));
    boxes.push_back(faces.back().box);
  }
  std::vector<Face> best;
  for (const std::size_t number : Suppress(boxes, 0.7F, Overlap::kSmaller)) best.push_back(faces[number]);
  return best;
}

}  // namespace demos
