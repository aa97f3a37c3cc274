// SPDX-License-Identifier: MIT
#pragma once

namespace kuiper_infer {

/// Throws Error(kArgument) where KUIPER_ISA or KUIPER_UNITS has a value that it can't have. Whoever makes a graph or
/// plans an operator calls it first. Kernels ask UsedIsa() and its like (cpu_info.hpp) on threads that nothing may be
/// thrown from, so these take a value that is unknown for none.
void CheckCpuVariables();

}  // namespace kuiper_infer
