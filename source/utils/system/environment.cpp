// SPDX-License-Identifier: MIT
#include "utils/system/environment.hpp"

#include <algorithm>
#include <charconv>
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
std::string MatrixUnits() { return Read("KUIPER_UNITS"); }
bool HasThreadCount() { return !Read("OMP_NUM_THREADS").empty(); }

std::optional<int> ThreadCount() {
  const std::string value = Read("OMP_NUM_THREADS");
  if (value.empty()) return std::nullopt;
  const char* const first = value.data() + std::min(value.find_first_not_of(' '), value.size());
  const char* const end = value.data() + value.size();
  int number = 0;
  const auto [rest, fault] = std::from_chars(first, end, number);
  if (fault == std::errc() && number > 0 && (rest == end || *rest == ',' || *rest == ' ')) return number;
  throw Error(ErrorCode::kArgument,
              "environment variable OMP_NUM_THREADS is '" + value + "', expected a number of threads, at least 1");
}

}  // namespace kuiper_infer::environment
