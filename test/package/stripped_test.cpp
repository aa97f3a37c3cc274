// SPDX-License-Identifier: MIT
// A program with the operations of one model, as `kuiper strip` lists them: what it runs, what it says of other models,
// and that the list is the one that `kuiper strip` writes.
#include <fstream>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/program.hpp"
#include "data/npy.hpp"
#include "kernel/convolution/convolution_method.hpp"
#include "kernel/product/product_kernels.hpp"
#include "kuiper_infer/runtime/runtime_graph.hpp"
#include "model/line_reader_output.hpp"
#include "operation/operation.hpp"

namespace kuiper_infer::test {
namespace {

const std::string kSamples = KUIPER_SOURCE_DIR "/tmp/";
const std::string kReader = kSamples + "line_reader.pnnx";
const std::string kReference = KUIPER_SOURCE_DIR "/test/data/line_reader";
const std::string kOperators = KUIPER_SOURCE_DIR "/test/package/line_reader_operators.cmake";

TEST(StrippedTest, RunsTheModelWhoseOperationsItHas) {
  RuntimeGraph graph(kReader + ".param", kReader + ".bin");
  graph.Build();
  graph.set_input("pnnx_input_0", ReadNpy(kReference + "/in0.npy"));
  graph.Run();
  const NdArray expected = ReadNpy(kReference + "/out0.npy");
  const NdArray output = graph.outputs().at(0);
  ASSERT_EQ(output.shape(), expected.shape());
  ExpectLogProbabilities(output, expected);
}

TEST(StrippedTest, NamesWhatItLacks) {
  RuntimeGraph graph(kSamples + "shape_detector.pnnx.param", kSamples + "shape_detector.pnnx.bin");
  try {
    graph.Build();
    FAIL() << "the model was built";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
    EXPECT_THAT(error.what(), testing::HasSubstr("F.upsample"));
    EXPECT_THAT(error.what(), testing::HasSubstr("files of operations (line_reader_operators.cmake): "
                                                 "`kuiper strip` lists those that a model needs"));
  }
}

TEST(StrippedTest, HasNoKernelsThatTheModelDoesNotNeed) {
  for (const kernel::ConvolutionMethod& method : kernel::ConvolutionMethods()) {
    EXPECT_STRNE(method.name, "depthwise");
    EXPECT_STRNE(method.name, "grouped");
  }
  EXPECT_EQ(kernel::FindInt8Kernel(UsedUnits()), nullptr);
}

TEST(StrippedTest, NamesTheWeightsThatNoKernelReads) {
  if (!kernel::HasProductKernels(UsedUnits()))
    GTEST_SKIP() << "weights are expanded on this CPU, or with this KUIPER_ISA";
  const TemporaryFolder folder;
  const ProgramResult result = RunKuiper({"quantize", "--weights-only", "int8", "--param", kReader + ".param", "--bin",
                                          kReader + ".bin", "--output", folder / "reader"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  RuntimeGraph graph(folder / "reader.pnnx.param", folder / "reader.pnnx.bin");
  graph.Build();
  graph.set_input("pnnx_input_0", ReadNpy(kReference + "/in0.npy"));
  try {
    graph.Run();
    FAIL() << "the model ran";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
    EXPECT_THAT(error.what(), testing::HasSubstr("classes"));
    EXPECT_THAT(error.what(), testing::HasSubstr("this build lacks the kernels for weights stored as int8"));
  }
}

TEST(StrippedTest, HasTheOperationsThatStripLists) {
  const TemporaryFolder folder;
  const ProgramResult result =
      RunKuiper({"strip", "--models", kSamples + "line_reader.pnnx.param", "--output", folder / "operators.cmake"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(ReadText(folder / "operators.cmake"), ReadText(kOperators));
  EXPECT_THAT(result.out, testing::HasSubstr(std::to_string(OperationFiles().size()) + " of "));
}

TEST(StrippedTest, ListsTheFamiliesOfKernelsThatModelsNeed) {
  const TemporaryFolder folder;
  const auto model = [&](const std::string& name, const std::string& shape, const std::string& call) {
    std::ofstream(folder / name) << "7767517\n3 2\npnnx.Input x 0 1 0 #0=" << shape << "f32\n"
                                 << call << "\npnnx.Output y 1 0 1\n";
    return std::string(folder / name);
  };
  const std::string grouped =
      model("grouped.param", "(1,4,8,8)",
            "nn.Conv2d c 1 1 0 1 bias=False dilation=(1,1) groups=4 in_channels=4 kernel_size=(3,3) out_channels=4 "
            "padding=(1,1) padding_mode=zeros stride=(1,1) @weight=(4,1,3,3)f32");
  const std::string rounded = model("rounded.param", "(2,3)",
                                    "torch.fake_quantize_per_tensor_affine q 1 1 0 1 $input=0 quant_max=127 "
                                    "quant_min=-128 scale=1.0e-01 zero_point=0");
  const std::string integers = model("integers.param", "(2,3)",
                                     "nn.Linear l 1 1 0 1 bias=False in_features=3 out_features=5 @weight=(5,3)i8 "
                                     "@weight.q_per_channel_scales=(5)f32");
  const auto families = [&](const std::vector<std::string>& models) {
    std::vector<std::string> arguments = {"strip", "--output", folder / "operators.cmake", "--models"};
    arguments.insert(arguments.end(), models.begin(), models.end());
    const ProgramResult result = RunKuiper(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const std::string text = ReadText(folder / "operators.cmake");
    return text.substr(text.find("set(KUIPER_KERNEL_FAMILIES"));
  };
  EXPECT_EQ(families({grouped}), "set(KUIPER_KERNEL_FAMILIES\n    channelwise)\n");
  EXPECT_EQ(families({rounded}), "set(KUIPER_KERNEL_FAMILIES\n    int8)\n");
  EXPECT_EQ(families({integers}), "set(KUIPER_KERNEL_FAMILIES\n    integer_weights)\n");
  EXPECT_EQ(families({integers, grouped}), "set(KUIPER_KERNEL_FAMILIES\n    channelwise\n    integer_weights)\n");
}

TEST(StrippedTest, ListsOfSeveralModelsAreJoined) {
  const auto names = [](const std::vector<std::string>& models) {
    const TemporaryFolder folder;
    std::vector<std::string> arguments = {"strip", "--output", folder / "operators.cmake", "--models"};
    for (const std::string& model : models) arguments.push_back(kSamples + model + ".pnnx.param");
    EXPECT_EQ(RunKuiper(arguments).exit_code, 0);
    std::ifstream file(folder / "operators.cmake");
    std::set<std::string> found;
    for (std::string word; file >> word;) {
      if (word.find('/') != std::string::npos) found.insert(word.substr(0, word.find(')')));
    }
    return found;
  };
  const std::set<std::string> reader = names({"line_reader"});
  const std::set<std::string> detector = names({"shape_detector"});
  std::set<std::string> both = reader;
  both.insert(detector.begin(), detector.end());
  EXPECT_NE(reader, detector);
  EXPECT_EQ(names({"line_reader", "shape_detector"}), both);
}

TEST(StrippedTest, WhatCannotBeListedIsNamed) {
  const TemporaryFolder folder;
  ExpectErrorLine(RunKuiper({"strip", "--models", folder / "absent.param", "--output", folder / "operators.cmake"}),
                  {folder / "absent.param"});
  std::ofstream(folder / "odd.param")
      << "7767517\n3 2\npnnx.Input x 0 1 0 #0=(1)f32\nno.such odd 1 1 0 1\npnnx.Output y 1 0 1\n";
  ExpectErrorLine(RunKuiper({"strip", "--models", folder / "odd.param", "--output", folder / "operators.cmake"}),
                  {"no.such ('odd')"});
  ExpectErrorLine(
      RunKuiper({"strip", "--models", kSamples + "line_reader.pnnx.param", "--output", folder / "no/operators.cmake"}),
      {folder / "no/operators.cmake"});
}

}  // namespace
}  // namespace kuiper_infer::test
