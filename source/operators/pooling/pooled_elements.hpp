// SPDX-License-Identifier: MIT
#pragma once

#include "operation/arguments.hpp"

namespace kuiper_infer {

/// Whether the chosen elements are the only output of a maximum pooling, without their positions.
inline bool GivesElementsOnly(const Arguments& arguments) {
  return !arguments.Bool("return_indices") && arguments.output_count() == 1;
}

}  // namespace kuiper_infer
