// SPDX-License-Identifier: MIT
#pragma once

// How a kernel is compiled once for each instruction set and chosen at run time, by Google Highway. A source file
// FILE.cpp of that kind reads
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
//     HWY_EXPORT(Scale);
//     void Scale(...) { return KUIPER_SIMD(Scale)(...); }
//     }
//     #endif

#include <hwy/highway.h>

#include "utils/cpu_info.hpp"

/// The version of an exported function for the instruction set in use.
#define KUIPER_SIMD(FUNCTION) (kuiper_infer::LimitIsa(), HWY_DYNAMIC_DISPATCH(FUNCTION))
