// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "quantization/search/gate.hpp"

namespace kuiper_infer::cli {

/// A program that judges a model.
struct GateProgram {
  std::string path;     ///< path, or a name that is looked for in PATH
  double at_least = 0;  ///< the number that it has to print
  double seconds = 0;   ///< the time that it may take for a model
};

/// A gate on the number that a program prints when it is called with the two files of a model. The files are
/// `trial`.pnnx.param and `trial`.pnnx.bin, and exist during the call. Measuring throws Error if the program can't be
/// started, fails, takes too long, or prints anything but a number. If a signal ends this process, the program is ended
/// first and the files are removed.
quantization::Gate ProgramGate(const GateProgram& program, const std::string& trial);

}  // namespace kuiper_infer::cli
