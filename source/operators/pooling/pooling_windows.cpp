// SPDX-License-Identifier: MIT
#include "operators/pooling/pooling_windows.hpp"

namespace kuiper_infer {

WindowGrid ReadPoolingWindows(const Arguments& arguments, const SpatialInput& spatial) {
  const auto axes = static_cast<int64_t>(spatial.image.size());
  const auto read = [&](const char* name, int64_t otherwise) {
    const bool given = arguments.Has(name) && !arguments.Ints(name).empty();
    return given ? arguments.Ints(name, axes) : std::vector<int64_t>(static_cast<std::size_t>(axes), otherwise);
  };
  const std::vector<int64_t> kernel = arguments.Ints("kernel_size", axes);
  std::vector<int64_t> stride = read("stride", 0);
  if (!arguments.Has("stride") || arguments.Ints("stride").empty()) stride = kernel;
  const std::vector<int64_t> padding = read("padding", 0);
  const std::vector<int64_t> dilation = read("dilation", 1);
  std::vector<Window> windows;
  for (int64_t axis = 0; axis < axes; ++axis) {
    windows.push_back({kernel[axis], stride[axis], padding[axis], padding[axis], dilation[axis]});
  }
  const bool ceil_mode = arguments.Bool("ceil_mode");
  const WindowGrid grid = MakeWindowGrid(spatial.image, windows, ceil_mode);
  for (const Window& window : windows) {
    const int64_t covered = (window.kernel - 1) * window.dilation + 1;
    arguments.Require(window.padding_begin <= covered / 2, "padding is " + std::to_string(window.padding_begin) +
                                                               ", expected at most half of the window's " +
                                                               std::to_string(covered) + " elements");
  }
  return grid;
}

}  // namespace kuiper_infer
