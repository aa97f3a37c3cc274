// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/picture/picture_input.hpp"
#include "kuiper_infer/data/ndarray.hpp"

namespace kuiper_infer::cli {

/// The options of commands that take pictures.
struct ImageOptions {
  std::vector<std::string> files;  ///< [NAME=]FILE
  PictureInput preparation;

  /// Adds --image, for a file, and what AddPreparationTo adds.
  void AddTo(const Command& command);
  /// Adds the options of how a picture becomes an input.
  void AddPreparationTo(const Command& command);
  /// The picture for an input of that recorded spec: (1,C,H,W) or (C,H,W). Throws Error.
  NdArray Read(const std::string& file, const std::string& input, const TensorSpec& spec) const;
};

}  // namespace kuiper_infer::cli
