// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace pnnx {

/// If the file's name has the ending of another format, a text that names the format, what was expected instead and
/// how to get such a file: "an ONNX model, expected ...". Empty for all other names.
std::string WayFromForeignFile(const std::string& path);

}  // namespace pnnx
