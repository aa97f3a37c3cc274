// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

/// The environment variables of the library. No other file reads them. Each call reads the variable anew; an empty
/// variable counts as not set. If a variable has a wrong value, the call throws Error(kArgument) that names the
/// variable, the value and what was expected.
namespace kuiper_infer::environment {

/// KUIPER_FUSION and KUIPER_PLACEMENT, each 0 or 1: the values of BuildOptions::fuse_operators and place_results if the
/// program leaves them unset.
std::optional<bool> Fusion();
std::optional<bool> Placement();

/// KUIPER_CONVOLUTION: the value of BuildOptions::convolution_method if the program leaves it empty. The text is
/// returned unchecked, because the kernels know the names. Empty if the variable is not set.
std::string ConvolutionMethod();

/// KUIPER_ISA: the largest instruction set that kernels may use. The text is returned unchecked; CheckCpuVariables
/// knows the names. Empty if the variable is not set.
std::string InstructionSet();

/// KUIPER_UNITS: the units for small numbers that kernels may use. The text is returned unchecked; CheckCpuVariables
/// knows the names. Empty if the variable is not set.
std::string MatrixUnits();

/// Whether OMP_NUM_THREADS, which OpenMP reads, is set.
bool HasThreadCount();

/// OMP_NUM_THREADS for builds without OpenMP's library. Of a list ("4,2", for nested regions) the first number counts.
std::optional<int> ThreadCount();

}  // namespace kuiper_infer::environment
