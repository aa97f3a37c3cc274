// SPDX-License-Identifier: MIT
// Large weights stay in their file until a graph is built.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernel/product/product_kernels.hpp"
#include "kernel/product/uses_pieces.hpp"
#include "kuiper_infer/layer/abstract/layer_factory.hpp"
#include "kuiper_infer/layer/abstract/non_param_layer.hpp"
#include "kuiper_infer/model.hpp"
#include "operation/weights/weight.hpp"
#include "runtime/graph_building.hpp"
#include "runtime/pnnx/load_graph.hpp"
#include "utils/error_text.hpp"

namespace kuiper_infer {
namespace {

using testing::HasSubstr;

constexpr int kWidth = 200;  ///< 160,000 bytes of weights: more than is read at once

pnnx::Attribute Matrix(int seed) {
  std::vector<float> numbers(static_cast<std::size_t>(kWidth) * kWidth);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>((i * 7 + seed) % 31) / 256 - 0.05F;
  return {{kWidth, kWidth}, numbers};
}

pnnx::Operand* AddLinear(pnnx::Graph& graph, const std::string& name, pnnx::Operand* input, int seed) {
  pnnx::Operand* result = AddUnary(graph, "nn.Linear", name, {input});
  result->producer->params["bias"] = false;
  result->producer->attrs["weight"] = Matrix(seed);
  return result;
}

/// Reads its operator's weight as a user's layer does. Its result is the weight's first number.
class FirstNumber : public NonParamLayer {
 public:
  explicit FirstNumber(float number) : NonParamLayer("FirstNumber"), number_(number) {}
  using Layer::Forward;
  InferStatus Forward(const std::vector<std::shared_ptr<Tensor<float>>>& inputs,
                      std::vector<std::shared_ptr<Tensor<float>>>& outputs) override {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      outputs[i] = std::make_shared<Tensor<float>>(inputs[i]->channels(), inputs[i]->rows(), inputs[i]->cols());
      outputs[i]->Fill(number_);
    }
    return InferStatus::kInferSuccess;
  }

 private:
  float number_;
};

const LayerRegistererWrapper kFirstNumber("weight_reading_test.FirstNumber",
                                          [](const std::shared_ptr<RuntimeOperator>& op,
                                             std::shared_ptr<Layer>& layer) {
                                            const std::vector<char>& bytes = op->attribute.at("weight")->weight_data;
                                            EXPECT_EQ(bytes.size(), sizeof(float) * kWidth * kWidth);
                                            float first = 0;
                                            std::copy_n(bytes.begin(), sizeof(first), reinterpret_cast<char*>(&first));
                                            layer = std::make_shared<FirstNumber>(first);
                                            return ParseParameterAttrStatus::kParameterAttrParseSuccess;
                                          });

class WeightReadingTest : public testing::Test {
 protected:
  ~WeightReadingTest() override {
    std::filesystem::remove(param());
    std::filesystem::remove(bin());
  }
  std::string param() const { return stem_ + ".param"; }
  std::string bin() const { return stem_ + ".bin"; }

  /// Saves two successive linear layers over `rows` rows (-1: any number).
  void SaveLinear(int rows) const {
    pnnx::Graph graph;
    pnnx::Operand* x = AddInput(graph, 0, {rows, kWidth});
    AddOutput(graph, 0, AddLinear(graph, "second", AddLinear(graph, "first", x, 1), 2));
    Save(graph);
  }
  /// Saves a linear layer, and another one whose output nothing reads.
  void SaveWithUnused() const {
    pnnx::Graph graph;
    pnnx::Operand* x = AddInput(graph, 0, {3, kWidth});
    pnnx::Operand* y = AddLinear(graph, "first", x, 1);
    AddLinear(graph, "unused", x, 2);
    AddOutput(graph, 0, y);
    Save(graph);
  }
  void Save(pnnx::Graph& graph) const { ASSERT_EQ(graph.save(param(), bin()), 0) << graph.error(); }

