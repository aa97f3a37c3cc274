// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "text/regex.hpp"

namespace kuiper_infer::text {

/// A part of a text, cut into pieces. The pieces are in order; characters between them are dropped.
struct Pieces {
  std::string text;           ///< UTF-8
  std::vector<Range> ranges;  ///< of `text`, none empty
  bool at_start;              ///< the part begins the whole text
};

}  // namespace kuiper_infer::text
