// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace pnnx {

/// For a file whose name ends like those of another format, a text that names the format, what was expected instead and
/// how to get there: "an ONNX model, expected ...". Empty for all other names.
std::string WayFromForeignFile(const std::string& path);

}  // namespace pnnx
