# SPDX-License-Identifier: MIT
# Everything the library links against, as targets.
if(KUIPER_MINIMAL)
  set(KUIPER_STAND_INS ON)
endif()
if(KUIPER_STAND_INS)
  include(KuiperStandIns)
else()
  include(KuiperFull)
endif()

# Highway's headers only (see source/utils/simd.hpp). SSSE3 would add nothing to SSE4, and SVE's vectors, whose size the
# compiler doesn't know, cannot be the elements of register tiles: ARM computes with NEON. Leaving out more makes a
# build faster that is not for use, with KUIPER_ISA to name one that is left.
set(KUIPER_DISABLED_TARGETS "HWY_SSSE3|HWY_SVE|HWY_SVE2|HWY_SVE_256|HWY_SVE2_128" CACHE STRING "Instruction sets of Highway that are not compiled")
mark_as_advanced(KUIPER_DISABLED_TARGETS)
find_path(KUIPER_HIGHWAY_INCLUDE_DIR hwy/highway.h REQUIRED)
add_library(kuiper_highway INTERFACE)
target_include_directories(kuiper_highway SYSTEM INTERFACE ${KUIPER_HIGHWAY_INCLUDE_DIR})
# Its checks, on in debug and sanitized builds, would call its library.
target_compile_definitions(kuiper_highway INTERFACE "HWY_DISABLED_TARGETS=(${KUIPER_DISABLED_TARGETS})" HWY_IS_DEBUG_BUILD=0)
