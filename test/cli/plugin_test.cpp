// SPDX-License-Identifier: MIT
// Users' operators, loaded into the program from shared objects.
#include <cmath>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/program.hpp"
#include "data/npy.hpp"
#include "kuiper_infer/runtime/ir.h"

namespace kuiper_infer::test {
namespace {

using testing::HasSubstr;

/// y = relu(amplitude * sin(3 x)) by an operator net.Wave, as the converter writes it.
class PluginTest : public testing::Test {
 protected:
  PluginTest() {
    std::ofstream(param_) << "7767517\n4 3\npnnx.Input in 0 1 0 #0=(2,3)f32\n"
                             "net.Wave wave 1 1 0 1 @amplitude=(3)f32 @frequency=(1)f32 #0=(2,3)f32 #1=(2,3)f32\n"
                             "nn.ReLU relu 1 1 1 2 #1=(2,3)f32 #2=(2,3)f32\npnnx.Output out 1 0 2 #2=(2,3)f32\n";
    pnnx::Graph weights;
    pnnx::Operator* wave = weights.new_operator("net.Wave", "wave");
    wave->attrs["amplitude"] = pnnx::Attribute({3}, {1, 2, 3});
    wave->attrs["frequency"] = pnnx::Attribute({1}, {3});
    EXPECT_EQ(weights.save(folder_ / "unused.param", bin_), 0) << weights.error();
  }

  ProgramResult Info(const std::vector<std::string>& plugins) const {
    std::vector<std::string> arguments{"info"};
    for (const std::string& plugin : plugins) arguments.insert(arguments.end(), {"--plugin", plugin});
    arguments.insert(arguments.end(), {param_, bin_});
    return RunKuiper(arguments);
  }

  ProgramResult Call(const std::string& command, const std::vector<std::string>& more) const {
    std::vector<std::string> arguments{command, "--plugin", WAVE_PLUGIN, "--param", param_, "--bin", bin_};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return RunKuiper(arguments);
  }

  const TemporaryFolder folder_;
  const std::string param_ = folder_ / "m.param";
  const std::string bin_ = folder_ / "m.bin";
};

TEST_F(PluginTest, OperatorsRun) {
  const NdArray x(RuntimeDataType::kTypeFloat32, {2, 3});
  for (int i = 0; i < 6; ++i) x.data<float>()[i] = 0.2F * static_cast<float>(i);
  WriteNpy(folder_ / "x.npy", x);
  const ProgramResult result = Call("run", {"--input", folder_ / "x.npy", "--output-dir", folder_ / "out"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const NdArray y = ReadNpy(folder_ / "out/out0.npy");
  ASSERT_EQ(y.shape(), (Shape{2, 3}));
  for (int i = 0; i < 6; ++i) {
    const float wave = static_cast<float>(i % 3 + 1) * std::sin(0.6F * static_cast<float>(i));
    EXPECT_NEAR(y.data<float>()[i], std::max(0.0F, wave), 1e-6) << i;
  }
}

TEST_F(PluginTest, ClassicLayersRun) {
  std::ofstream(param_) << "7767517\n3 2\npnnx.Input in 0 1 0 #0=(1,1,2,3)f32\n"
                           "net.Negate negate 1 1 0 1 #0=(1,1,2,3)f32 #1=(1,1,2,3)f32\n"
                           "pnnx.Output out 1 0 1 #1=(1,1,2,3)f32\n";
  const NdArray x(RuntimeDataType::kTypeFloat32, {1, 1, 2, 3});
  for (int i = 0; i < 6; ++i) x.data<float>()[i] = static_cast<float>(i);
  WriteNpy(folder_ / "x.npy", x);
  const ProgramResult result = RunKuiper({"run", "--plugin", CLASSIC_PLUGIN, "--param", param_, "--bin", bin_,
                                          "--input", folder_ / "x.npy", "--output-dir", folder_ / "out"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const NdArray y = ReadNpy(folder_ / "out/out0.npy");
  ASSERT_EQ(y.size(), 6);
  for (int i = 0; i < 6; ++i) EXPECT_EQ(y.data<float>()[i], -static_cast<float>(i));
}

TEST_F(PluginTest, EveryCommandThatReadsAModelTakesThem) {
  ExpectErrorLine(Info({}), {"not supported", "net.Wave"});
  const ProgramResult info = Info({WAVE_PLUGIN});
  EXPECT_EQ(info.exit_code, 0) << info.err;
  EXPECT_THAT(info.out, HasSubstr("1 net.Wave"));
  EXPECT_THAT(Call("bench", {"--seconds", "0", "--json"}).out, HasSubstr("min_ms"));
  EXPECT_THAT(Call("profile", {"--runs", "1"}).out, HasSubstr("net.Wave wave"));
  EXPECT_THAT(Call("graph", {}).out, HasSubstr("net.Wave"));
}

TEST_F(PluginTest, FilesThatAreNoPluginsAreNamed) {
  const std::string shared_object = ReadText(WAVE_PLUGIN);
  const auto refused = [&](const std::string& name, const std::string& contents) {
    std::ofstream(folder_ / name, std::ios::binary) << contents;
    return Info({folder_ / name});
  };
  ExpectErrorLine(Info({"/no/such.so"}), {"/no/such.so", "No such file"});
  ExpectErrorLine(Info({folder_.path()}), {folder_.path(), "expected a regular file"});
  ExpectErrorLine(Info({"/dev/zero"}), {"/dev/zero", "expected a regular file"});
  ExpectErrorLine(refused("empty.so", ""), {"empty.so", "is not a shared object"});
  ExpectErrorLine(refused("text.so", std::string(1000, 'x')), {"text.so", "is not a shared object"});
  ExpectErrorLine(refused("half.so", shared_object.substr(0, shared_object.size() / 2)), {"half.so", "incomplete"});
  ExpectErrorLine(Info({KUIPER_PROGRAM}), {KUIPER_PROGRAM, "cannot be loaded"});
}

TEST_F(PluginTest, TypesThatAreTakenOrMissingAreNamed) {
  ExpectErrorLine(Info({TAKEN_PLUGIN}), {TAKEN_PLUGIN, "nn.ReLU", "registered already"});
  ExpectErrorLine(Info({SILENT_PLUGIN}), {SILENT_PLUGIN, "registers no operator"});
  std::filesystem::copy_file(WAVE_PLUGIN, folder_ / "copy.so");
  ExpectErrorLine(Info({WAVE_PLUGIN, folder_ / "copy.so"}), {"copy.so", "net.Wave", "registered already"});
}

}  // namespace
}  // namespace kuiper_infer::test