  std::string Bytes(const std::string& path) const {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }

  /// Changes a byte of the second weight, so that the archive's checksum is wrong.
  void Damage() const {
    std::string bytes = Bytes(bin());
    bytes[bytes.size() / 2 + 60000] ^= 2;
    std::ofstream(bin(), std::ios::binary) << bytes;
  }

  static std::vector<float> Numbers(const std::vector<NdArray>& arrays) {
    return {arrays.front().data<float>(), arrays.front().data<float>() + arrays.front().size()};
  }
  static NdArray Input(int64_t rows) {
    const NdArray x(RuntimeDataType::kTypeFloat32, {rows, kWidth});
    for (int64_t i = 0; i < x.size(); ++i) x.data<float>()[i] = static_cast<float>(i % 11) / 8 - 0.6F;
    return x;
  }

  const std::string stem_ = testing::TempDir() + "weight_reading_" + std::to_string(getpid());
};

TEST_F(WeightReadingTest, StaysInTheFileUntilBuild) {
  SaveLinear(3);
  const auto graph = LoadGraph(param(), bin(), 0, WeightReading::kWhenNeeded).graph;
  const pnnx::Attribute& weight = graph->ops[1]->attrs.at("weight");
  EXPECT_TRUE(weight.data.empty());
  ASSERT_NE(weight.stored, nullptr);
  EXPECT_EQ(weight.stored->size(), sizeof(float) * kWidth * kWidth);
  EXPECT_EQ(LoadGraph(param(), bin(), 0, WeightReading::kNow).graph->ops[1]->attrs.at("weight").stored, nullptr);
}

TEST_F(WeightReadingTest, EveryWayOfLoadingGivesTheSame) {
  for (const int rows : {3, -1}) {
    SCOPED_TRACE(rows);
    SaveLinear(rows);
    const NdArray x = Input(3);
    RuntimeGraph eager(param(), bin());
    ASSERT_TRUE(eager.Init());
    EXPECT_EQ(eager.operators()[1]->attribute.at("weight")->weight_data.size(), sizeof(float) * kWidth * kWidth);
    eager.Build();
    eager.set_input("pnnx_input_0", x);
    eager.Run();
    const std::vector<float> expected = Numbers(eager.outputs());
    EXPECT_EQ(Numbers(Model::Load(param(), bin()).Run(x)), expected);
    const std::string bytes = Bytes(bin());
    EXPECT_EQ(Numbers(Model::LoadFromMemory(Bytes(param()), bytes).Run(x)), expected);
  }
}

TEST_F(WeightReadingTest, ABuiltModelNeedsNoFiles) {
  for (const int rows : {3, -1}) {
    SaveLinear(rows);
    const Model model = Model::Load(param(), bin());
    const std::vector<float> expected = Numbers(Model::Load(param(), bin()).Run(Input(3)));
    std::ofstream(bin(), std::ios::trunc) << "other contents";
    std::filesystem::remove(bin());
    EXPECT_EQ(Numbers(model.Run(Input(3))), expected) << rows;
    if (rows < 0) {
      EXPECT_EQ(model.Run(Input(5)).front().shape(), (Shape{5, kWidth}));
    }
  }
}

TEST_F(WeightReadingTest, DamageIsFoundWhereverAWeightIsRead) {
  for (const int rows : {3, -1}) {
    SaveLinear(rows);
    Damage();
    const std::string text = ErrorText(ErrorCode::kFile, [&] { Model::Load(param(), bin()); });
    EXPECT_THAT(text, HasSubstr(bin() + ": entry 'second.weight' is truncated or damaged"));
    RuntimeGraph graph(param(), bin());
    EXPECT_FALSE(graph.Init());
    EXPECT_THAT(graph.last_error(), HasSubstr("'second.weight'"));
    const std::string bytes = Bytes(bin());
    EXPECT_THAT(ErrorText(ErrorCode::kFile, [&] { Model::LoadFromMemory(Bytes(param()), bytes); }),
                HasSubstr("the bin bytes: entry 'second.weight'"));
  }
}

TEST_F(WeightReadingTest, AWeightThatNothingReadsIsVerifiedToo) {
  SaveWithUnused();
  EXPECT_EQ(Model::Load(param(), bin()).Run(Input(3)).size(), 1U);
  Damage();
  EXPECT_THAT(ErrorText(ErrorCode::kFile, [&] { Model::Load(param(), bin()); }), HasSubstr("'unused.weight'"));
}

TEST_F(WeightReadingTest, RepeatedWeightsAreToldFromOthers) {
  for (const bool same : {true, false}) {
    SCOPED_TRACE(same);
    pnnx::Graph graph;
    pnnx::Operand* x = AddInput(graph, 0, {3, kWidth});
    pnnx::Operator* constant = graph.new_operator("pnnx.Attribute", "shared");
    constant->attrs["data"] = Matrix(same ? 1 : 2);
    pnnx::Operand* repeated = AddOperand(graph, constant, "shared_out", {kWidth, kWidth});
    pnnx::Operand* y = AddUnary(graph, "nn.Linear", "module", {repeated, x});
    y->shape = {3, kWidth};
    y->producer->params["bias"] = false;
    y->producer->attrs["weight"] = Matrix(1);
    AddOutput(graph, 0, y);
    Save(graph);
    if (same) {
      EXPECT_EQ(Model::Load(param(), bin()).Run(Input(3)).front().shape(), (Shape{3, kWidth}));
    } else {
      EXPECT_THROW(Model::Load(param(), bin()), Error);
    }
  }
}

TEST_F(WeightReadingTest, LayersOfAUsersOwnFindTheirBytes) {
  pnnx::Graph graph;
  pnnx::Operand* y = AddUnary(graph, "weight_reading_test.FirstNumber", "mine", {AddInput(graph, 0, {1, 2, 4, 4})});
  y->producer->attrs["weight"] = Matrix(1);
  AddOutput(graph, 0, y);
  Save(graph);
  const NdArray x(RuntimeDataType::kTypeFloat32, {1, 2, 4, 4});
  std::fill_n(x.data<float>(), x.size(), 0.0F);
  EXPECT_EQ(Model::Load(param(), bin()).Run(x).front().data<float>()[0], Matrix(1).get_float32_data()[0]);
}

/// Models of Precision::kMedium, from whose rounded weights the values cannot be restored.
class RoundedWeightTest : public WeightReadingTest {
 protected:
  void SetUp() override {
    if (!UsesPieces(1, 256, 256, 256)) GTEST_SKIP() << "this CPU has no unit that makes rounded products faster";
    options_.precision = Precision::kMedium;
  }
  RuntimeGraph Built() const {
    RuntimeGraph graph(param(), bin());
    graph.set_build_options(options_);
    graph.Build();
    return graph;
  }
  static RuntimeAttribute& WeightOf(const RuntimeGraph& graph, std::size_t layer) {
    return *graph.operators().at(layer)->attribute.at("weight");
  }

