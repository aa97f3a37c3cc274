// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace pnnx {

/// What a file is whose name ends as those of other formats do, what was expected instead and the way there: "an ONNX
/// model, expected ...". Empty for other names.
std::string WayFromForeignFile(const std::string& path);

}  // namespace pnnx
