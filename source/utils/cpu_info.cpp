// SPDX-License-Identifier: MIT
#include "utils/cpu_info.hpp"

#include <cstdlib>
#include <hwy/targets.h>
#include <string>
#include <unistd.h>

#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer {
namespace {

struct Isa {
  const char* name;
  int64_t target;  ///< Highway's bit; better instruction sets have lower ones
};

constexpr Isa kIsas[] = {{"avx512", HWY_AVX3}, {"avx2", HWY_AVX2}, {"sse4", HWY_SSE4}, {"neon", HWY_NEON}};

bool ReadLimit() {
  const char* given = std::getenv("KUIPER_ISA");
  if (given == nullptr || *given == '\0') return true;
  const std::string limit = given;
  if (limit == "generic") {
    hwy::DisableTargets(HWY_AVX3 | HWY_AVX2 | HWY_SSE4 | HWY_NEON);
    return true;
  }
  for (const Isa& isa : kIsas) {
    if (limit != isa.name) continue;
    hwy::DisableTargets(isa.target - 1);  // all better ones
    return true;
  }
  throw Error(ErrorCode::kArgument,
              "environment variable KUIPER_ISA is '" + limit + "', expected avx512, avx2, sse4, neon or generic");
}

}  // namespace

void LimitIsa() {
  static const bool done = ReadLimit();
  (void)done;
}

const char* IsaName() {
  LimitIsa();
  const int64_t supported = hwy::SupportedTargets();
  for (const Isa& isa : kIsas) {
    if ((supported & isa.target) != 0) return isa.name;
  }
  return "generic";
}

int64_t PhysicalMemoryBytes() {
  const int64_t pages = sysconf(_SC_PHYS_PAGES);
  const int64_t page_bytes = sysconf(_SC_PAGESIZE);
  return pages > 0 && page_bytes > 0 ? pages * page_bytes : 0;
}

}  // namespace kuiper_infer
