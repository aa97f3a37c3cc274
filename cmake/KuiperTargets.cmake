# SPDX-License-Identifier: MIT
# Settings and helper functions shared by all targets of this project.

add_library(kuiper_build_flags INTERFACE)
target_compile_features(kuiper_build_flags INTERFACE cxx_std_17)
# Clang warns of each `omp simd` loop that it keeps as it is.
target_compile_options(kuiper_build_flags INTERFACE -Wall -Wextra $<$<BOOL:${KUIPER_WARNINGS_AS_ERRORS}>:-Werror>
                                                    $<$<CXX_COMPILER_ID:Clang>:-Wno-pass-failed>)
if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|aarch64|arm64)$")
  # CPUs that have fused multiply-adds but no vectors here compute like x86-64 without them: each operation is rounded.
  target_compile_options(kuiper_build_flags INTERFACE -ffp-contract=off)
endif()
if(KUIPER_COVERAGE)
  target_compile_options(kuiper_build_flags INTERFACE --coverage -fprofile-update=atomic)
  target_link_options(kuiper_build_flags INTERFACE --coverage)
endif()
if(KUIPER_SANITIZE)
  # GCC sees uninitialised variables in instrumented code that has none (its manual says so of -fsanitize).
  target_compile_options(kuiper_build_flags INTERFACE -fsanitize=${KUIPER_SANITIZE} -fno-omit-frame-pointer
                                                      -fno-sanitize-recover=all $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized>)
  target_link_options(kuiper_build_flags INTERFACE -fsanitize=${KUIPER_SANITIZE})
  target_compile_definitions(kuiper_build_flags INTERFACE KUIPER_HEAP_ONLY)
endif()

if(MINGW)
  target_compile_definitions(kuiper_build_flags INTERFACE _WIN32_WINNT=0x0A00 NOMINMAX WIN32_LEAN_AND_MEAN _USE_MATH_DEFINES)
  set(KUIPER_POSIX_TIME _POSIX_THREAD_SAFE_FUNCTIONS=200112L)  # localtime_r and gmtime_r
  # GCC takes vectors on the stack for aligned that aren't on Windows (GCC bug 54412). Debian's GCC is mended; for others,
  # the assembler writes moves that need no alignment.
  target_compile_options(kuiper_build_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wa,-muse-unaligned-vector-move>)
endif()

# kuiper_platform_sources(VARIABLE): replaces each source FILE.cpp for which there is FILE_windows.cpp, if the build is for
# Windows, or FILE_emscripten.cpp, if it is for WebAssembly.
function(kuiper_platform_sources variable)
  string(TOLOWER "${CMAKE_SYSTEM_NAME}" system)
  set(sources "")
  foreach(source IN LISTS ${variable})
    string(REGEX REPLACE "\\.cpp$" "_${system}.cpp" other ${source})
    if(system MATCHES "^(windows|emscripten)$" AND EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${other})
      set(source ${other})
    endif()
    list(APPEND sources ${source})
  endforeach()
  set(${variable} ${sources} PARENT_SCOPE)
endfunction()

# kuiper_optimise_for_size(TARGET ... [SOURCES FILE ...]): for code that plans, reads and reports but leaves computing to kernels. It
# takes half the space, and two thirds of the time to compile. On 32-bit ARM, GCC 12 takes some functions that call others for ones that
# don't throw if it optimises for size; an exception ends the program there.
set(KUIPER_SIZE_OPTION -Os)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^arm" AND CMAKE_SIZEOF_VOID_P EQUAL 4)
  set(KUIPER_SIZE_OPTION -O2)
endif()
function(kuiper_optimise_for_size)
  cmake_parse_arguments(SMALL "" "" "SOURCES" ${ARGN})
  foreach(target IN LISTS SMALL_UNPARSED_ARGUMENTS)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:${KUIPER_SIZE_OPTION}>)
  endforeach()
  set_property(SOURCE ${SMALL_SOURCES} APPEND PROPERTY COMPILE_OPTIONS $<$<CONFIG:Release>:${KUIPER_SIZE_OPTION}>)
endfunction()

# kuiper_optimise_for_speed(FILE ...): for files of a target that is optimised for size, which run between kernels. With -Os GCC
# copies memory by string instructions, which begin slowly.
function(kuiper_optimise_for_speed)
  set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS $<$<CONFIG:Release>:-O2>)
endfunction()

# kuiper_add_level(NAME SOURCES ... [OTHERS ...] LIBRARIES ...): one level of the library, an object library that sees the
# levels below it only by convention; tools/check_includes.py enforces the direction. SOURCES has to name every source file in
# the folder but the OTHERS, which this configuration leaves out or other targets compile, and those for other systems.
function(kuiper_add_level name)
  cmake_parse_arguments(LEVEL "" "" "SOURCES;OTHERS;LIBRARIES" ${ARGN})
  file(GLOB_RECURSE unlisted RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS *.cpp)
  list(REMOVE_ITEM unlisted ${LEVEL_SOURCES} ${LEVEL_OTHERS})
  list(FILTER unlisted EXCLUDE REGEX "_(windows|emscripten)\\.cpp$")
  if(unlisted)
    list(JOIN unlisted ", " unlisted)
    message(FATAL_ERROR "source/${name}/CMakeLists.txt does not list ${unlisted}")
  endif()
  kuiper_platform_sources(LEVEL_SOURCES)
  add_library(kuiper_${name} OBJECT ${LEVEL_SOURCES})
  set_target_properties(kuiper_${name} PROPERTIES POSITION_INDEPENDENT_CODE ${KUIPER_POSITION_INDEPENDENT})
  target_include_directories(kuiper_${name} PUBLIC ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/source)
  target_link_libraries(kuiper_${name} PUBLIC kuiper_build_flags kuiper_openmp ${LEVEL_LIBRARIES})
