// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "quantization/gate.hpp"

namespace kuiper_infer::cli {

/// A gate on the number that a program prints when it is called with the .param and the .bin file of a model, which lie
/// at `trial`.pnnx.param and .bin meanwhile. Measuring throws Error where the program can't be started, fails, or
/// prints anything but a number.
quantization::Gate ProgramGate(const std::string& program, double at_least, const std::string& trial);

}  // namespace kuiper_infer::cli
