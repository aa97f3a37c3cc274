// SPDX-License-Identifier: MIT
// Every model of test/runtime/malformed (tools/make_malformed.py) gives one error line, which names the culprit.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/program.hpp"

namespace kuiper_infer::test {
namespace {

const std::string kFolder = KUIPER_SOURCE_DIR "/test/runtime/malformed/";

const nlohmann::json& Expected() {
  static const nlohmann::json kExpected = nlohmann::json::parse(std::ifstream(kFolder + "expected.json"));
  return kExpected;
}

std::vector<std::string> Names() {
  std::vector<std::string> names;
  for (const auto& item : Expected().items()) names.push_back(item.key());
  return names;
}

class MalformedTest : public testing::TestWithParam<std::string> {};

TEST_P(MalformedTest, EndsInOneErrorLine) {
  const TemporaryFolder folder;
  const std::string own = kFolder + GetParam() + ".bin";
  const std::string weights = std::filesystem::exists(own) ? own : kFolder + "no_weights.bin";
  const ProgramResult result = RunKuiper({"run", "--param", kFolder + GetParam() + ".param", "--bin", weights,
                                          "--input", kFolder + "input.npy", "--output-dir", folder / "out"});
  ExpectErrorLine(result, Expected().at(GetParam()).get<std::vector<std::string>>());
  EXPECT_EQ(result.out, "");
}

TEST_P(MalformedTest, InfoEndsWithoutSignal) {
  const ProgramResult result = RunKuiper({"info", kFolder + GetParam() + ".param"});
  if (result.exit_code == 0) return;  // the fault is in the weights, or shows only in a run
  ExpectErrorLine(result, {});
}

TEST_P(MalformedTest, QuantizeEndsWithoutSignal) {
  const TemporaryFolder folder;
  std::filesystem::copy(kFolder + "input.npy", folder / "input.npy");
  const std::string own = kFolder + GetParam() + ".bin";
  const std::string weights = std::filesystem::exists(own) ? own : kFolder + "no_weights.bin";
  const std::vector<std::vector<std::string>> forms = {{"--inputs", folder.path()}, {"--weights-only", "int4"}};
  for (const std::vector<std::string>& form : forms) {
    std::vector<std::string> arguments = {"quantize", "--param",   kFolder + GetParam() + ".param", "--bin", weights,
                                          "--output", folder / "q"};
    arguments.insert(arguments.end(), form.begin(), form.end());
    const ProgramResult result = RunKuiper(arguments);
    // `quantize --weights-only` does not check the rest of the graph.
    if (result.exit_code != 0) ExpectErrorLine(result, {});
  }
}

INSTANTIATE_TEST_SUITE_P(Models, MalformedTest, testing::ValuesIn(Names()),
                         [](const testing::TestParamInfo<std::string>& info) { return info.param; });

TEST(MalformedFolderTest, EveryModelIsListed) {
  for (const auto& file : std::filesystem::directory_iterator(kFolder)) {
    if (file.path().extension() != ".param") continue;
    EXPECT_TRUE(Expected().contains(file.path().stem().string())) << file.path();
  }
}

}  // namespace
}  // namespace kuiper_infer::test
