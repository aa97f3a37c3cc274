// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace kuiper_infer {

/// A text that another build of the library has only where it was made of the same sources by the same compiler.
std::string LibraryIdentity();

/// A text that tells this machine's CPU and the instruction set in use from others.
std::string CpuIdentity();

}  // namespace kuiper_infer
