// SPDX-License-Identifier: MIT
// Bytes other than 0 and 1 count as true wherever foreign memory becomes a bool array, and never reach a kernel.
#include "data/bool_bytes.hpp"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include <gtest/gtest.h>

#include "data/npy.hpp"
#include "kuiper_infer/kuiper_c.h"
#include "kuiper_infer/layer/abstract/array_layer.hpp"
#include "kuiper_infer/layer/abstract/layer_factory.hpp"
#include "kuiper_infer/model.hpp"
#include "kuiper_infer/runtime/runtime_graph.hpp"
#include "kuiper_infer/runtime/store_zip.hpp"

namespace kuiper_infer {
namespace {

constexpr RuntimeDataType kBool = RuntimeDataType::kTypeBool;
using Bytes = std::vector<unsigned char>;

/// Returns 11 bytes, four of them not zero, so that a word of eight and a rest are normalised.
Bytes ForeignBytes() { return {2, 0, 255, 1, 0, 0, 0, 0, 0, 128, 0}; }

NdArray ViewOf(Bytes& bytes) {
  return NdArray::View(bytes.data(), TensorSpec(kBool, {static_cast<int64_t>(bytes.size())}));
}

TEST(BoolBytesTest, AnyByteButZeroIsTrue) {
  for (std::size_t count = 0; count < 40; ++count) {
    for (std::size_t place = 0; place <= count; ++place) {
      Bytes bytes(count, 1);
      EXPECT_TRUE(HasBoolBytes(ViewOf(bytes)));
      if (place == count) continue;
      bytes[place] = static_cast<unsigned char>(place % 2 == 0 ? 2 : 254);
      EXPECT_FALSE(HasBoolBytes(ViewOf(bytes))) << place << " of " << count;
      MakeBoolBytes(ViewOf(bytes));
      EXPECT_EQ(bytes, Bytes(count, 1));
    }
  }
  std::vector<float> numbers(4, 3);
  EXPECT_TRUE(HasBoolBytes(NdArray::View(numbers.data(), {4})));
}

/// A model that adds the input and a weight, both of 11 bools.
constexpr const char* kSums =
    "7767517\n6 5\npnnx.Input pnnx_input_0 0 1 0 #0=(11)bool\n"
    "pnnx.Attribute mask 0 1 1 @data=(11)bool\n"
    "torch.sum given 1 1 0 2 dim=(0) keepdim=False\n"
    "torch.sum own 1 1 1 3 dim=(0) keepdim=False\n"
    "prim::TupleConstruct both 2 1 2 3 4\npnnx.Output pnnx_output_0 1 0 4\n";

std::string WeightFile() {
  const std::string path = testing::TempDir() + "bool_bytes_" + std::to_string(getpid()) + ".bin";
  StoreZipWriter writer;
  const Bytes bytes = ForeignBytes();
  EXPECT_EQ(writer.open(path), 0);
  EXPECT_EQ(writer.write_file("mask.data", reinterpret_cast<const char*>(bytes.data()), bytes.size()), 0);
  EXPECT_EQ(writer.close(), 0);
  std::ifstream file(path, std::ios::binary);
  std::string contents{std::istreambuf_iterator<char>(file), {}};
  std::filesystem::remove(path);
  return contents;
}

TEST(BoolBytesTest, InputsAndWeightsOfRuns) {
  const Model model = Model::LoadFromMemory(kSums, WeightFile());
  Bytes bytes = ForeignBytes();
  const std::vector<NdArray> outputs = model.Run(ViewOf(bytes));
  EXPECT_EQ(*outputs[0].data<int64_t>(), 4);
  EXPECT_EQ(*outputs[1].data<int64_t>(), 4);
  EXPECT_EQ(bytes, ForeignBytes()) << "the caller's memory is only read";
  // The same memory gets other contents. A run that kept its copy would miss them.
  RuntimeGraph graph = RuntimeGraph::FromMemory(kSums, WeightFile());
  graph.Build();
  graph.set_input("pnnx_input_0", ViewOf(bytes));
  for (const unsigned char last : {7, 0, 1, 9}) {
    bytes.back() = last;
    graph.Run();
    EXPECT_EQ(*graph.outputs()[0].data<int64_t>(), last == 0 ? 4 : 5);
    EXPECT_EQ(*graph.outputs()[1].data<int64_t>(), 4);
  }
  // The view has every second byte, from the back.
  Bytes wide(22, 77);
  for (std::size_t i = 0; i < 11; ++i) wide[2 * i] = ForeignBytes()[i];
  const TensorSpec spec(kBool, {11}, {-2});
  EXPECT_EQ(*model.Run(NdArray::View(wide.data() + 20, spec))[0].data<int64_t>(), 4);
}

TEST(BoolBytesTest, InputsOfTheCInterface) {
  const std::string weights = WeightFile();
  kuiper_model* model = nullptr;
  ASSERT_EQ(kuiper_load_memory(kSums, std::strlen(kSums), weights.data(), weights.size(), nullptr, &model), KUIPER_OK)
      << kuiper_last_error();
  const Bytes bytes = ForeignBytes();
  const int64_t shape[] = {11};
  const kuiper_array input = {KUIPER_BOOL, 1, shape, bytes.data()};
  kuiper_array output;
  EXPECT_EQ(kuiper_set_input(model, "pnnx_input_0", &input), KUIPER_OK);
  EXPECT_EQ(kuiper_run(model), KUIPER_OK);
  EXPECT_EQ(kuiper_get_output(model, 0, &output), KUIPER_OK);
  EXPECT_EQ(*static_cast<const int64_t*>(output.data), 4);
  kuiper_free(model);
}

TEST(BoolBytesTest, NumpyFiles) {
  const std::string path = testing::TempDir() + "bool_bytes_" + std::to_string(getpid()) + ".npy";
  Bytes bytes = ForeignBytes();
  WriteNpy(path, ViewOf(bytes));
  EXPECT_TRUE(HasBoolBytes(ReadNpy(path)));
  std::filesystem::remove(path);
}

/// Gives a bool array with a byte other than 1 for each number that is not zero.
class MaskLayer : public ArrayLayer {
 public:
  MaskLayer() : ArrayLayer("bool_bytes_test.Mask") {}
  std::vector<TensorSpec> InferOutputs(const std::vector<TensorSpec>& inputs) const override {
    return {TensorSpec(kBool, inputs.at(0).shape)};
  }
  void Compute(const std::vector<NdArray>& inputs, const std::vector<NdArray>& outputs) const override {
    for (int64_t i = 0; i < inputs[0].size(); ++i) {
      outputs[0].data<unsigned char>()[i] = static_cast<unsigned char>(inputs[0].data<float>()[i]);
    }
  }
};

const LayerRegistererWrapper kRegister("bool_bytes_test.Mask", [](const std::shared_ptr<RuntimeOperator>& /*op*/,
                                                                  std::shared_ptr<Layer>& layer) {
  layer = std::make_shared<MaskLayer>();
  return ParseParameterAttrStatus::kParameterAttrParseSuccess;
});

TEST(BoolBytesTest, ResultsOfAProgramsOwnOperators) {
  const std::string text =
      "7767517\n4 3\npnnx.Input pnnx_input_0 0 1 0 #0=(4)f32\nbool_bytes_test.Mask mask 1 1 0 1\n"
      "torch.sum sum 1 1 1 2 dim=(0) keepdim=False\npnnx.Output pnnx_output_0 1 0 2\n";
  const Model model = Model::LoadFromMemory(text, WeightFile());
  const std::vector<float> numbers{0, 2, 200, 1};
  EXPECT_EQ(*model.Run(NdArray::View(numbers.data(), {4}))[0].data<int64_t>(), 3);
}

}  // namespace
}  // namespace kuiper_infer
