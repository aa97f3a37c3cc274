// SPDX-License-Identifier: MIT
#pragma once

// A kernel is compiled once for each instruction set, by Google Highway's headers, and the version is chosen at run
// time. The source file FILE.cpp of such a kernel looks like this:
//
//     #undef HWY_TARGET_INCLUDE
//     #define HWY_TARGET_INCLUDE "kernel/FILE.cpp"
//     #include <hwy/foreach_target.h>  // includes this file once for each instruction set
//     #include <hwy/highway.h>         // names that instruction set; in this file itself, not through another header
//
//     HWY_BEFORE_NAMESPACE();
//     namespace kuiper_infer::kernel::HWY_NAMESPACE {
//     void Scale(...) { ... }          // vector code, or plain loops for the compiler to vectorise
//     }
//     HWY_AFTER_NAMESPACE();
//
//     #if HWY_ONCE
//     namespace kuiper_infer::kernel {
//     KUIPER_SIMD_TABLE(Scale);
//     void Scale(...) { return KUIPER_SIMD(Scale)(...); }
//     }
//     #endif
//
// Highway's own dispatch would do the same, but its library measures timers whenever a program starts.

#include <hwy/highway.h>

#include "utils/system/cpu_info.hpp"

/// The versions of a function, by Isa; null if the compiler makes none. A file may also be compiled without SSE4 if the
/// baseline's version is as good or CPUs with SSE4 don't use the file (kernel/CMakeLists.txt); then the baseline's
/// version stands for both.
#define KUIPER_SIMD_TABLE(FUNCTION)                                                            \
  static decltype(&HWY_STATIC_DISPATCH(FUNCTION))                                              \
      const FUNCTION##Table[] = {&HWY_STATIC_DISPATCH(FUNCTION), KUIPER_CHOOSE_SSE4(FUNCTION), \
                                 HWY_CHOOSE_AVX2(FUNCTION), HWY_CHOOSE_AVX3(FUNCTION)}
#if HWY_TARGETS & HWY_SSE4
#define KUIPER_CHOOSE_SSE4(FUNCTION) HWY_CHOOSE_SSE4(FUNCTION)
#else
#define KUIPER_CHOOSE_SSE4(FUNCTION) &HWY_STATIC_DISPATCH(FUNCTION)
#endif

/// The version for an instruction set.
#define KUIPER_SIMD_FOR(ISA, FUNCTION) (*FUNCTION##Table[static_cast<int>(ISA)])
/// The version for the instruction set in use.
#define KUIPER_SIMD(FUNCTION) KUIPER_SIMD_FOR(kuiper_infer::UsedIsa(), FUNCTION)
