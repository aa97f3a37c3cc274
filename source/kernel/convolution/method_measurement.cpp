// SPDX-License-Identifier: MIT
#include "kernel/convolution/method_measurement.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <memory>

#include <hwy/cache_control.h>

#include "utils/rounding.hpp"
#include "utils/system/memory_block.hpp"

namespace kuiper_infer::kernel {
namespace {

/// Returns the choice's name as one word.
std::string KeyOf(const ConvolutionChoice& choice) {
  return choice.method->name + (std::string("/") + choice.product->format.name);
}

/// Returns a line that identifies the question.
std::string Question(const ConvolutionGeometry& geometry, const std::vector<ConvolutionChoice>& candidates,
                     int threads) {
  std::string text;
  const auto add = [&text](int64_t number) { text += std::to_string(number) + " "; };
  for (const int64_t number :
       {geometry.batch, geometry.channels_in, geometry.channels_out, geometry.groups, int64_t{threads}}) {
    add(number);
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const Window& window = geometry.grid.window[axis];
    for (const int64_t number : {geometry.grid.image[axis], geometry.grid.positions[axis], window.kernel, window.stride,
                                 window.dilation, window.padding_begin}) {
      add(number);
    }
  }
  for (const ConvolutionChoice& candidate : candidates) text += KeyOf(candidate) + " ";
  return text;
}

/// Returns the seconds of the fastest run, or infinity if the arrays take too much memory.
double Measure(const ConvolutionGeometry& geometry, const ConvolutionChoice& choice, int threads) {
  constexpr int64_t kMostBytes = int64_t{512} << 20;
  constexpr int kRuns = 4;  // the first fetches memory and wakes threads
  constexpr double kMostSeconds = 0.2;
  const int64_t image = geometry.grid.image_size() * geometry.channels_in;
  const int64_t row = geometry.grid.image[2] * geometry.channels_in;
  const ImageStrides strides{image, geometry.grid.image[1] * row, row, geometry.channels_in, 1};
  const ChannelsLastConvolution convolution = ScheduleChannelsLast(geometry, strides, threads, choice);
  const int64_t result = geometry.grid.position_count() * geometry.channels_out;
  const std::array<int64_t, 5> sizes{FloatBytes(geometry.batch * image), choice.layout().Bytes(WeightShapeOf(geometry)),
                                     FloatBytes(geometry.batch * result), convolution.workspace_bytes,
                                     FloatBytes(geometry.channels_out)};
  int64_t sum = 0;
  for (const int64_t size : sizes) sum += AlignedBytes(size);
  if (sum > kMostBytes) return std::numeric_limits<double>::infinity();
  const std::shared_ptr<void> memory = MapBlock(sum);
  if (memory == nullptr) return std::numeric_limits<double>::infinity();
  auto* at = static_cast<std::byte*>(memory.get());
  std::fill_n(at, sum, std::byte{0});
  ChannelsLastArrays arrays;
  arrays.input = at;
  at += AlignedBytes(sizes[0]);
  arrays.weight = at;
  at += AlignedBytes(sizes[1]);
  arrays.output = at;
  arrays.output_strides = {geometry.channels_out, result};
  arrays.workspace = at + AlignedBytes(sizes[2]);
  Int8Numbers numbers;
  numbers.weight_scales = reinterpret_cast<const float*>(arrays.workspace + AlignedBytes(sizes[3]));
  if (choice.in_integers()) {
    arrays.int8 = &numbers;
    arrays.input_type = arrays.output_type = RuntimeDataType::kTypeUInt8;
  }
  double best = std::numeric_limits<double>::infinity();
  double spent = 0;
  for (int run = 0; run < kRuns && spent < kMostSeconds; ++run) {
    // In a network, other layers' weights evict this layer's weight from the caches.
    for (int64_t line = 0; line < sizes[1]; line += kCacheLine) {
      hwy::FlushCacheline(static_cast<const std::byte*>(arrays.weight) + line);
    }
    const auto start = std::chrono::steady_clock::now();
    ConvolveChannelsLast(convolution, arrays);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    best = std::min(best, seconds);
    spent += seconds;
  }
  return best;
}

}  // namespace

ConvolutionChoice MethodMeasurements::Fastest(const ConvolutionGeometry& geometry,
                                              const std::vector<ConvolutionChoice>& candidates, int threads) {
  // Held while measuring: two measurements at once would disturb each other.
  const std::lock_guard<std::mutex> lock(mutex_);
  const std::string question = Question(geometry, candidates, threads);
  const auto known = fastest_.find(question);
  if (known != fastest_.end()) {
    const auto found = std::find_if(candidates.begin(), candidates.end(), [&](const ConvolutionChoice& candidate) {
      return KeyOf(candidate) == known->second;
    });
    if (found != candidates.end()) return *found;
  }
  ConvolutionChoice fastest = candidates.front();
  double least = std::numeric_limits<double>::infinity();
  for (const ConvolutionChoice& candidate : candidates) {
    const double seconds = Measure(geometry, candidate, threads);
    if (seconds < least) {
      least = seconds;
      fastest = candidate;
    }
  }
  fastest_[question] = KeyOf(fastest);
  return fastest;
}

std::string MethodMeasurements::Text() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::string text;
  for (const auto& [question, method] : fastest_) text += question + ": " + method + "\n";
  return text;
}

void MethodMeasurements::Read(std::string_view text) {
  const std::lock_guard<std::mutex> lock(mutex_);
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const std::size_t colon = line.find(": ");
    if (colon == std::string_view::npos) continue;
    const std::string question(line.substr(0, colon));
    const std::string name(line.substr(colon + 2));
    // The answer has to be one of the candidates, which are the question's last words, the only ones with a slash.
    const bool asked = name.find('/') != std::string::npos && question.find(" " + name + " ") != std::string::npos;
    if (asked) fastest_[question] = name;
  }
}

}  // namespace kuiper_infer::kernel