  BuildOptions options_;
};

TEST_F(RoundedWeightTest, IsReadFromTheFileAgain) {
  SaveLinear(3);
  const RuntimeGraph graph = Built();
  std::filesystem::remove(bin());  // it is open
  for (std::size_t layer : {1, 2, 1}) {
    EXPECT_EQ(WeightOf(graph, layer).get<float>(), Matrix(static_cast<int>(layer)).get_float32_data());
    EXPECT_FALSE(WeightOf(graph, layer).weight->holds_values());
  }
}

TEST_F(RoundedWeightTest, AFileThatIsChangedMeanwhileIsAnErrorOfWhoReadsIt) {
  SaveLinear(3);
  RuntimeGraph graph = Built();
  const Model model = Model::Load(param(), bin(), options_);
  const std::vector<float> expected = Numbers(model.Run(Input(3)));
  WeightOf(graph, 2).get<float>();
  Damage();
  EXPECT_EQ(Numbers(model.Run(Input(3))), expected);
  EXPECT_EQ(WeightOf(graph, 1).get<float>(), Matrix(1).get_float32_data());
  EXPECT_THAT(ErrorText(ErrorCode::kFile, [&] { WeightOf(graph, 2).get<float>(); }),
              HasSubstr(bin() + ": entry 'second.weight' is truncated or damaged"));
}

TEST_F(RoundedWeightTest, DamageIsFoundWhenItIsPacked) {
  SaveLinear(3);
  Damage();
  EXPECT_THAT(ErrorText(ErrorCode::kFile, [&] { Built(); }), HasSubstr("'second.weight' is truncated or damaged"));
}

TEST_F(RoundedWeightTest, StaysInTheFileUntilTheSizesAreKnown) {
  SaveLinear(3);
  const std::vector<float> expected = Numbers(Model::Load(param(), bin(), options_).Run(Input(3)));
  SaveLinear(-1);
  RuntimeGraph graph = Built();
  for (const std::size_t layer : {1, 2}) EXPECT_FALSE(WeightOf(graph, layer).weight->holds_values());
  graph.set_input("pnnx_input_0", Input(3));
  graph.Run();
  EXPECT_EQ(Numbers(graph.outputs()), expected);
  for (const std::size_t layer : {1, 2}) EXPECT_FALSE(WeightOf(graph, layer).weight->holds_values());
}

TEST_F(RoundedWeightTest, DamageIsFoundBeforeTheSizesAreKnown) {
  SaveLinear(-1);
  RuntimeGraph graph = Built();
  Damage();  // after Build has verified it
  EXPECT_THAT(ErrorText(ErrorCode::kFile, [&] { Built(); }), HasSubstr("'second.weight' is truncated or damaged"));
  graph.set_input("pnnx_input_0", Input(3));
  EXPECT_THAT(ErrorText(ErrorCode::kFile, [&] { graph.Run(); }), HasSubstr("'second.weight' is truncated or damaged"));
}

TEST_F(RoundedWeightTest, StaysInMemoryWhereItWasReadAtOnce) {
  SaveLinear(3);
  RuntimeGraph graph(param(), bin());
  graph.set_build_options(options_);
  ASSERT_TRUE(graph.Init());
  graph.Build();
  EXPECT_TRUE(WeightOf(graph, 1).weight->holds_values());
  EXPECT_EQ(WeightOf(graph, 1).get<float>(), Matrix(1).get_float32_data());
}

TEST_F(RoundedWeightTest, PlansOfOtherShapesDoNotDependOnEachOther) {
  pnnx::Graph source;
  pnnx::Operand* x = AddInput(source, 0, {1, 48, -1, -1});
  AddOutput(source, 0, AddConvolution(source, "conv", x, 48, 3));
  Save(source);
  std::set<std::string> methods;
  const auto run = [&methods](RuntimeGraph& graph, int64_t extent) {
    const NdArray image(RuntimeDataType::kTypeFloat32, {1, 48, extent, extent});
    for (int64_t i = 0; i < image.size(); ++i) image.data<float>()[i] = static_cast<float>(i % 13) / 8 - 0.7F;
    graph.set_input("pnnx_input_0", image);
    graph.Run();
    for (const auto& step : graph.Profile()) methods.insert(step.method);
    return Numbers(graph.outputs());
  };
  RuntimeGraph graph = Built();
  for (const int64_t extent : {4, 40, 5, 120, 4}) {
    RuntimeGraph fresh = Built();
    EXPECT_EQ(run(graph, extent), run(fresh, extent)) << extent;
  }
  EXPECT_GT(methods.size(), 1U) << "the shapes are to want the weight in several orders";
}

class WeightCacheTest : public WeightReadingTest {
 protected:
  WeightCacheTest() { options_.cache_directory = stem_ + ".caches"; }
  ~WeightCacheTest() override { std::filesystem::remove_all(options_.cache_directory); }

