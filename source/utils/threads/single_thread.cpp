// SPDX-License-Identifier: MIT
// Teams of the calling thread alone (CMake option KUIPER_THREADS=none): for platforms without threads.
#include "utils/threads/thread_pool.hpp"

namespace kuiper_infer {

bool InTeam() { return false; }

void RunInTeam(int /*seats*/, FunctionRef<void(int seat)> work) { work(0); }

int PrepareTeam(int /*wanted*/) { return 1; }

}  // namespace kuiper_infer
