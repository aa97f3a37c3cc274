// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "quantization/gate.hpp"

namespace kuiper_infer::cli {

/// A program that judges a model.
struct GateProgram {
  std::string path;     ///< is looked for as a shell does it
  double at_least = 0;  ///< the number that it has to print
  double seconds = 0;   ///< the time that it may take for a model
};

/// A gate on the number that a program prints when it is called with the .param and the .bin file of a model, which lie
/// at `trial`.pnnx.param and .bin meanwhile. Measuring throws Error where the program can't be started, fails, takes
/// too long, or prints anything but a number. A signal that ends this process ends the program first and removes the
/// files.
quantization::Gate ProgramGate(const GateProgram& program, const std::string& trial);

}  // namespace kuiper_infer::cli
