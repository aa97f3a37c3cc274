// SPDX-License-Identifier: MIT
#include "cli/quantize/gate_program.hpp"

#include <cmath>
#include <cstdlib>
#include <cstring>

#include "cli/quantize/gate_process.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "utils/system/file.hpp"

namespace kuiper_infer::cli {
namespace {

constexpr std::size_t kMostOutput = 4096;

/// Both files of a model, removed with the object.
struct TrialFiles {
  std::string param;
  std::string bin;

  explicit TrialFiles(const std::string& name) : param(name + ".pnnx.param"), bin(name + ".pnnx.bin") {}
  ~TrialFiles() {
    RemoveFile(param);
    RemoveFile(bin);
  }
  TrialFiles(const TrialFiles&) = delete;
  TrialFiles& operator=(const TrialFiles&) = delete;
};

double NumberOf(const std::string& program, const std::string& output) {
  char* end = nullptr;
  const double number = std::strtod(output.c_str(), &end);
  const bool whole = end != output.c_str() && std::strspn(end, " \t\r\n") == std::strlen(end);
  if (whole && std::isfinite(number)) return number;
  throw Error(ErrorCode::kInput, "gate '" + program + "': prints '" + output.substr(0, 60) + "', expected one number");
}

}  // namespace

quantization::Gate ProgramGate(const GateProgram& program, const std::string& trial) {
  const auto measure = [=](std::unique_ptr<pnnx::Graph> graph) {
    const HeldSignals signals;
    const TrialFiles files(trial);
    if (graph->save(files.param, files.bin) != 0) throw Error(ErrorCode::kFile, graph->error());
    GateProcess process({program.path, files.param, files.bin});
    return NumberOf(program.path, process.Output(kMostOutput, program.seconds, signals));
  };
  return {"the number that '" + program.path + "' prints", program.at_least, measure};
}

}  // namespace kuiper_infer::cli
