// SPDX-License-Identifier: MIT
#include "cli/load_plugin.hpp"
#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer::cli {

void ShowLibrary() {}

void LoadPlugin(const std::string& file) {
  throw Error(ErrorCode::kFile,
              file +
                  ": cannot be loaded by a program without shared libraries, expected one for Linux that is built "
                  "with KUIPER_STATIC=OFF");
}

}  // namespace kuiper_infer::cli
