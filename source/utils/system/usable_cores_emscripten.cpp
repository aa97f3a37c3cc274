// SPDX-License-Identifier: MIT
#include <algorithm>

#include <emscripten/threading.h>

#include "utils/threads/thread_count.hpp"

namespace kuiper_infer {

/// Browsers tell the number of processors only, of which two may share a core.
int UsableCores() {
  static const int kCores = std::max(emscripten_num_logical_cores(), 1);
  return kCores;
}

}  // namespace kuiper_infer
