// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace kuiper_infer::cli {

/// Makes the library's functions visible to plugins. If the library is in the Python module, Python has loaded it
/// without showing its functions to other libraries.
void ShowLibrary();

/// Loads a shared object that registers operators. Throws Error that names the file, also in a program without shared
/// libraries.
void LoadPlugin(const std::string& file);

}  // namespace kuiper_infer::cli
