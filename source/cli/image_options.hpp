// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/command_line.hpp"
#include "kuiper_infer/data/ndarray.hpp"
#include "kuiper_infer/vision/image.hpp"

namespace kuiper_infer::cli {

/// How pictures become inputs.
struct ImageOptions {
  std::vector<std::string> files;  ///< [NAME=]FILE
  std::string fit = "stretch";
  std::string color = "rgb";
  std::vector<int64_t> size;  ///< height and width where the model leaves them free
  float divisor = 255;
  std::vector<float> mean;
  std::vector<float> deviation;

  void AddTo(const Command& command);
  /// The picture for an input of that recorded spec: (1,C,H,W) or (C,H,W). Throws Error.
  NdArray Read(const std::string& file, const std::string& input, const TensorSpec& spec) const;

 private:
  std::pair<int64_t, int64_t> TargetSize(const Image& picture, const TensorSpec& spec) const;
};

}  // namespace kuiper_infer::cli