endfunction()

# kuiper_read_selection(VARIABLE SELECTION ITEM ...): sets VARIABLE to the part of the ITEMs that SELECTION, a file of `kuiper strip`,
# sets it to. An empty SELECTION stands for all of them.
function(kuiper_read_selection variable selection)
  set(${variable} ${ARGN})
  if(selection)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${selection})
    include(${selection})
  endif()
  set(unknown ${${variable}})
  list(REMOVE_ITEM unknown ${ARGN})
  if(unknown)
    message(FATAL_ERROR "${selection}: ${variable} names ${unknown}, which the library does not have")
  endif()
  set(${variable} ${${variable}} PARENT_SCOPE)
endfunction()

# kuiper_kernel_families(VARIABLE SELECTION): the definitions for source/kernel/kernel_families.hpp: which families the tables of kernels
# have.
function(kuiper_kernel_families variable selection)
  set(families channelwise int8 integer_weights)
  kuiper_read_selection(KUIPER_KERNEL_FAMILIES "${selection}" ${families})
  set(definitions "")
  foreach(family IN LISTS families)
    string(TOUPPER KUIPER_HAS_${family} definition)
    if(family IN_LIST KUIPER_KERNEL_FAMILIES)
      list(APPEND definitions ${definition}=true)
    else()
      list(APPEND definitions ${definition}=false)
    endif()
  endforeach()
  set(${variable} ${definitions} PARENT_SCOPE)
endfunction()

# kuiper_find_function(VARIABLE FILE PREFIX ARGUMENT): sets VARIABLE to the function that is named after FILE.cpp (with the
# prefix Register, RegisterConvTranspose for conv_transpose.cpp). The file has to define it, with ARGUMENT as its first one.
function(kuiper_find_function variable file prefix argument)
  get_filename_component(words ${file} NAME)
  string(REPLACE "_" ";" words ${words})
  set(function ${prefix})
  foreach(word IN LISTS words)
    string(SUBSTRING ${word} 0 1 first)
    string(SUBSTRING ${word} 1 -1 rest)
    string(TOUPPER ${first} first)
    string(APPEND function ${first}${rest})
  endforeach()
  file(STRINGS ${file}.cpp definition REGEX "^void ${function}\\(${argument}[,)]")
  if(NOT definition)
    message(FATAL_ERROR "${CMAKE_CURRENT_SOURCE_DIR}/${file}.cpp has no function void ${function}(${argument})")
  endif()
  set(${variable} ${function} PARENT_SCOPE)
endfunction()

# kuiper_precompile_gtest(): one precompiled header for all test programs. gtest's and gmock's take longer to compile than most tests.
function(kuiper_precompile_gtest)
  set(empty ${PROJECT_BINARY_DIR}/generated/precompiled_gtest.cpp)
  file(GENERATE OUTPUT ${empty} CONTENT "")
  add_library(kuiper_precompiled_gtest OBJECT ${empty})
  target_link_libraries(kuiper_precompiled_gtest PRIVATE kuiper_build_flags kuiper_openmp GTest::gmock)
  target_precompile_headers(kuiper_precompiled_gtest PRIVATE <gmock/gmock.h> <gtest/gtest.h>)
endfunction()

# kuiper_add_test(NAME SOURCES ... LEVELS ... LIBRARIES ...): a gtest program, which is one entry of ctest: a process for each of the
# 27,000 tests would take longer than the tests. LEVELS are the levels of the library it is linked from; without them it is linked with
# the whole library. Programs in KUIPER_TESTS_LEFT_OUT are not built.
function(kuiper_add_test name)
  cmake_parse_arguments(TEST "" "" "SOURCES;LEVELS;LIBRARIES" ${ARGN})
  if(name IN_LIST KUIPER_TESTS_LEFT_OUT)
    return()
  endif()
  kuiper_platform_sources(TEST_SOURCES)
  add_executable(${name} ${TEST_SOURCES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/source ${PROJECT_SOURCE_DIR}/test)
  target_compile_definitions(${name} PRIVATE KUIPER_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  if(TEST_LEVELS)
    list(TRANSFORM TEST_LEVELS PREPEND kuiper_)
    target_link_libraries(${name} PRIVATE ${TEST_LEVELS})
  else()
    target_link_libraries(${name} PRIVATE kuiper_infer)
  endif()
  # OpenMP's flag, which most levels have, defines a macro that the precompiled header was compiled with.
  target_link_libraries(${name} PRIVATE kuiper_build_flags kuiper_openmp ${TEST_LIBRARIES} GTest::gmock GTest::gtest_main)
  target_precompile_headers(${name} REUSE_FROM kuiper_precompiled_gtest)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/test)
  add_test(NAME ${name} COMMAND ${name} --gtest_brief=1)
  set_tests_properties(${name} PROPERTIES TIMEOUT $<IF:$<BOOL:${CMAKE_CROSSCOMPILING}>,7200,1200>)  # emulation takes longer
endfunction()
