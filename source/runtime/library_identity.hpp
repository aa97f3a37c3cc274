// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace kuiper_infer {

/// A text that identifies this build of the library. Another build has the same text only if it was made of the same
/// sources by the same compiler.
std::string LibraryIdentity();

/// A text that identifies this machine's kind of CPU and the instruction set in use.
std::string CpuIdentity();

}  // namespace kuiper_infer
