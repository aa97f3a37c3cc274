// SPDX-License-Identifier: MIT
#include "utils/system/cpu_info.hpp"

#include <algorithm>
#if defined(__x86_64__)
#include <cpuid.h>
#endif
#include <iterator>
#include <string>
#if defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#endif
#if defined(__x86_64__) && defined(__linux__)
#include <unistd.h>

#include <sys/syscall.h>
#endif

#include "kuiper_infer/utils/error.hpp"
#include "utils/system/cpu_variables.hpp"
#include "utils/system/environment.hpp"
#include "utils/system/memory_sizes.hpp"

namespace kuiper_infer {
namespace {

constexpr const char* kNames[] = {"generic", "sse4", "avx2", "avx512"};

/// The best instruction set of this CPU, by what Highway's targets of these names require.
Isa BestIsa() {
#if defined(__x86_64__)
#define KUIPER_HAS(FEATURE) (__builtin_cpu_supports(FEATURE) != 0)
  if (!KUIPER_HAS("sse4.2") || !KUIPER_HAS("pclmul") || !KUIPER_HAS("aes")) return Isa::kBaseline;
  if (!KUIPER_HAS("avx2") || !KUIPER_HAS("fma") || !KUIPER_HAS("bmi2")) return Isa::kSse4;
  const bool wide = KUIPER_HAS("avx512f") && KUIPER_HAS("avx512vl") && KUIPER_HAS("avx512dq") && KUIPER_HAS("avx512bw");
  return wide ? Isa::kAvx512 : Isa::kAvx2;
#undef KUIPER_HAS
#else
  return Isa::kBaseline;
#endif
}

Isa FindIsa() {
  const Isa best = BestIsa();
  const std::string given = environment::InstructionSet();
  if (given.empty()) return best;
  for (int i = 0; i < 4; ++i) {
    if (given == kNames[i]) return std::min(best, static_cast<Isa>(i));
  }
  return best;  // CheckCpuVariables refuses it
}

/// The values of KUIPER_UNITS, each of which allows those before it.
constexpr const char* kUnitNames[] = {"none", "dotprod", "avx2", "avxvnni", "avx512vnni", "avx512bf16", "amx", "auto"};

bool AllowsUnit(const std::string& name) {
  const std::string given = environment::MatrixUnits();
  const auto place = [](const std::string& wanted) {
    return std::find(std::begin(kUnitNames), std::end(kUnitNames), wanted);
  };
  return given.empty() || place(given) == std::end(kUnitNames) || place(name) <= place(given);
}

template <std::size_t kCount>
void CheckName(const char* variable, const std::string& given, const char* const (&known)[kCount]) {
  if (given.empty() || std::find(known, known + kCount, given) != known + kCount) return;
  std::string names;
  for (const char* const name : known) names += std::string(name == known[0] ? "" : ", ") + name;
  throw Error(ErrorCode::kArgument,
              std::string("environment variable ") + variable + " is '" + given + "', expected one of: " + names);
}

#if defined(__x86_64__)
/// The features of CPUID's leaf 7, which not every compiler's __builtin_cpu_supports knows.
struct Features {
  explicit Features(unsigned subleaf) { __get_cpuid_count(7, subleaf, &eax, &ebx, &ecx, &edx); }
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
};

bool HasAvxVnni() { return (Features(1).eax & (1U << 4)) != 0; }

/// Whether the CPU has AMX for tiles, bfloat16 and bytes, and the system grants its registers. Linux saves them only
/// for processes that have asked for it; older systems and some sandboxes refuse.
bool AskForAmx() {
#if defined(__linux__)
  constexpr unsigned kAmx = (1U << 22) | (1U << 24) | (1U << 25);  // AMX-BF16, AMX-TILE, AMX-INT8
  constexpr long kRequestPermission = 0x1023;                      // ARCH_REQ_XCOMP_PERM, which old headers lack
  constexpr long kTileData = 18;                                   // the number of the tiles' part of a thread's state
  return (Features(0).edx & kAmx) == kAmx && syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
#else
  return false;
#endif
}

bool HasAmx() {
  static const bool kGranted = AskForAmx();
  return kGranted;
}
#endif

MatrixUnit FindMatrixUnit() {
  if (!AllowsUnit("avx512bf16") || UsedIsa() < Isa::kAvx512) return MatrixUnit::kNone;
#if defined(__x86_64__)
  if (AllowsUnit("amx") && __builtin_cpu_supports("avx512bf16") != 0 && HasAmx()) return MatrixUnit::kAmx;
  if (__builtin_cpu_supports("avx512bf16") != 0) return MatrixUnit::kAvx512BFloat16;
#endif
  return MatrixUnit::kNone;
}

Int8Unit FindInt8Unit() {
  if (AllowsUnit("amx") && HasInt8Unit(Int8Unit::kAmx)) return Int8Unit::kAmx;
  if (HasInt8Unit(Int8Unit::kAvx512Vnni) && AllowsUnit("avx512vnni")) return Int8Unit::kAvx512Vnni;
  if (HasInt8Unit(Int8Unit::kAvxVnni) && AllowsUnit("avxvnni")) return Int8Unit::kAvxVnni;
  if (HasInt8Unit(Int8Unit::kAvx2) && AllowsUnit("avx2")) return Int8Unit::kAvx2;
  if (HasInt8Unit(Int8Unit::kDotProd) && AllowsUnit("dotprod")) return Int8Unit::kDotProd;
  return Int8Unit::kPortable;
}

}  // namespace

void CheckCpuVariables() {
  CheckName("KUIPER_ISA", environment::InstructionSet(), kNames);
  CheckName("KUIPER_UNITS", environment::MatrixUnits(), kUnitNames);
}

Isa UsedIsa() {
  static const Isa kUsed = FindIsa();
  return kUsed;
}

const char* IsaName() { return kNames[static_cast<int>(UsedIsa())]; }

MatrixUnit UsedMatrixUnit() {
  static const MatrixUnit kUsed = FindMatrixUnit();
  return kUsed;
}

const char* MatrixUnitName() {
  constexpr const char* kUnits[] = {"none", "AVX512_BF16", "AMX"};
  return kUnits[static_cast<int>(UsedMatrixUnit())];
}

Int8Unit UsedInt8Unit() {
  static const Int8Unit kUsed = FindInt8Unit();
  return kUsed;
}

Units UsedUnits() { return {UsedIsa(), UsedMatrixUnit(), UsedInt8Unit()}; }

bool HasInt8Unit(Int8Unit unit) {
  if (unit == Int8Unit::kPortable) return true;
#if defined(__x86_64__)
  if (unit == Int8Unit::kDotProd || UsedIsa() < Isa::kAvx2) return false;
  if (unit == Int8Unit::kAvx2) return true;
  if (unit == Int8Unit::kAvxVnni) return HasAvxVnni();
  const bool vnni = UsedIsa() >= Isa::kAvx512 && __builtin_cpu_supports("avx512vnni") != 0;
  return unit == Int8Unit::kAmx ? vnni && HasAmx() : vnni;
#elif defined(__aarch64__) && defined(__linux__)
  constexpr unsigned long kDotProducts = 1UL << 20;  // HWCAP_ASIMDDP
  return unit == Int8Unit::kDotProd && (getauxval(AT_HWCAP) & kDotProducts) != 0;
#else
  return false;
#endif
}

const char* Int8UnitName(Int8Unit unit) {
  constexpr const char* kUnits[] = {"portable", "DotProd", "AVX2", "AVX_VNNI", "AVX512_VNNI", "AMX"};
  return kUnits[static_cast<int>(unit)];
}

int64_t SecondLevelCacheBytes() {
  constexpr int64_t kUsual = 1 << 20;
  constexpr int64_t kLeast = kUsual / 4;
  constexpr int64_t kMost = kUsual * 4;  // larger ones are shared by several cores
  static const int64_t kFound = FindSecondLevelCache();
  return kFound > 0 ? std::clamp(kFound, kLeast, kMost) : kUsual;
}

int64_t PhysicalMemoryBytes() {
  static const int64_t kFound = FindPhysicalMemory();
  return kFound;
}

}  // namespace kuiper_infer
