// SPDX-License-Identifier: MIT
// Environment variables with impossible values give an error that names them, in every command and thread.
#include <gtest/gtest.h>

#include "cli/program.hpp"
#include "utils/environment_variable.hpp"

namespace kuiper_infer::test {
namespace {

TEST(VariablesTest, WrongValuesAreNamed) {
  for (const char* variable :
       {"KUIPER_ISA", "KUIPER_UNITS", "KUIPER_FUSION", "KUIPER_PLACEMENT", "KUIPER_CONVOLUTION"}) {
    const EnvironmentVariable wrong(variable, "foo");
    for (const char* command : {"bench", "profile"}) {
      SCOPED_TRACE(std::string(variable) + " " + command);
      ExpectErrorLine(RunOnLineReader(command, {}), {variable, "'foo'", "expected"});
    }
    const std::string model = KUIPER_SOURCE_DIR "/tmp/line_reader.pnnx.";
    ExpectErrorLine(RunKuiper({"info", model + "param", model + "bin"}), {variable, "'foo'", "expected"});
    EXPECT_EQ(RunKuiper({"ops"}).exit_code, 0) << "what needs no model needs no variable: " << variable;
  }
}

TEST(VariablesTest, AWrongThreadCountEndsInNoSignal) {
  for (const char* value : {"foo", "0", "-1", "99999999999999999999"}) {
    const EnvironmentVariable wrong("OMP_NUM_THREADS", value);
    const ProgramResult result = RunOnLineReader("profile", {});
    EXPECT_TRUE(result.exit_code == 0 || result.exit_code == 1) << value << ": " << result.err;
  }
}

}  // namespace
}  // namespace kuiper_infer::test
