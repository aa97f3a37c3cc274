// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string>
#include <vector>

#include "face_stages.hpp"

namespace demos {

struct Face {
  Box box;
  std::array<Point, 5> landmarks;  ///< left eye, right eye, nose, left and right corner of the mouth, as one sees them
};

/// A cascade of three networks (Zhang, Zhang, Li and Qiao, "Joint Face Detection and Alignment using Multi-task
/// Cascaded Convolutional Networks", 2016). A small one proposes windows all over the picture in many sizes, a larger
/// one refuses most of them, and the largest finds the landmarks. Each network also corrects the boxes.
class FaceCascade {
 public:
  /// FILES_pnet.pnnx.param, FILES_pnet.pnnx.bin, and so on with rnet and onet.
  explicit FaceCascade(const std::string& files);

  /// The faces, the best first. Throws std::runtime_error if the picture is too small for a face of `smallest` pixels.
  std::vector<Face> Find(const Picture& picture, double smallest) const;

 private:
  kuiper_infer::Model proposal_;
  kuiper_infer::Model refinement_;
  kuiper_infer::Model output_;
};

}  // namespace demos
