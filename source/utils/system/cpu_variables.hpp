// SPDX-License-Identifier: MIT
#pragma once

namespace kuiper_infer {

/// Throws Error(kArgument) if KUIPER_ISA or KUIPER_UNITS has a wrong value. It is called before a graph is made or an
/// operator planned. Kernels ask UsedIsa() and the other functions of cpu_info.hpp on threads from which nothing may be
/// thrown, so those functions treat a wrong value as if the variable were not set.
void CheckCpuVariables();

}  // namespace kuiper_infer
