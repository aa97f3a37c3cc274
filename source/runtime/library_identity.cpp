// SPDX-License-Identifier: MIT
#include "runtime/library_identity.hpp"

#include <cstring>
#include <fstream>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "generated/source_hash.h"
#include "kuiper_infer/version.h"
#include "utils/system/cpu_info.hpp"

namespace kuiper_infer {
namespace {

/// The CPU's name, as its maker gives it.
std::string CpuName() {
#if defined(__x86_64__)
  constexpr unsigned kFirst = 0x80000002;
  constexpr unsigned kLast = 0x80000004;
  unsigned registers[4] = {};
  std::string name;
  for (unsigned leaf = kFirst; leaf <= kLast; ++leaf) {
    if (__get_cpuid(leaf, &registers[0], &registers[1], &registers[2], &registers[3]) == 0) return name;
    char text[sizeof(registers) + 1] = {};
    std::memcpy(text, registers, sizeof(registers));
    name += text;
  }
  unsigned family = 0;  // names of virtual machines' CPUs say little
  if (__get_cpuid(1, &family, &registers[1], &registers[2], &registers[3]) != 0) name += " " + std::to_string(family);
  return name;
#else
  std::ifstream file("/sys/devices/system/cpu/cpu0/regs/identification/midr_el1");
  std::string name;
  return std::getline(file, name) ? name : "unknown";
#endif
}

}  // namespace

std::string LibraryIdentity() { return std::string("kuiper_infer ") + KUIPER_VERSION + " " + KUIPER_SOURCE_HASH; }

std::string CpuIdentity() { return CpuName() + " " + IsaName() + " " + std::to_string(SecondLevelCacheBytes()); }

}  // namespace kuiper_infer
