// SPDX-License-Identifier: MIT
// A model's description of its outputs before it runs, above all for inputs with free extents.
#include <fstream>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kuiper_infer/model.hpp"
#include "kuiper_infer/runtime/runtime_graph.hpp"
#include "utils/error_text.hpp"

namespace kuiper_infer {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Returns a graph of these lines, not built; its weights are zero.
RuntimeGraph Load(const std::vector<std::string>& lines) {
  const std::string path = testing::TempDir() + "output_specs_" + std::to_string(getpid()) + ".param";
  std::ofstream file(path);
  file << "7767517\n" << lines.size() << " 1000\n";
  for (const std::string& line : lines) file << line << "\n";
  file.close();
  auto source = std::make_unique<pnnx::Graph>();
  source->Load(path, "");
  for (pnnx::Operator* op : source->ops) {
    for (auto& [name, attribute] : op->attrs) {
      const Shape shape(attribute.shape.begin(), attribute.shape.end());
      attribute.data.resize(static_cast<std::size_t>(ByteCount(static_cast<RuntimeDataType>(attribute.type), shape)));
    }
  }
  RuntimeGraph graph(std::move(source));
  EXPECT_TRUE(graph.Init()) << graph.last_error();
  std::remove(path.c_str());
  return graph;
}

RuntimeGraph Build(const std::vector<std::string>& lines) {
  RuntimeGraph graph = Load(lines);
  graph.Build();
  return graph;
}

/// Returns "NAME type shape" for each array of the first output.
std::vector<std::string> Described(const RuntimeGraph& graph) {
  const std::string name = graph.output_names().front();
  const Model::Output output{name, graph.output_specs(name)};
  std::vector<std::string> described;
  for (std::size_t i = 0; i < output.specs.size(); ++i) {
    described.push_back(output.array_names()[i] + " " + SpecString(output.specs[i]));
  }
  return described;
}

/// An encoder of words with their kinds and positions, of which there are 40. It gives the hidden states, and the first
/// one of them.
const std::vector<std::string> kEncoder = {
    "pnnx.Input pnnx_input_0 0 1 0 #0=(?,?)i64",
    "pnnx.Input pnnx_input_1 0 1 1 #1=(?,?)i64",
    "nn.Embedding words 1 1 0 2 embedding_dim=8 num_embeddings=20 sparse=False @weight=(20,8)f32",
    "nn.Embedding kinds 1 1 1 3 embedding_dim=8 num_embeddings=2 sparse=False @weight=(2,8)f32",
    "pnnx.Attribute positions 0 1 4 @data=(1,40,8)f32",
    "pnnx.Expression length 1 1 0 5 expr=size(@0,1)",
    "Tensor.slice slice 2 1 4 5 6 dim=1 start=0 step=1 $input=4 $end=5",
    "pnnx.Expression sum 3 1 2 3 6 7 expr=add(add(@0,@1),@2)",
    "Tensor.select first 1 1 7 8 dim=1 index=0 $input=7",
    "prim::TupleConstruct both 2 1 7 8 9",
    "pnnx.Output pnnx_output_0 1 0 9"};

TEST(OutputSpecsTest, ATupleHasFreeExtentsWithoutANoteInTheFile) {
  RuntimeGraph graph = Build(kEncoder);
  EXPECT_THAT(Described(graph), ElementsAre("pnnx_output_0.0 float32 (?,?,8)", "pnnx_output_0.1 float32 (?,8)"));
  for (const std::string& name : graph.input_names()) {
    const NdArray words(RuntimeDataType::kTypeInt64, {3, 5});
    std::fill_n(words.data<int64_t>(), words.size(), 1);
    graph.set_input(name, words);
  }
  graph.Run();
  EXPECT_THAT(Described(graph), ElementsAre("pnnx_output_0.0 float32 (3,5,8)", "pnnx_output_0.1 float32 (3,8)"));
  ASSERT_EQ(graph.outputs().size(), 2);
  EXPECT_EQ(graph.outputs()[0].shape(), (Shape{3, 5, 8}));
  EXPECT_EQ(graph.outputs()[1].shape(), (Shape{3, 8}));
}

TEST(OutputSpecsTest, BeforeBuildTheFileTells) {
  EXPECT_THAT(Described(Load(kEncoder)), ElementsAre("pnnx_output_0.0 unknown ()", "pnnx_output_0.1 unknown ()"));
  std::vector<std::string> noted = kEncoder;
  noted[7] += " #7=(?,?,8)f32";
  EXPECT_THAT(Described(Load(noted)), ElementsAre("pnnx_output_0.0 float32 (?,?,8)", "pnnx_output_0.1 unknown ()"));
  EXPECT_THAT(ErrorText(ErrorCode::kState, [] { RuntimeGraph("a", "b").output_specs("pnnx_output_0"); }),
              HasSubstr("Init"));
}

TEST(OutputSpecsTest, TuplesNestAndHoldNumbers) {
  const RuntimeGraph graph =
      Build({"pnnx.Input pnnx_input_0 0 1 0 #0=(?,3)f32", "pnnx.Expression rows 1 1 0 1 expr=size(@0,0)",
             "prim::Constant none 0 1 2 value=None", "F.relu relu 1 1 0 3", "prim::TupleConstruct inner 3 1 1 2 3 4",
             "torch.sum sum 1 1 0 5 dim=(0) keepdim=False", "prim::ListConstruct outer 2 1 4 5 6",
             "pnnx.Output pnnx_output_0 1 0 6"});
  EXPECT_THAT(Described(graph),
              ElementsAre("pnnx_output_0.0 int64 ()", "pnnx_output_0.1 float32 (?,3)", "pnnx_output_0.2 float32 (3)"));
}

TEST(OutputSpecsTest, PicturesOfWhichOnlySomeSizesFit) {
  // With a skip connection around five halvings, height and width must be multiples of 32.
  std::vector<std::string> lines = {"pnnx.Input pnnx_input_0 0 1 0 #0=(1,3,?,?)f32"};
  for (int i = 0; i < 5; ++i) {
    lines.push_back(
        "nn.MaxPool2d pool" + std::to_string(i) + " 1 1 " + std::to_string(i) + " " + std::to_string(i + 1) +
        " ceil_mode=False dilation=(1,1) kernel_size=(2,2) padding=(0,0) return_indices=False stride=(2,2)");
  }
  lines.emplace_back("nn.Upsample up 1 1 5 6 mode=nearest scale_factor=(32.0,32.0)");
  lines.emplace_back("pnnx.Expression skip 2 1 0 6 7 expr=add(@0,@1)");
  lines.emplace_back("pnnx.Output pnnx_output_0 1 0 7");
  EXPECT_THAT(Described(Build(lines)), ElementsAre("pnnx_output_0 float32 (1,3,?,?)"));
}

TEST(OutputSpecsTest, SoundsOfThousandsOfSamples) {
  EXPECT_THAT(
      Described(Build({"pnnx.Input pnnx_input_0 0 1 0 #0=(?,1,?)f32",
                       "nn.Conv1d conv 1 1 0 1 bias=False dilation=(1) groups=1 in_channels=1 kernel_size=(1024) "
                       "out_channels=2 padding=(0) padding_mode=zeros stride=(256) @weight=(2,1,1024)f32",
                       "pnnx.Output pnnx_output_0 1 0 1"})),
      ElementsAre("pnnx_output_0 float32 (?,2,?)"));
}

TEST(OutputSpecsTest, WhatOneTrialTellsAndWhatNone) {
  // The model takes only 8 rows, so only the file shows which extents depend on them.
  const std::vector<std::string> lines = {
      "pnnx.Input pnnx_input_0 0 1 0 #0=(?,3)f32", "pnnx.Attribute addend 0 1 1 @data=(8,3)f32",
      "pnnx.Expression sum 2 1 0 1 2 expr=add(@0,@1)", "torch.sum all 1 1 2 3 dim=(1) keepdim=False",
      "pnnx.Output pnnx_output_0 1 0 3"};
  EXPECT_THAT(Described(Build(lines)), ElementsAre("pnnx_output_0 float32 (?)"));
  // No trial has 7 rows.
  std::vector<std::string> odd = lines;
  odd[1] = "pnnx.Attribute addend 0 1 1 @data=(7,3)f32";
  EXPECT_THAT(Described(Build(odd)), ElementsAre("pnnx_output_0 unknown ()"));
  odd[3] += " #3=(?)f32";
  EXPECT_THAT(Described(Build(odd)), ElementsAre("pnnx_output_0 float32 (?)"));
}

TEST(OutputSpecsTest, WhatOnlyARunTellsIsAsTheFileHasIt) {
  const std::vector<std::string> lines = {"pnnx.Input pnnx_input_0 0 1 0 #0=(?,3)f32", "torch.gt mask 2 1 0 9 1",
                                          "torch.masked_select chosen 2 1 0 1 2 $input=0 $mask=1 #2=(7)f32",
                                          "prim::TupleConstruct both 2 1 2 0 3", "pnnx.Output pnnx_output_0 1 0 3"};
  std::vector<std::string> all = {"pnnx.Expression zero 0 1 9 expr=0"};
  all.insert(all.end(), lines.begin(), lines.end());
  EXPECT_THAT(Described(Build(all)), ElementsAre("pnnx_output_0.0 float32 (?)", "pnnx_output_0.1 float32 (?,3)"));
}

TEST(OutputSpecsTest, TuplesThatDoubleAreRefused) {
  std::vector<std::string> lines = {"pnnx.Input pnnx_input_0 0 1 0 #0=(?,3)f32"};
  for (int i = 0; i < 60; ++i) {
    const std::string operand = std::to_string(i);
    lines.push_back("prim::TupleConstruct t" + operand + " 2 1 " + operand + " " + operand + " " +
                    std::to_string(i + 1));
  }
  lines.emplace_back("pnnx.Output pnnx_output_0 1 0 60");
  EXPECT_THAT(ErrorText(ErrorCode::kResource, [&] { Described(Load(lines)); }), HasSubstr("tuples"));
  EXPECT_THAT(ErrorText(ErrorCode::kResource, [&] { Described(Build(lines)); }), HasSubstr("tuples"));
}

}  // namespace
}  // namespace kuiper_infer
