// SPDX-License-Identifier: MIT
#include "cli/quantize/gate_program.hpp"
#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer::cli {

quantization::Gate ProgramGate(const GateProgram& program, const std::string& /*trial*/) {
  throw Error(ErrorCode::kUnsupported,
              "gate '" + program.path + "': programs are not run on Windows, expected --keep or --sqnr");
}

}  // namespace kuiper_infer::cli
