// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <vector>

#include "face_geometry.hpp"
#include "kuiper_infer/model.hpp"
#include "kuiper_infer/vision/image.hpp"
#include "kuiper_infer/vision/preprocess.hpp"

namespace demos {

struct Point {
  float x = 0;
  float y = 0;
};

/// A picture and the order of its channels.
struct Picture {
  kuiper_infer::ImageView pixels;
  kuiper_infer::ColorOrder order;
};

/// A box that a network takes for a face, before its correction.
struct Candidate {
  Box box;
  Shift shift;
  std::array<Point, 5> landmarks;  ///< as parts of the box; the third network's alone
};

/// Non-maximum suppression, without the shifts.
std::vector<Candidate> Suppressed(const std::vector<Candidate>& candidates, float threshold);

/// The faces that the first network finds at one scale: it slides a window of 12 pixels in steps of 2.
std::vector<Candidate> Propose(const kuiper_infer::Model& model, const Picture& picture, double scale);

/// Runs the second or the third network on each box, resized to `side` x `side` pixels, and returns the boxes that it
/// takes for faces. Boxes outside of the picture are left out.
std::vector<Candidate> Judge(const kuiper_infer::Model& model, const Picture& picture, const std::vector<Box>& boxes,
                             int64_t side);

}  // namespace demos
