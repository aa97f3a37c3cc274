// SPDX-License-Identifier: MIT
// Saving a graph and loading it again gives the same graph.
#include "kuiper_infer/runtime/ir.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <set>
#include <unistd.h>

#include <gtest/gtest.h>

#include "kuiper_infer/runtime/store_zip.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "kuiper_infer/utils/shape.hpp"

namespace pnnx {
namespace {

using kuiper_infer::StoreZipReader;

std::vector<std::string> Names(const std::vector<Operand*>& operands) {
  std::vector<std::string> names;
  for (const Operand* operand : operands) names.push_back(operand->name);
  return names;
}

void ExpectSame(const Operator& left, const Operator& right) {
  SCOPED_TRACE("operator " + left.name);
  EXPECT_EQ(left.type, right.type);
  EXPECT_EQ(left.name, right.name);
  EXPECT_EQ(Names(left.inputs), Names(right.inputs));
  EXPECT_EQ(Names(left.outputs), Names(right.outputs));
  std::vector<std::string> left_names = left.inputnames;
  std::vector<std::string> right_names = right.inputnames;
  left_names.resize(left.inputs.size());
  right_names.resize(right.inputs.size());
  EXPECT_EQ(left_names, right_names);
  EXPECT_EQ(left.params.size(), right.params.size());
  for (const auto& [key, parameter] : left.params) {
    ASSERT_EQ(right.params.count(key), 1U) << key;
    EXPECT_TRUE(parameter == right.params.at(key)) << key << "=" << parameter.encode_to_string();
  }
  EXPECT_EQ(left.attrs.size(), right.attrs.size());
  for (const auto& [key, attribute] : left.attrs) {
    ASSERT_EQ(right.attrs.count(key), 1U) << key;
    EXPECT_EQ(attribute.type, right.attrs.at(key).type) << key;
    EXPECT_EQ(attribute.shape, right.attrs.at(key).shape) << key;
    EXPECT_TRUE(attribute.data == right.attrs.at(key).data) << key;
  }
}

void ExpectSame(const Graph& left, const Graph& right) {
  ASSERT_EQ(left.ops.size(), right.ops.size());
  for (std::size_t i = 0; i < left.ops.size(); ++i) ExpectSame(*left.ops[i], *right.ops[i]);
  ASSERT_EQ(left.operands.size(), right.operands.size());
  for (const Operand* operand : left.operands) {
    const Operand* other = right.get_operand(operand->name);
    ASSERT_NE(other, nullptr) << operand->name;
    EXPECT_EQ(operand->producer->name, other->producer->name);
    EXPECT_EQ(operand->consumers.size(), other->consumers.size()) << operand->name;
    EXPECT_EQ(operand->type, other->type) << operand->name;
    EXPECT_EQ(operand->shape, other->shape) << operand->name;
    EXPECT_EQ(operand->has_shape, other->has_shape) << operand->name;
  }
}

std::string ReadText(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

class IrTest : public testing::Test {
 protected:
  IrTest() : folder_(testing::TempDir() + "ir_" + std::to_string(getpid()) + "/") {
    std::filesystem::create_directories(folder_);
  }
  ~IrTest() override { std::filesystem::remove_all(folder_); }

  /// Saves, loads and compares. A second save must write the same text.
  void ExpectRoundTrip(Graph& graph) const {
    const std::string param = folder_ + "m.param";
    const std::string bin = folder_ + "m.bin";
    ASSERT_EQ(graph.save(param, bin), 0) << graph.error();
    Graph loaded;
    ASSERT_EQ(loaded.load(param, bin), 0) << loaded.error();
    ExpectSame(graph, loaded);
    ASSERT_EQ(loaded.save(folder_ + "again.param", folder_ + "again.bin"), 0) << loaded.error();
    EXPECT_EQ(ReadText(param), ReadText(folder_ + "again.param"));
    EXPECT_TRUE(ReadText(bin) == ReadText(folder_ + "again.bin"));
  }

  const std::string folder_;
};

Operand* Produce(Graph& graph, Operator* producer, const std::string& name) {
  Operand* operand = graph.new_operand(name);
  operand->producer = producer;
  producer->outputs.push_back(operand);
  return operand;
}

void Consume(Operand* operand, Operator* consumer, const std::string& argument = "") {
  operand->consumers.push_back(consumer);
  consumer->inputs.push_back(operand);
  consumer->inputnames.push_back(argument);
}

void SetShape(Operand* operand, int type, std::vector<int> shape) {
  operand->type = type;
  operand->shape = std::move(shape);
  operand->has_shape = true;
}

TEST_F(IrTest, EveryKindOfParameter) {
  Graph graph;
  Operator* op = graph.new_operator("my.Everything", "a.name.that.is.longer.than.the.column");
  op->params = {{"null", Parameter()},
                {"bool", true},
                {"int", -3},
                {"float", 0.1F},
                {"tiny", 1e-42F},
                {"infinite", -std::numeric_limits<float>::infinity()},
                {"text", "nearest-exact"},
                {"blank", ""},
                {"equation", "ij,jk->ik"},
                {"assignment", "a=b=c"},
                {"ints", {1, -1, 2147483647}},
                {"no_ints", Parameter()},
                {"floats", std::vector<float>{0.5F, 2.0F, 1e-7F}},
                {"texts", std::vector<std::string>{"a", "b"}},
                {"complex", std::complex<float>(1.5F, -0.25F)},
                {"expr", "[add(@0,1),mul(@1,0.5)]"}};
  Parameter complexes;
  complexes.type = 11;
  complexes.ac = {{1, 2}, {0.5F, -0.5F}};
  op->params["complexes"] = complexes;
  ExpectRoundTrip(graph);
}

TEST_F(IrTest, EveryTypeOfAttribute) {
  Graph graph;
  Operator* op = graph.new_operator("pnnx.Attribute", "weights");
  Produce(graph, op, "0");
  constexpr int kTypes = 13;
  for (int type = 1; type <= kTypes; ++type) {
    Attribute attribute;
    attribute.type = type;
    attribute.shape = {2, 3};
    attribute.data.resize(6 * attribute.elemsize());
    for (std::size_t i = 0; i < attribute.data.size(); ++i)
      attribute.data[i] = static_cast<char>(type == 9 ? i % 2 : i);
    op->attrs["data" + std::to_string(type)] = attribute;
  }
  op->attrs["scalar"] = Attribute({}, {7});
  op->attrs["empty"] = Attribute({0, 4}, {});
  ExpectRoundTrip(graph);
}

TEST_F(IrTest, ShapesAndInputNames) {
  Graph graph;
  Operator* input = graph.new_operator("pnnx.Input", "pnnx_input_0");
  Operand* x = Produce(graph, input, "x");
  SetShape(x, 1, {1, -1, 8});
  Operator* attention = graph.new_operator("nn.MultiheadAttention", "attention");
  Consume(x, attention, "query");
  Consume(x, attention, "key");
  Consume(x, attention);
  SetShape(Produce(graph, attention, "y"), 3, {});
  Produce(graph, attention, "unknown");
  Operator* output = graph.new_operator("pnnx.Output", "pnnx_output_0");
  Consume(graph.get_operand("y"), output);
  ExpectRoundTrip(graph);
  Graph loaded;
  ASSERT_EQ(loaded.load(folder_ + "m.param", folder_ + "m.bin"), 0);
  EXPECT_EQ(loaded.ops[1]->inputnames, (std::vector<std::string>{"query", "key", ""}));
  EXPECT_EQ(loaded.get_operand("x")->consumers.size(), 3U);
  EXPECT_TRUE(loaded.get_operand("y")->has_shape);
  EXPECT_FALSE(loaded.get_operand("unknown")->has_shape);
}

TEST_F(IrTest, EmptyGraph) {
  Graph graph;
  ExpectRoundTrip(graph);
  constexpr std::size_t kEndRecordBytes = 22;
  EXPECT_EQ(ReadText(folder_ + "m.bin").size(), kEndRecordBytes);
}

TEST_F(IrTest, RepeatedInputNamesGoToPositionsInOrder) {
  std::ofstream(folder_ + "m.param") << "7767517\n3 9\r\n"
                                        "pnnx.Input in 0 1 5 #5=(1,?,%w,-1,-233)f32 \n"
                                        "\tF.attention  a 3 1 5 5 5 6 $query=5 $key=5 $value=5 scale=inf   \r\n"
                                        "pnnx.Output out 1 0 6\n"
                                        " \t\r\n\n  ";  // blank lines at the end
  Graph graph;
  graph.Load(folder_ + "m.param", "");
  EXPECT_EQ(graph.ops[1]->inputnames, (std::vector<std::string>{"query", "key", "value"}));
  EXPECT_EQ(graph.get_operand("5")->shape, (std::vector<int>{1, -1, -1, -1, -1}));
  EXPECT_EQ(graph.ops[1]->params.at("scale").type, 3);
}

TEST_F(IrTest, ExpressionsStayText) {
  for (const char* text : {"[@0,@1]", "[1,2]", "3", "None", "True", "(1,2)", "1e5", ""}) {
    std::ofstream(folder_ + "m.param") << "7767517\n1 1\npnnx.Expression e 0 1 0 expr=" << text << "\n";
    Graph graph;
    graph.Load(folder_ + "m.param", "");
    EXPECT_EQ(graph.ops[0]->params.at("expr").type, 4) << text;
    EXPECT_EQ(graph.ops[0]->params.at("expr").s, text);
  }
}

TEST_F(IrTest, LinesHaveALimitThatListsOfAttributesDoNotMeet) {
  const auto load = [this](std::size_t bytes) {
    std::ofstream(folder_ + "m.param") << "7767517\n1 1\npnnx.Expression e 0 1 0 expr=" << std::string(bytes, '1')
                                       << "\n";
    Graph graph;
    graph.Load(folder_ + "m.param", "");
    return graph.ops[0]->params.at("expr").s.size();
  };
  EXPECT_EQ(load(15 << 20), 15 << 20);
  try {
    load(17 << 20);
    FAIL();
  } catch (const kuiper_infer::Error& error) {
    EXPECT_NE(std::string(error.what()).find("m.param:3: the line is longer than 16777216 bytes"), std::string::npos);
  }
}

TEST_F(IrTest, AFailedLoadLeavesAnEmptyGraphAndAReason) {
  Graph graph;
  graph.new_operator("nn.ReLU", "relu");
  EXPECT_NE(graph.load("/no/such.param", ""), 0);
  EXPECT_TRUE(graph.ops.empty());
  EXPECT_NE(graph.error().find("/no/such.param"), std::string::npos);
  EXPECT_THROW(graph.Load("/no/such.param", ""), kuiper_infer::Error);
}

TEST_F(IrTest, SaveReportsFailure) {
  Graph graph;
  EXPECT_NE(graph.save("/no/such/folder/m.param", folder_ + "m.bin"), 0);
  EXPECT_NE(graph.error().find("/no/such/folder/m.param"), std::string::npos);
  EXPECT_NE(graph.save(folder_ + "m.param", "/no/such/folder/m.bin"), 0);
  EXPECT_NE(graph.error().find("/no/such/folder/m.bin"), std::string::npos);
}

TEST_F(IrTest, WhatTheFormatCannotHoldIsNotSaved) {
  const auto refused = [this](const std::function<void(Graph&, Operator&)>& change, const std::string& piece) {
    Graph graph;
    Operator* op = graph.new_operator("nn.ReLU", "relu");
    change(graph, *op);
    EXPECT_NE(graph.save(folder_ + "m.param", folder_ + "m.bin"), 0) << piece;
    EXPECT_NE(graph.error().find(piece), std::string::npos) << graph.error();
  };
  refused([](Graph&, Operator& op) { op.name = "two words"; }, "two words");
  refused([](Graph&, Operator& op) { op.type = ""; }, "relu");
  refused([](Graph&, Operator& op) { op.params["mode"] = "one two"; }, "mode");
  refused([](Graph&, Operator& op) { op.params["mode"] = "line\nbreak"; }, "mode");
  refused([](Graph& graph, Operator& op) { Produce(graph, &op, "y y"); }, "y y");
}

void FillWithZeros(Graph& graph) {
  for (Operator* op : graph.ops) {
    for (auto& [key, attribute] : op->attrs) {
      attribute.data.assign(static_cast<std::size_t>(attribute.elemcount()) * attribute.elemsize(), 0);
    }
  }
}

std::size_t WeightBytes(const Graph& graph) {
  std::size_t bytes = 0;
  for (const Operator* op : graph.ops) {
    for (const auto& [key, attribute] : op->attrs)
      bytes += static_cast<std::size_t>(attribute.elemcount()) * attribute.elemsize();
  }
  return bytes;
}

TEST_F(IrTest, ModelsOfTheZoo) {
  const std::filesystem::path zoo = KUIPER_SOURCE_DIR "/../shared/zoo";
  if (!std::filesystem::is_directory(zoo)) GTEST_SKIP() << zoo << " is absent";
  std::set<std::string> files;
  for (const auto& file : std::filesystem::recursive_directory_iterator(zoo)) {
    const std::string path = file.path().string();
    const std::string ending = ".pnnx.param";
    if (path.size() > ending.size() && path.compare(path.size() - ending.size(), ending.size(), ending) == 0)
      files.insert(path);
  }
  constexpr std::size_t kMostBytes = 8U << 20U;
  constexpr std::size_t kModels = 80;
  std::size_t models = 0;
  for (const std::string& file : files) {
    SCOPED_TRACE(file);
    Graph graph;
    ASSERT_EQ(graph.load(file, ""), 0) << graph.error();
    if (models == kModels || WeightBytes(graph) > kMostBytes) continue;
    FillWithZeros(graph);
    ExpectRoundTrip(graph);
    ++models;
  }
  EXPECT_GE(models, 20U);
}

/// Files that the converter itself wrote.
TEST_F(IrTest, FilesOfTheConverter) {
  StoreZipReader archive;
  ASSERT_EQ(archive.open(KUIPER_SOURCE_DIR "/test/data/op_cases/convolution/convolution.zip"), 0) << archive.error();
  const auto extract = [&](const std::string& entry, const std::string& path) {
    std::string bytes(archive.get_file_size(entry), '\0');
    ASSERT_EQ(archive.read_file(entry, bytes.data()), 0) << archive.error();
    std::ofstream(path, std::ios::binary) << bytes;
  };
  std::size_t weights = 0;
  for (const std::string& entry : archive.names()) {
    const std::size_t slash = entry.find("/model.param");
    if (slash == std::string::npos) continue;
    SCOPED_TRACE(entry);
    extract(entry, folder_ + "real.param");
    extract(entry.substr(0, slash) + "/model.bin", folder_ + "real.bin");
    Graph graph;
    ASSERT_EQ(graph.load(folder_ + "real.param", folder_ + "real.bin"), 0) << graph.error();
    weights += WeightBytes(graph);
    ExpectRoundTrip(graph);
  }
  EXPECT_GT(weights, 0U);
}

}  // namespace
}  // namespace pnnx