  std::vector<float> Run(int rows = 3) const { return Numbers(Model::Load(param(), bin(), options_).Run(Input(rows))); }
  /// Returns the only file of the cache.
  std::string CachePath() const {
    std::filesystem::directory_iterator files(options_.cache_directory);
    const std::string path = files->path().string();
    EXPECT_EQ(++files, std::filesystem::directory_iterator());
    return path;
  }

  BuildOptions options_;
};

TEST_F(WeightCacheTest, TheSecondStartReadsNoWeights) {
  if (!kernel::HasProductKernels(UsedUnits())) GTEST_SKIP() << "no packed weights on this CPU, or with this KUIPER_ISA";
  SaveLinear(3);
  const std::vector<float> expected = Numbers(Model::Load(param(), bin()).Run(Input(3)));
  EXPECT_EQ(Run(), expected);
  const std::string cache = Bytes(CachePath());
  EXPECT_GT(cache.size(), 2 * sizeof(float) * kWidth * kWidth);
  Damage();  // this weight isn't read any more: the archive's directory still has the old checksum
  EXPECT_EQ(Run(), expected);
  EXPECT_TRUE(Bytes(CachePath()) == cache);
}

TEST_F(WeightCacheTest, ServesGraphsOfAnySize) {
  SaveLinear(-1);
  const std::vector<float> expected = Numbers(Model::Load(param(), bin()).Run(Input(5)));
  for (int start = 0; start < 3; ++start) EXPECT_EQ(Run(5), expected) << start;
}

TEST_F(WeightCacheTest, OtherWeightsAreNotMistaken) {
  SaveLinear(3);
  const std::vector<float> first = Run();
  pnnx::Graph graph;
  pnnx::Operand* x = AddInput(graph, 0, {3, kWidth});
  AddOutput(graph, 0, AddLinear(graph, "second", AddLinear(graph, "first", x, 3), 4));
  Save(graph);
  const std::vector<float> expected = Numbers(Model::Load(param(), bin()).Run(Input(3)));
  EXPECT_NE(expected, first);
  EXPECT_EQ(Run(), expected);
  EXPECT_EQ(Run(), expected);
}

TEST_F(WeightCacheTest, ABrokenOneIsMadeAnew) {
  if (!kernel::HasProductKernels(UsedUnits())) GTEST_SKIP() << "no packed weights on this CPU, or with this KUIPER_ISA";
  SaveLinear(3);
  const std::vector<float> expected = Run();
  const std::string whole = Bytes(CachePath());
  for (const std::size_t at : {std::size_t{5}, std::size_t{40}, whole.size() / 2, whole.size() - 1}) {
    std::string broken = whole;
    broken[at] ^= 8;
    std::ofstream(CachePath(), std::ios::binary) << broken;
    EXPECT_EQ(Run(), expected) << at;
    EXPECT_TRUE(Bytes(CachePath()) == whole) << at;
  }
}

TEST_F(WeightCacheTest, WeightsOfUnusedEntriesAreStillVerified) {
  SaveWithUnused();
  Run();
  Damage();
  EXPECT_THAT(ErrorText(ErrorCode::kFile, [&] { Run(); }), HasSubstr("'unused.weight'"));
}

TEST_F(WeightReadingTest, LimitsHoldBeforeWeightsAreRead) {
  SaveLinear(3);
  BuildOptions options;
  options.max_memory_bytes = 200000;
  EXPECT_THAT(ErrorText(ErrorCode::kResource, [&] { Model::Load(param(), bin(), options); }),
              HasSubstr("'second.weight' take more than the limit of 200000 bytes"));
  options.max_memory_bytes = 400000;  // packed weights are as large as in the file
  EXPECT_EQ(Model::Load(param(), bin(), options).Run(Input(3)).size(), 1U);
}

}  // namespace
}  // namespace kuiper_infer
