// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernel/product/product_kernels.hpp"
#include "kuiper_infer/data/tensor_util.hpp"
#include "kuiper_infer/runtime/runtime_ir.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "runtime/graph_building.hpp"
#include "utils/error_text.hpp"

namespace kuiper_infer {
namespace {

using testing::HasSubstr;
using testing::Not;

/// in0 -> relu -> convolution (1x1, all weights 1, bias 0.5) -> (relu_out + conv_out) -> output.
std::unique_ptr<pnnx::Graph> SmallGraph(std::vector<int> shape = {2, 1, 2, 3}) {
  auto graph = std::make_unique<pnnx::Graph>();
  pnnx::Operand* input = AddInput(*graph, 0, std::move(shape));
  pnnx::Operand* relu = AddUnary(*graph, "nn.ReLU", "relu", {input});
  pnnx::Operand* conv = AddUnary(*graph, "nn.Conv2d", "conv", {relu});
  pnnx::Operator* op = conv->producer;
  op->params["kernel_size"] = std::vector<int>{1, 1};
  op->params["bias"] = true;
  op->attrs["weight"] = pnnx::Attribute({1, 1, 1, 1}, {1.0F});
  op->attrs["bias"] = pnnx::Attribute({1}, {0.5F});
  pnnx::Operand* sum = AddUnary(*graph, "pnnx.Expression", "sum", {relu, conv});
  sum->producer->params["expr"] = "add(@0,@1)";
  AddOutput(*graph, 0, sum);
  return graph;
}

std::vector<sftensor> Images(uint32_t count, uint32_t rows, uint32_t cols) {
  std::vector<sftensor> images;
  for (uint32_t i = 0; i < count; ++i) {
    images.push_back(TensorCreate(1, rows, cols));
    for (std::size_t k = 0; k < images.back()->size(); ++k)
      images.back()->index(k) = static_cast<float>(k) - 2.0F + static_cast<float>(i);
  }
  return images;
}

float Expected(float x) { return 2 * std::max(x, 0.0F) + 0.5F; }

TEST(RuntimeGraphTest, GoesThroughItsThreeStates) {
  RuntimeGraph graph(SmallGraph());
  EXPECT_EQ(static_cast<int>(graph.graph_state()), -2);
  ASSERT_TRUE(graph.Init());
  EXPECT_EQ(graph.graph_state(), GraphState::NeedBuild);
  graph.Build("pnnx_input_0", "pnnx_output_0");
  EXPECT_EQ(graph.graph_state(), GraphState::Complete);
  graph.Build("pnnx_input_0", "pnnx_output_0");
  EXPECT_EQ(graph.graph_state(), RuntimeGraph::GraphState::Complete);
}

TEST(RuntimeGraphTest, InitOfAbsentFilesFailsAndKeepsTheState) {
  RuntimeGraph graph("/nonexistent.param", "/nonexistent.bin");
  EXPECT_FALSE(graph.Init());
  EXPECT_EQ(graph.graph_state(), GraphState::NeedInit);
  EXPECT_THAT(graph.last_error(), HasSubstr("/nonexistent.param"));
  EXPECT_THROW(graph.Build(), Error);
  graph.set_param_path("other.param");
  graph.set_bin_path("other.bin");
  EXPECT_EQ(graph.param_path(), "other.param");
  EXPECT_EQ(graph.bin_path(), "other.bin");
}

TEST(RuntimeGraphTest, RunsAGraphBuiltInCode) {
  RuntimeGraph graph(SmallGraph());
  graph.Build();
  const std::vector<sftensor> images = Images(2, 2, 3);
  const std::vector<sftensor> outputs = graph.Forward(images);
  ASSERT_EQ(outputs.size(), 2U);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    for (uint32_t h = 0; h < 2; ++h) {
      for (uint32_t w = 0; w < 3; ++w) EXPECT_FLOAT_EQ(outputs[i]->at(0, h, w), Expected(images[i]->at(0, h, w)));
    }
  }
}

TEST(RuntimeGraphTest, OperandsAreAllocatedAheadInTheRecordedShapes) {
  RuntimeGraph graph(SmallGraph());
  graph.Build();
  for (const auto& op : graph.operators()) {
    if (op->type == "pnnx.Output") continue;
    ASSERT_NE(op->output_operands, nullptr) << op->name;
    ASSERT_EQ(op->output_operands->datas.size(), 2U) << op->name;
    for (const auto& tensor : op->output_operands->datas) {
      EXPECT_EQ(tensor->shapes(), (std::vector<uint32_t>{1, 2, 3})) << op->name;
    }
  }
}

TEST(RuntimeOperatorUtilsTest, AllocatesWhatTheFileRecords) {
  const auto model = SmallGraph();
  RuntimeGraph graph(SmallGraph());
  graph.Build();
  const auto& sorted = graph.get_topo_queues();
  std::vector<std::shared_ptr<RuntimeOperator>> operators;
  for (const pnnx::Operator* op : model->ops) {
    const auto same = [&](const auto& other) { return other->name == op->name; };
    operators.push_back(std::make_shared<RuntimeOperator>(**std::find_if(sorted.begin(), sorted.end(), same)));
    operators.back()->output_operands_seq.clear();
    operators.back()->output_operands.reset();
  }
  RuntimeOperatorUtils::InitOperatorOutput(model->ops, operators);
  const RuntimeOperand& relu = *operators[1]->output_operands;
  EXPECT_EQ(relu.name, "relu_out");
  EXPECT_EQ(relu.shapes, (std::vector<int32_t>{2, 1, 2, 3}));
  ASSERT_EQ(relu.datas.size(), 2U);
  EXPECT_EQ(relu.datas.front()->shapes(), (std::vector<uint32_t>{1, 2, 3}));
  EXPECT_EQ(operators.back()->output_operands, nullptr) << "the model's output produces nothing";

  const auto refused = [&] {
    return ErrorText(ErrorCode::kGraph, [&] { RuntimeOperatorUtils::InitOperatorOutput(model->ops, operators); });
  };
  operators.back() = nullptr;
  EXPECT_THAT(refused(), HasSubstr("null"));
  EXPECT_THAT(ErrorText(ErrorCode::kGraph, [&] { RuntimeOperatorUtils::InitOperatorInput(operators); }),
              HasSubstr("null"));
  operators.pop_back();
  EXPECT_THAT(refused(), HasSubstr("5 PNNX operators for 4 runtime operators"));
}

TEST(RuntimeOperatorUtilsTest, AllocatesInputsOfEitherList) {
  const auto operand = [](std::vector<int32_t> shapes) {
    auto made = std::make_shared<RuntimeOperand>();
    made->shapes = std::move(shapes);
    return made;
  };
  auto op = std::make_shared<RuntimeOperator>();
  op->input_operands["by name"] = operand({4, 3, 2, 2});
  op->input_operands_seq = {operand({5, 6})};
  op->input_operands["of unknown extent"] = operand({-1, 2});
  for (int call = 0; call < 2; ++call) {
    RuntimeOperatorUtils::InitOperatorInput({op});
    ASSERT_EQ(op->input_operands["by name"]->datas.size(), 4U);
    EXPECT_EQ(op->input_operands["by name"]->datas.back()->raw_shapes(), (std::vector<uint32_t>{3, 2, 2}));
    ASSERT_EQ(op->input_operands_seq.front()->datas.size(), 5U);
    EXPECT_EQ(op->input_operands_seq.front()->datas.front()->raw_shapes(), (std::vector<uint32_t>{6}));
    EXPECT_TRUE(op->input_operands["of unknown extent"]->datas.empty());
  }
  op->name = "sum";
  op->input_operands["none"] = nullptr;
  EXPECT_THAT(ErrorText(ErrorCode::kGraph, [&] { RuntimeOperatorUtils::InitOperatorInput({op}); }),
              HasSubstr("operator 'sum' has a null input operand"));
}

TEST(RuntimeAttributeTest, TheBytesTellTheCountWhereNoShapeIsGiven) {
  const auto attribute = [](std::size_t bytes) {
    return RuntimeAttribute({}, RuntimeDataType::kTypeFloat32, std::vector<char>(bytes));
  };
  RuntimeAttribute eight = attribute(32);
  EXPECT_EQ(eight.get<float>(false), std::vector<float>(8, 0.0F));
  EXPECT_EQ(eight.weight_data.size(), 32U);
  EXPECT_EQ(eight.get<double>().size(), 8U);
  EXPECT_TRUE(eight.weight_data.empty());
  EXPECT_THAT(ErrorText(ErrorCode::kArgument, [&] { eight.get<float>(); }), HasSubstr("holds 0 bytes, expected 4"));
  EXPECT_THAT(ErrorText(ErrorCode::kArgument, [&] { attribute(6).get<float>(); }), HasSubstr("holds 6 bytes"));
  RuntimeAttribute untyped({}, RuntimeDataType::kTypeUnknown, std::vector<char>(8));
  EXPECT_THROW(untyped.get<float>(), Error);
}

TEST(RuntimeGraphTest, OperandsThatNoOutputNeedsAreKeptForReading) {
  auto source = std::make_unique<pnnx::Graph>();
  pnnx::Operand* x = AddInput(*source, 0, {2, 3});
  AddUnary(*source, "F.sigmoid", "unread", {AddUnary(*source, "F.relu", "before", {x})});
  AddOutput(*source, 0, AddUnary(*source, "torch.neg", "read", {x}));
  RuntimeGraph graph(std::move(source));
  graph.Build();
  const std::vector<float> numbers{-1, 0, 2, -1, 0, 2};
  graph.set_input("pnnx_input_0", NdArray::View(numbers.data(), {2, 3}));
  graph.Forward(true);
  EXPECT_EQ(graph.operand_array("before_out").data<float>()[2], 2);
  EXPECT_FLOAT_EQ(graph.operand_array("unread_out").data<float>()[5], 0.8807971F);
}

TEST(RuntimeGraphTest, DebugKeepsEveryOperand) {
  RuntimeGraph graph(SmallGraph());
  graph.Build();
  const std::vector<sftensor> images = Images(2, 2, 3);
  graph.Forward(images, true);
  const auto relu = graph.find_operand("relu_out");
  ASSERT_NE(relu, nullptr);
  ASSERT_EQ(relu->datas.size(), 2U);
  EXPECT_FLOAT_EQ(relu->datas[1]->at(0, 1, 2), std::max(images[1]->at(0, 1, 2), 0.0F));
  const NdArray array = graph.operand_array("relu_out");
  EXPECT_EQ(array.shape(), (Shape{2, 1, 2, 3}));
  EXPECT_FLOAT_EQ(array.data<float>()[11], std::max(images[1]->at(0, 1, 2), 0.0F));
  EXPECT_THROW(graph.operand_array("nobody"), Error);
}

TEST(RuntimeGraphTest, RunsOtherBatchesAndSizesWithoutAnotherExport) {
  RuntimeGraph graph(SmallGraph());
  graph.Build();
  for (const uint32_t count : {1U, 2U, 5U}) {
    for (const uint32_t rows : {1U, 4U}) {
      const std::vector<sftensor> images = Images(count, rows, 7);
      const std::vector<sftensor> outputs = graph.Forward(images);
      ASSERT_EQ(outputs.size(), count);
      EXPECT_EQ(outputs.back()->shapes(), images.back()->shapes());
      EXPECT_FLOAT_EQ(outputs.back()->at(0, rows - 1, 6), Expected(images.back()->at(0, rows - 1, 6)));
    }
  }
  graph.InferShapes({{"pnnx_input_0", {3, 1, 8, 9}}});
  EXPECT_EQ(graph.find_operand("conv_out")->shapes, (std::vector<int32_t>{3, 1, 8, 9}));
  EXPECT_EQ(graph.find_operand("conv_out")->datas.size(), 3U);
}

TEST(RuntimeGraphTest, DynamicExtentsArePlannedAtTheFirstRun) {
  RuntimeGraph graph(SmallGraph({-1, 1, -1, -1}));
  graph.Build();
  EXPECT_FALSE(graph.report().planned);
  const std::vector<sftensor> outputs = graph.Forward(Images(3, 2, 2));
  EXPECT_EQ(outputs.size(), 3U);
  EXPECT_TRUE(graph.report().planned);
}

TEST(RuntimeGraphTest, SeveralInputsAndOutputs) {
  auto model = std::make_unique<pnnx::Graph>();
  pnnx::Operand* a = AddInput(*model, 0, {1, 2});
  pnnx::Operand* b = AddInput(*model, 1, {1, 2});
  pnnx::Operand* sum = AddUnary(*model, "pnnx.Expression", "sum", {a, b});
  sum->producer->params["expr"] = "add(@0,@1)";
  pnnx::Operand* twice = AddUnary(*model, "pnnx.Expression", "twice", {sum, sum});
  twice->producer->params["expr"] = "add(@0,@1)";
  AddOutput(*model, 0, twice);
  AddOutput(*model, 1, sum);  // also consumed inside
  RuntimeGraph graph(std::move(model));
  graph.Build();
  EXPECT_TRUE(graph.is_input_op("pnnx_input_1"));
  EXPECT_FALSE(graph.is_input_op("sum"));
  EXPECT_TRUE(graph.is_output_op("pnnx_output_1"));
  const sftensor one = TensorCreate(2);
  one->Fill({1, 2});
  const sftensor ten = TensorCreate(2);
  ten->Fill({10, 20});
  graph.set_inputs("pnnx_input_1", {ten});
  EXPECT_THROW(graph.Forward(), Error);  // pnnx_input_0 is not set
  graph.set_inputs("pnnx_input_0", {one});
  graph.Forward(false);
  EXPECT_EQ(graph.get_outputs("pnnx_output_0").at(0)->values(), (std::vector<float>{22, 44}));
  EXPECT_EQ(graph.get_outputs("pnnx_output_1").at(0)->values(), (std::vector<float>{11, 22}));
  EXPECT_THROW(graph.get_outputs("pnnx_output_2"), Error);
  EXPECT_THROW(graph.set_inputs("nobody", {one}), Error);
  EXPECT_THROW(graph.Forward({one}), Error);
}

TEST(RuntimeGraphTest, InputsThatDoNotFitAreNamed) {
  RuntimeGraph graph(SmallGraph());
  EXPECT_THROW(graph.Forward(Images(1, 2, 3)), Error);  // not built yet
  graph.Build();
  const auto text = [&](const std::vector<sftensor>& inputs) {
    try {
      graph.Forward(inputs);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(text({}), HasSubstr("pnnx_input_0"));
  EXPECT_THAT(text({nullptr}), HasSubstr("pnnx_input_0"));
  EXPECT_THAT(text({TensorCreate({2, 1, 2, 3})}), HasSubstr("pnnx_input_0"));
  EXPECT_THAT(text({TensorCreate(3, 2, 3)}), HasSubstr("'conv'"));
  EXPECT_THROW(graph.set_input("pnnx_input_0", NdArray(RuntimeDataType::kTypeInt64, {2, 1, 2, 3})), Error);
  EXPECT_THROW(graph.set_input("pnnx_input_0", NdArray(RuntimeDataType::kTypeFloat32, {2, 1, 2})), Error);
}

TEST(RuntimeGraphTest, UnsupportedOperatorsAreListedTogether) {
  auto model = std::make_unique<pnnx::Graph>();
  pnnx::Operand* x = AddInput(*model, 0, {1, 2});
  pnnx::Operand* y = AddUnary(*model, "my.Unknown", "first", {x});
  pnnx::Operand* z = AddUnary(*model, "other::thing", "second", {y});
  AddOutput(*model, 0, z);
  RuntimeGraph graph(std::move(model));
  try {
    graph.Build();
    FAIL() << "expected an error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
    EXPECT_THAT(error.what(), testing::AllOf(HasSubstr("my.Unknown"), HasSubstr("'first'"), HasSubstr("other::thing"),
                                             HasSubstr("'second'")));
  }
  EXPECT_EQ(graph.graph_state(), GraphState::NeedBuild);
}

TEST(RuntimeGraphTest, UnknownBorderNamesAreRefused) {
  RuntimeGraph graph(SmallGraph());
  EXPECT_THROW(graph.Build("nobody", "pnnx_output_0"), Error);
  EXPECT_THROW(graph.Build("pnnx_input_0", "nobody"), Error);
  graph.Build("pnnx_input_0", "pnnx_output_0");
}

TEST(RuntimeGraphTest, AnInputWithoutOutputHasNoSpec) {
  auto source = SmallGraph();
  source->new_operator("pnnx.Input", "idle");
  RuntimeGraph graph(std::move(source));
  ASSERT_TRUE(graph.Init());
  EXPECT_THAT(ErrorText(ErrorCode::kGraph, [&] { graph.input_spec("idle"); }), HasSubstr("'idle'"));
  EXPECT_THAT(ErrorText(ErrorCode::kGraph, [&] { graph.Build(); }), HasSubstr("'idle'"));
}

TEST(RuntimeGraphTest, CutsOutAndRunsASubgraph) {
  RuntimeGraph graph(SmallGraph());
  ASSERT_TRUE(graph.Init());
  const auto part = graph.Subgraph({"relu_out"}, {"sum_out", "conv_out"});
  EXPECT_EQ(part->graph_state(), GraphState::NeedBuild);
  part->Build();
  EXPECT_EQ(part->output_names(), (std::vector<std::string>{"pnnx_output_0", "pnnx_output_1"}));
  part->Forward(Images(2, 2, 3));
  // No relu inside: -2 stays -2.
  EXPECT_FLOAT_EQ(part->get_outputs("pnnx_output_0")[0]->index(0), -3.5F);
  EXPECT_FLOAT_EQ(part->get_outputs("pnnx_output_1")[0]->index(0), -1.5F);
  graph.Build();  // the weights are shared, not taken
  EXPECT_FLOAT_EQ(graph.Forward(Images(2, 2, 3))[0]->index(0), 0.5F);
  EXPECT_THROW(graph.Subgraph({"conv_out"}, {"sum_out"}), Error);  // sum also needs relu_out
  EXPECT_THROW(graph.Subgraph({"nobody"}, {"sum_out"}), Error);
}

TEST(RuntimeGraphTest, DumpsItsOperators) {
  RuntimeGraph graph(SmallGraph());
  ASSERT_TRUE(graph.Init());
  std::ostringstream stream;
  graph.Dump(stream);
  EXPECT_THAT(stream.str(), testing::AllOf(HasSubstr("nn.Conv2d conv"), HasSubstr("relu_out float32 (2,1,2,3)"),
                                           HasSubstr("@weight float32 (1,1,1,1)")));
}

TEST(RuntimeGraphTest, ResultsDoNotDependOnTheNumberOfThreads) {
  RuntimeGraph graph(SmallGraph());
  graph.Build();
  const std::vector<float> one = [&] {
    graph.set_num_threads(1);
    return graph.Forward(Images(8, 16, 16))[7]->values();
  }();
  graph.set_num_threads(2);
  EXPECT_EQ(graph.Forward(Images(8, 16, 16))[7]->values(), one);
}

/// Returns two 3x3 convolutions with an activation between them, for any batch and size.
std::unique_ptr<pnnx::Graph> ConvolutionalGraph() {
  auto graph = std::make_unique<pnnx::Graph>();
  pnnx::Operand* x = AddInput(*graph, 0, {-1, 3, -1, -1});
  x = AddConvolution(*graph, "conv0", x, 16, 3);
  x = AddUnary(*graph, "F.silu", "silu", {x});
  AddOutput(*graph, 0, AddConvolution(*graph, "conv1", x, 24, 3));
  return graph;
}

NdArray Waves(const Shape& shape) {
  const NdArray array(RuntimeDataType::kTypeFloat32, shape);
  for (int64_t i = 0; i < array.size(); ++i) array.data<float>()[i] = std::sin(static_cast<float>(i) * 0.37F);
  return array;
}

/// Threads never share a sum, so their number does not change results.
TEST(RuntimeGraphTest, TheNumberOfThreadsDoesNotChangeABit) {
  const std::string base = std::string(KUIPER_SOURCE_DIR) + "/tmp/line_reader.pnnx.";
  const auto results = [&](int threads) {
    std::vector<float> values;
    RuntimeGraph reader(base + "param", base + "bin");
    RuntimeGraph network(ConvolutionalGraph());
    for (RuntimeGraph* graph : {&reader, &network}) {
      graph->set_num_threads(threads);
      graph->Build();
      graph->set_input("pnnx_input_0", Waves(graph == &reader ? Shape{1, 1, 32, 300} : Shape{2, 3, 64, 80}));
      graph->Run();
      const NdArray output = graph->outputs().front();
      values.insert(values.end(), output.data<float>(), output.data<float>() + output.size());
    }
    return values;
  };
  const std::vector<float> one = results(1);
  // CPUs with narrow vectors use OpenBLAS for products, whose threads do share sums.
  const float difference = kernel::HasProductKernels(UsedUnits()) ? 0 : 1e-4F;
  for (const int threads : {2, 3, 7}) {
    EXPECT_THAT(results(threads), testing::Pointwise(testing::FloatNear(difference), one)) << threads << " threads";
  }
}

TEST(RuntimeGraphTest, DenormalsAreZeroInsideARunOnly) {
  auto source = std::make_unique<pnnx::Graph>();
  pnnx::Operand* half = AddUnary(*source, "pnnx.Expression", "half", {AddInput(*source, 0, {1, 3})});
  half->producer->params["expr"] = "mul(@0,0.5)";
  AddOutput(*source, 0, half);
  RuntimeGraph graph(std::move(source));
  graph.Build();
  const float smallest = std::numeric_limits<float>::min();  // the smallest normal number
  const NdArray input(RuntimeDataType::kTypeFloat32, {1, 3});
  input.data<float>()[0] = smallest;
  input.data<float>()[1] = smallest / 4;
  input.data<float>()[2] = smallest * 4;
  graph.set_input("pnnx_input_0", input);
  graph.Run();
  const NdArray output = graph.outputs().front();
  EXPECT_EQ(output.data<float>()[0], 0);
  EXPECT_EQ(output.data<float>()[1], 0);
  EXPECT_EQ(output.data<float>()[2], smallest * 2);
  EXPECT_GT(input.data<float>()[0] * 0.5F, 0);
}

TEST(RuntimeGraphTest, EarlierOutputsAreNotOverwritten) {
  RuntimeGraph graph(SmallGraph());
  graph.Build();
  const std::vector<sftensor> first = graph.Forward(Images(2, 2, 3));
  const std::vector<float> values = first[0]->values();
  graph.Forward(Images(2, 2, 3));
  auto other = Images(2, 2, 3);
  other[0]->Fill(9.0F);
  graph.Forward(other);
  EXPECT_EQ(first[0]->values(), values);
}

TEST(RuntimeGraphTest, ShapesThatAConstantForbidsNameItsOperator) {
  auto source = std::make_unique<pnnx::Graph>();
  pnnx::Operand* input = AddInput(*source, 0, {1, 1, 2, 3});
  pnnx::Operator* attribute = source->new_operator("pnnx.Attribute", "position_table");
  attribute->attrs["data"] = pnnx::Attribute({2, 3}, {1, 2, 3, 4, 5, 6});
  pnnx::Operand* table = AddOperand(*source, attribute, "table_out", {2, 3});
  pnnx::Operand* sum = AddUnary(*source, "pnnx.Expression", "sum", {input, table});
  sum->producer->params["expr"] = "add(@0,@1)";
  AddOutput(*source, 0, sum);
  RuntimeGraph graph(std::move(source));
  graph.Build();
  graph.set_input("pnnx_input_0", NdArray(RuntimeDataType::kTypeFloat32, {1, 1, 5, 3}));
  try {
    graph.Run();
    FAIL() << "shapes that don't fit were accepted";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("operator 'sum' (pnnx.Expression)"));
    EXPECT_THAT(error.what(), HasSubstr("'table_out' is the constant of operator 'position_table'"));
  }
}

/// This is how the converter writes x.reshape(x.shape[0], 6) for one set of inputs.
TEST(RuntimeGraphTest, ShapesThatAConstantReshapeForbidsTellHowToExport) {
  auto source = std::make_unique<pnnx::Graph>();
  pnnx::Operand* input = AddInput(*source, 0, {1, 2, -1});
  pnnx::Operand* flat = AddUnary(*source, "Tensor.reshape", "reshape", {input});
  flat->producer->params["shape"] = std::vector<int>{1, 6};
  AddOutput(*source, 0, flat);
  RuntimeGraph graph(std::move(source));
  graph.Build();
  const auto text = [&graph](const Shape& shape) {
    graph.set_input("pnnx_input_0", NdArray(RuntimeDataType::kTypeFloat32, shape));
    return ErrorText(ErrorCode::kShape, [&] { graph.Run(); });
  };
  EXPECT_THAT(text({2, 2, 3}), HasSubstr("operator 'reshape' (Tensor.reshape)"));
  EXPECT_THAT(text({2, 2, 3}),
              HasSubstr("'pnnx_input_0' is (2,2,3), the export had (1,2,?): for other sizes export with a second set "
                        "of inputs (inputs2=...)"));
  // The file allows this size, so another export would not help.
  EXPECT_THAT(text({1, 2, 4}), Not(HasSubstr("inputs2")));
}

/// Random numbers are drawn anew in each run, even if the operator has no input arrays.
TEST(RuntimeGraphTest, RandomOperatorsAreNotConstants) {
  auto source = std::make_unique<pnnx::Graph>();
  pnnx::Operand* input = AddInput(*source, 0, {1, 1, 2, 3});
  pnnx::Operand* like = AddUnary(*source, "torch.rand_like", "like", {input});
  pnnx::Operator* creator = source->new_operator("torch.randn", "alone");
  creator->params["size"] = std::vector<int>{1, 1, 2, 3};
  pnnx::Operand* alone = AddOperand(*source, creator, "alone_out", {1, 1, 2, 3});
  pnnx::Operand* sum = AddUnary(*source, "pnnx.Expression", "sum", {like, alone});
  sum->producer->params["expr"] = "add(@0,@1)";
  AddOutput(*source, 0, like);
  AddOutput(*source, 1, alone);
  AddOutput(*source, 2, sum);
  RuntimeGraph graph(std::move(source));
  graph.Build();
  std::vector<NdArray> runs[2];
  for (auto& run : runs) {
    graph.set_input("pnnx_input_0", NdArray(RuntimeDataType::kTypeFloat32, {1, 1, 2, 3}));
    graph.Run();
    run = graph.outputs();
  }
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NE(runs[0][k].data<float>()[i], runs[1][k].data<float>()[i]);
    EXPECT_FLOAT_EQ(runs[1][0].data<float>()[i] + runs[1][1].data<float>()[i], runs[1][2].data<float>()[i]);
  }
}

TEST(RuntimeGraphTest, PoissonNumbersNeedRates) {
  auto source = std::make_unique<pnnx::Graph>();
  AddOutput(*source, 0, AddUnary(*source, "aten::poisson", "events", {AddInput(*source, 0, {2, 3})}));
  RuntimeGraph graph(std::move(source));
  graph.Build();
  const NdArray rates(RuntimeDataType::kTypeFloat32, {2, 3});
  std::copy_n(std::array{0.0F, 1.0F, 0.0F, 1e6F, 20.0F, 0.5F}.data(), 6, rates.data<float>());
  graph.set_input("pnnx_input_0", rates);
  graph.Run();
  const NdArray events = graph.outputs().front();
  for (int64_t i = 0; i < 6; ++i) EXPECT_EQ(events.data<float>()[i], std::floor(events.data<float>()[i])) << i;
  EXPECT_EQ(events.data<float>()[0], 0);
  EXPECT_NEAR(events.data<float>()[3], 1e6, 1e4);
  for (const float wrong : {-0.5F, std::nanf(""), std::numeric_limits<float>::infinity()}) {
    rates.data<float>()[4] = wrong;
    EXPECT_THAT(ErrorText(ErrorCode::kInput, [&] { graph.Run(); }),
                testing::AllOf(HasSubstr("'events'"), HasSubstr("at position 4, expected a finite number")));
  }
}

TEST(RuntimeGraphTest, ReportCountsWeightsAndWork) {
  RuntimeGraph graph(SmallGraph());
  graph.Build();
  const RuntimeGraph::Report report = graph.report();
  EXPECT_EQ(report.parameters, 2);
  EXPECT_EQ(report.multiply_adds, 12);
  EXPECT_GE(report.planned_bytes, report.largest_live_bytes);
}

}  // namespace
}  // namespace kuiper_infer
