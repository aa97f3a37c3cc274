// SPDX-License-Identifier: MIT
#include "utils/parallel.hpp"

#include <algorithm>

#include "utils/thread_count.hpp"

namespace kuiper_infer {
namespace {

thread_local int scope_threads = 0;  ///< of the innermost ThreadScope; 0: there is none

}  // namespace

int MaxThreads() {
  if (InTeam() || InOpenMpRegion()) return 1;
  return std::min(scope_threads > 0 ? scope_threads : ProcessThreads(), kMostThreads);
}

ThreadScope::ThreadScope(int count) : former_(scope_threads) {
  if (count > 0) scope_threads = count;
}

ThreadScope::~ThreadScope() { scope_threads = former_; }

}  // namespace kuiper_infer
