// SPDX-License-Identifier: MIT
#include "shape/window.hpp"

#include <string>

#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer {
namespace {

[[noreturn]] void Fail(const std::string& text) { throw Error(ErrorCode::kShape, text); }

int64_t Add(int64_t a, int64_t b) {
  int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) Fail("window geometry overflows 64 bits");
  return sum;
}

int64_t Multiply(int64_t a, int64_t b) {
  int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) Fail("window geometry overflows 64 bits");
  return product;
}

void CheckAtLeast(const char* name, int64_t value, int64_t least) {
  if (value < least) {
    Fail(std::string(name) + " is " + std::to_string(value) + ", expected at least " + std::to_string(least));
  }
}

void CheckWindow(const Window& window) {
  CheckAtLeast("kernel_size", window.kernel, 1);
  CheckAtLeast("stride", window.stride, 1);
  CheckAtLeast("dilation", window.dilation, 1);
  CheckAtLeast("padding", window.padding_begin, 0);
  CheckAtLeast("padding", window.padding_end, 0);
}

/// Distance from a window's first to its last element.
int64_t Reach(const Window& window) { return Multiply(window.dilation, window.kernel - 1); }

}  // namespace

int64_t OutputExtent(int64_t input, const Window& window, bool ceil_mode) {
  CheckWindow(window);
  CheckAtLeast("input extent", input, 0);
  const int64_t padded = Add(Add(input, window.padding_begin), window.padding_end);
  const int64_t slack = padded - Reach(window) - 1;  // both are non-negative: no overflow
  const int64_t rounded = ceil_mode ? Add(slack, window.stride - 1) : slack;
  int64_t output = rounded < 0 ? 0 : rounded / window.stride + 1;
  if (ceil_mode && output > 0 && Multiply(output - 1, window.stride) >= Add(input, window.padding_begin)) --output;
  if (output < 1) {
    Fail("the window covers " + std::to_string(Add(Reach(window), 1)) + " elements (kernel_size " +
         std::to_string(window.kernel) + ", dilation " + std::to_string(window.dilation) +
         "), the padded input has only " + std::to_string(padded));
  }
  return output;
}

int64_t TransposedExtent(int64_t input, const Window& window, int64_t output_padding) {
  CheckWindow(window);
  CheckAtLeast("input extent", input, 0);
  CheckAtLeast("output_padding", output_padding, 0);
  if (output_padding >= window.stride && output_padding >= window.dilation) {
    Fail("output_padding is " + std::to_string(output_padding) + ", expected less than stride " +
         std::to_string(window.stride) + " or dilation " + std::to_string(window.dilation));
  }
  const int64_t unpadded = Add(Add(Multiply(input - 1, window.stride), Reach(window)), Add(output_padding, 1));
  const int64_t output = Add(unpadded, -Add(window.padding_begin, window.padding_end));
  if (output < 1) {
    Fail("the output extent would be " + std::to_string(output) + " for an input extent of " + std::to_string(input));
  }
  return output;
}

void PadSame(Window& window) {
  if (window.stride != 1) Fail("padding 'same' needs stride 1, found " + std::to_string(window.stride));
  const int64_t total = Reach(window);
  window.padding_begin = total / 2;
  window.padding_end = total - window.padding_begin;
}

WindowGrid MakeWindowGrid(const Shape& image, const std::vector<Window>& windows, bool ceil_mode) {
  WindowGrid grid;
  const std::size_t lead = grid.image.size() - image.size();
  Shape padded;
  Shape taps;
  for (std::size_t i = 0; i < image.size(); ++i) {
    grid.image[lead + i] = image[i];
    grid.window[lead + i] = windows[i];
    grid.positions[lead + i] = OutputExtent(image[i], windows[i], ceil_mode);
    padded.push_back(image[i] + windows[i].padding_begin + windows[i].padding_end);
    taps.push_back(windows[i].kernel);
  }
  for (const Shape& counted : {padded, taps}) ElementCount(counted);
  return grid;
}

}  // namespace kuiper_infer
