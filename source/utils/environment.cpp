// SPDX-License-Identifier: MIT
#include "utils/environment.hpp"

#include <cstdlib>

#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer::environment {
namespace {

std::string Read(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr ? value : "";
}

std::optional<bool> ReadSwitch(const char* variable) {
  const std::string value = Read(variable);
  if (value.empty()) return std::nullopt;
  if (value == "0" || value == "1") return value == "1";
  throw Error(ErrorCode::kArgument,
              std::string("environment variable ") + variable + " is '" + value + "', expected 0 or 1");
}

}  // namespace

std::optional<bool> Fusion() { return ReadSwitch("KUIPER_FUSION"); }
std::optional<bool> Placement() { return ReadSwitch("KUIPER_PLACEMENT"); }
std::string ConvolutionMethod() { return Read("KUIPER_CONVOLUTION"); }
std::string InstructionSet() { return Read("KUIPER_ISA"); }
bool HasThreadCount() { return !Read("OMP_NUM_THREADS").empty(); }

}  // namespace kuiper_infer::environment
