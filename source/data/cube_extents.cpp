// SPDX-License-Identifier: MIT
#include "data/cube_extents.hpp"

#include <algorithm>

#include "kuiper_infer/utils/error.hpp"
#include "kuiper_infer/utils/shape.hpp"

namespace kuiper_infer {

std::string ExtentsString(const Extents& extents) { return ShapeString(Shape(extents.begin(), extents.end())); }

Extents CubeExtents(const Extents& shapes) {
  if (shapes.empty()) throw Error(ErrorCode::kShape, "a tensor needs at least one extent");
  Extents cube = {1, 1, shapes.back()};
  if (shapes.size() > 1) cube[1] = shapes[shapes.size() - 2];
  const int64_t channels = ElementCount(
      Shape(shapes.begin(), shapes.end() - std::min<std::ptrdiff_t>(2, static_cast<std::ptrdiff_t>(shapes.size()))));
  if (channels > UINT32_MAX) {
    throw Error(ErrorCode::kShape, "shape " + ExtentsString(shapes) + " has too many channels");
  }
  cube[0] = static_cast<uint32_t>(channels);
  return cube;
}

Extents LogicalShape(Extents shapes) {
  if (shapes.size() > 3) return shapes;
  while (shapes.size() > 1 && shapes.front() == 1) shapes.erase(shapes.begin());
  return shapes;
}

}  // namespace kuiper_infer
