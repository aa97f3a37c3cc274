// SPDX-License-Identifier: MIT
#include "operators/signal/stft_frames.hpp"

namespace kuiper_infer {

Frames ReadFrames(const Arguments& arguments) {
  Frames frames;
  frames.size = arguments.Int("n_fft");
  frames.hop = arguments.Has("hop_length") ? arguments.Int("hop_length") : frames.size / 4;
  frames.center = arguments.Bool("center");
  frames.normalized = arguments.Bool("normalized");
  arguments.Require(frames.size > 0 && frames.hop > 0, "n_fft is " + std::to_string(frames.size) + " and hop_length " +
                                                           std::to_string(frames.hop) + ", expected numbers above 0");
  return frames;
}

TensorArgument Window(const Arguments& arguments, Composition& composition, const Frames& frames, const char* type) {
  const int64_t length = arguments.Has("win_length") ? arguments.Int("win_length") : frames.size;
  arguments.Require(length > 0 && length <= frames.size,
                    "win_length is " + std::to_string(length) + ", expected 1 to n_fft " + std::to_string(frames.size));
  TensorArgument window;
  if (const TensorArgument* given = arguments.OptionalTensor("window"); given != nullptr) {
    arguments.Require(given->spec.shape == Shape{length},
                      "window is " + ShapeString(given->spec.shape) + ", expected (" + std::to_string(length) + ")");
    window = *given;
  } else {
    window = composition.Call("torch.ones", {{"size", Shape{length}}, {"dtype", type}});
  }
  if (length == frames.size) return window;
  const int64_t left = (frames.size - length) / 2;
  return composition.Call("F.pad", {{"input", window}, {"pad", Shape{left, frames.size - length - left}}});
}

}  // namespace kuiper_infer
