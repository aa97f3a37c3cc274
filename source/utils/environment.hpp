// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

/// The environment variables that the library heeds. Nothing else reads them. Each call reads anew; a variable that is
/// empty counts as not set. Where a variable has a value that it can't have, the call throws Error(kArgument) that
/// names the variable, the value and what was expected.
namespace kuiper_infer::environment {

/// KUIPER_FUSION and KUIPER_PLACEMENT, each 0 or 1: whether BuildOptions::fuse_operators and place_results are true
/// where a program doesn't say.
std::optional<bool> Fusion();
std::optional<bool> Placement();

/// KUIPER_CONVOLUTION: BuildOptions::convolution_method where a program gives none. As it is: the names are the
/// kernels' to check. Empty when not set.
std::string ConvolutionMethod();

/// KUIPER_ISA: the most that kernels may use of the CPU. As it is: CheckCpuVariables knows the names. Empty when
/// not set.
std::string InstructionSet();

/// KUIPER_UNITS: which matrix units kernels may use. As it is: CheckCpuVariables knows the names. Empty
/// when not set.
std::string MatrixUnits();

/// Whether OMP_NUM_THREADS, which OpenMP reads, is set.
bool HasThreadCount();

/// OMP_NUM_THREADS for builds without OpenMP's library: its number, the first one of a list ("4,2": nested regions).
std::optional<int> ThreadCount();

}  // namespace kuiper_infer::environment
