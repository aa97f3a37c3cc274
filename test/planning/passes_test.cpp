// SPDX-License-Identifier: MIT
// Passes on small graphs that the test makes. fusion_test, placement_test and chain_test of test/runtime run them on
// whole networks.
#include "planning/passes.hpp"

#include <algorithm>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "kernel/elementwise/functions.hpp"
#include "kuiper_infer/runtime/runtime_op.hpp"
#include "operators/elementwise/elementwise_plan.hpp"
#include "operators/elementwise/elementwise_program.hpp"

namespace kuiper_infer {
namespace {

constexpr RuntimeDataType kFloat = RuntimeDataType::kTypeFloat32;
constexpr RuntimeDataType kBFloat16 = RuntimeDataType::kTypeBFloat16;

/// A computation that can apply an activation and add a residual, like a convolution or a linear layer.
class Producer : public Computation {
 public:
  bool CanFuse(const Fusion& fusion) const override { return fusion.factor < 0; }
  KernelCall MakeCall(const Fusion& /*fusion*/, const PlanningContext& /*context*/) const override {
    KernelCall call;
    call.method = "producer";
    call.run = [](const RunContext&) {};
    return call;
  }
};

/// A product that rounds its first input to bfloat16, and can write bfloat16.
class RoundingProduct : public Producer {
 public:
  bool Reads(RuntimeDataType stored, int input, const Fusion& /*fusion*/) const override {
    return stored == kBFloat16 && input == 0;
  }
  bool Writes(RuntimeDataType stored, const Fusion& /*fusion*/) const override { return stored == kBFloat16; }
  bool PrefersBFloat16(int input, const Fusion& /*fusion*/) const override { return input == 0; }
};

/// Moves elements of any stored type.
class Mover : public Producer {
 public:
  bool Reads(RuntimeDataType /*stored*/, int /*input*/, const Fusion& /*fusion*/) const override { return true; }
  bool Writes(RuntimeDataType /*stored*/, const Fusion& /*fusion*/) const override { return true; }
  bool KeepsStorage() const override { return true; }
};

/// Builds a graph of arrays (2, 3). Each node stands for one operator, in the order of the calls.
class PassTest : public testing::Test {
 protected:
  int AddArray(ArrayMemory memory = ArrayMemory::kArena) {
    graph_.arrays.push_back({TensorSpec(kFloat, {2, 3}), memory});
    return static_cast<int>(graph_.arrays.size()) - 1;
  }

  /// Adds a node and returns its output array.
  int AddNode(std::shared_ptr<const Computation> computation, const std::vector<int>& inputs) {
    Node node;
    node.op = node.position = graph_.nodes.size();
    for (const int input : inputs) node.inputs.push_back({input, {}});
    node.outputs = node.made = {AddArray()};
    node.computation = std::move(computation);
    graph_.nodes.push_back(std::move(node));
    return graph_.nodes.back().outputs.front();
  }
  int AddProducer(const std::vector<int>& inputs) { return AddNode(std::make_shared<Producer>(), inputs); }

  int AddUnary(const char* function, int input) {
    kernel::BlockInstruction call;
    call.kind = kernel::BlockInstruction::Kind::kUnary;
    call.unary = kernel::FindUnary(function);
    return AddElementwise({InputInstruction(0, kFloat), call}, {input});
  }
  int AddSum(int left, int right) {
    kernel::BlockInstruction call;
    call.kind = kernel::BlockInstruction::Kind::kBinary;
    call.binary = kernel::FindBinary("add");
    return AddElementwise({InputInstruction(0, kFloat), InputInstruction(1, kFloat), call}, {left, right});
  }

  /// Adds a row-major copy of an array for a later operator.
  int AddCopy(int input, std::size_t position) {
    const int result = AddNode(nullptr, {input});
    graph_.nodes.back().kind = Node::Kind::kLayoutCopy;
    graph_.nodes.back().position = position;
    return result;
  }

  void SetOutput(int array) {
    graph_.symbols[&output_] = Symbol{array};
    graph_.output_operands = {&output_};
  }

  void Run(const std::string& pass, PlanningGraph& graph) const {
    const std::vector<Pass>& passes = Passes();
    const auto found = std::find_if(passes.begin(), passes.end(), [&](const Pass& each) { return pass == each.name; });
    ASSERT_NE(found, passes.end()) << pass;
    found->run(graph, context_);
  }
  void Run(const std::string& pass) { Run(pass, graph_); }

  std::vector<std::size_t> Alive() const {
    std::vector<std::size_t> alive;
    for (const Node& node : graph_.nodes) {
      if (node.alive) alive.push_back(node.op);
    }
    return alive;
  }

  PlanningGraph graph_;
  PlanningContext context_;

 private:
  int AddElementwise(std::vector<kernel::BlockInstruction> instructions, const std::vector<int>& inputs) {
    std::vector<TensorArgument> operands;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      operands.push_back({TensorSpec(kFloat, {2, 3}), static_cast<int>(i), {}});
    }
    kernel::BlockProgram program;
    program.instructions = std::move(instructions);
    return AddNode(PlanBlockProgram(std::move(program), operands).computation, inputs);
  }

  RuntimeOperand output_;
};

using Numbers = std::vector<std::size_t>;

TEST_F(PassTest, AnActivationBecomesPartOfItsProducer) {
  const int x = AddArray(ArrayMemory::kInput);
  const int y = AddProducer({x});
  const int z = AddUnary("relu", y);
  SetOutput(z);
  Run("fuse into producers");
  EXPECT_EQ(Alive(), Numbers{0});
  EXPECT_EQ(graph_.nodes[0].outputs, std::vector<int>{z});
  EXPECT_EQ(graph_.nodes[0].fusion.activation.function, kernel::FindUnary("relu"));
  EXPECT_EQ(graph_.arrays[y].memory, ArrayMemory::kNone);
}

TEST_F(PassTest, WhatIsReadElsewhereStays) {
  const int x = AddArray(ArrayMemory::kInput);
  const int y = AddProducer({x});
  SetOutput(AddSum(AddUnary("relu", y), y));
  Run("fuse into producers");
  EXPECT_EQ(Alive(), (Numbers{0, 1, 2}));
}

TEST_F(PassTest, AnOutputOfTheModelStays) {
  const int y = AddProducer({AddArray(ArrayMemory::kInput)});
  AddUnary("relu", y);
  SetOutput(y);
  Run("fuse into producers");
  EXPECT_EQ(Alive(), (Numbers{0, 1}));
}

/// Of two producers, the later one adds the other's output. A producer whose residual is computed later moves behind
/// it.
TEST_F(PassTest, SumsAreAddedWhereBothAreThere) {
  const int x = AddArray(ArrayMemory::kInput);
  const int early = AddProducer({x});
  const int late = AddProducer({x});
  SetOutput(AddSum(early, late));
  Run("fuse into producers");
  EXPECT_EQ(Alive(), (Numbers{0, 1}));
  EXPECT_EQ(graph_.nodes[1].fusion.residual, 1);
  EXPECT_EQ(graph_.nodes[1].position, 1U);
}

TEST_F(PassTest, AProducerWaitsForItsResidual) {
  const int x = AddArray(ArrayMemory::kInput);
  const int early = AddProducer({x});
  const int other = AddUnary("exp", x);
  SetOutput(AddSum(early, other));
  Run("fuse into producers");
  EXPECT_EQ(Alive(), (Numbers{0, 1}));
  EXPECT_EQ(graph_.nodes[0].position, 2U);
  const Program program = EmitProgram(graph_, context_);
  ASSERT_EQ(program.steps.size(), 2U);
  EXPECT_EQ(program.steps[0].op, 1U);
  EXPECT_EQ(program.steps[1].call.method, "producer");
}

/// The order of nodes in the graph does not change the result.
TEST_F(PassTest, TheOrderOfNodesDoesNotMatter) {
  const int x = AddArray(ArrayMemory::kInput);
  const int y = AddProducer({x});
  const int z = AddUnary("relu", AddSum(y, AddUnary("exp", x)));
  SetOutput(AddUnary("tanh", AddUnary("abs", z)));
  const auto plan = [this](PlanningGraph graph) {
    Run("fuse into producers", graph);
    Run("fuse elementwise", graph);
    Run("drop dead", graph);
    std::vector<std::size_t> steps;
    for (const Step& step : EmitProgram(std::move(graph), context_).steps) steps.push_back(step.op);
    return steps;
  };
  const std::vector<std::size_t> expected = plan(graph_);
  EXPECT_LT(expected.size(), graph_.nodes.size());
  Numbers order(graph_.nodes.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  do {
    PlanningGraph shuffled = graph_;
    for (std::size_t i = 0; i < order.size(); ++i) shuffled.nodes[i] = graph_.nodes[order[i]];
    EXPECT_EQ(plan(std::move(shuffled)), expected);
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST_F(PassTest, ElementwiseNodesBecomeOne) {
  const int x = AddArray(ArrayMemory::kInput);
  SetOutput(AddUnary("tanh", AddSum(AddUnary("exp", x), AddUnary("abs", x))));
  Run("fuse elementwise");
  EXPECT_EQ(Alive(), Numbers{3});
  EXPECT_EQ(graph_.nodes[3].inputs.size(), 2U);
}

TEST_F(PassTest, CopiesThatNobodyReadsGoWithWhatTheyRead) {
  const int x = AddArray(ArrayMemory::kInput);
  const int y = AddProducer({x});
  AddCopy(AddCopy(y, 2), 2);
  SetOutput(AddProducer({x}));
  Run("drop dead");
  EXPECT_EQ(Alive(), Numbers{3});
}

TEST_F(PassTest, ViewsKeepTheirArrayAlive) {
  const int y = AddProducer({AddArray(ArrayMemory::kInput)});
  const int view = AddArray();
  graph_.SetView(view, TensorSpec(kFloat, {3}), y, 3);
  SetOutput(view);
  Run("drop dead");
  EXPECT_EQ(Alive(), Numbers{0});
  const Program program = EmitProgram(graph_, context_);
  EXPECT_EQ(program.slots[y].last, Slot::kEnd);
  EXPECT_EQ(program.slots[view].offset, 3 * static_cast<int64_t>(sizeof(float)));
}

TEST_F(PassTest, ACopyRunsBeforeItsFirstReader) {
  const int x = AddArray(ArrayMemory::kInput);
  const int y = AddProducer({x});
  const int z = AddProducer({y});
  const int copy = AddCopy(y, 1);
  SetOutput(AddSum(z, copy));
  const Program program = EmitProgram(graph_, context_);
  ASSERT_EQ(program.steps.size(), 4U);
  EXPECT_TRUE(program.steps[1].layout_copy);
  EXPECT_EQ(program.slots[copy].first, 1);
  EXPECT_EQ(program.slots[copy].last, 3);
  EXPECT_EQ(program.slots[y].last, 2);
}

class StorageTest : public PassTest {
 protected:
  StorageTest() { context_.pieces = 1; }

  int AddProduct(int input) { return AddNode(std::make_shared<RoundingProduct>(), {input}); }
  int AddMover(const std::vector<int>& inputs) { return AddNode(std::make_shared<Mover>(), inputs); }
  RuntimeDataType TypeOf(int array) const { return graph_.arrays[array].spec.type; }
};

TEST_F(StorageTest, ArraysThatAllReadersRoundAreStoredRounded) {
  const int x = AddArray(ArrayMemory::kInput);
  const int between = AddProduct(x);
  const int moved = AddMover({AddProduct(between), between});
  const int result = AddProduct(moved);
  SetOutput(result);
  Run("choose storage");
  EXPECT_EQ(TypeOf(between), kBFloat16);
  EXPECT_EQ(TypeOf(moved), kBFloat16);
  EXPECT_EQ(TypeOf(x), kFloat);
  EXPECT_EQ(TypeOf(result), kFloat);
}

TEST_F(StorageTest, NothingIsRoundedWhereNumbersHaveSeveralPiecesOrNone) {
  for (const int pieces : {0, 2, 3}) {
    context_.pieces = pieces;
    const int between = AddProduct(AddArray(ArrayMemory::kInput));
    SetOutput(AddProduct(between));
    Run("choose storage");
    EXPECT_EQ(TypeOf(between), kFloat);
  }
}

TEST_F(StorageTest, ElementwiseProgramsReadWhatAProductPrefersRounded) {
  const int summed = AddProduct(AddArray(ArrayMemory::kInput));
  const int product = AddProduct(summed);
  SetOutput(AddSum(product, summed));
  Run("choose storage");
  EXPECT_EQ(TypeOf(summed), kBFloat16);
  EXPECT_EQ(TypeOf(product), kFloat);
}

TEST_F(StorageTest, WhatAnyoneReadsAsFloatsStays) {
  const int summed = AddProduct(AddArray(ArrayMemory::kInput));
  const int product = AddProduct(summed);
  SetOutput(AddProducer({product, summed}));
  Run("choose storage");
  EXPECT_EQ(TypeOf(summed), kFloat);
  EXPECT_EQ(TypeOf(product), kFloat);
}

TEST_F(StorageTest, WhatNobodyPrefersRoundedStays) {
  const int product = AddProduct(AddArray(ArrayMemory::kInput));
  SetOutput(AddUnary("sigmoid", product));
  Run("choose storage");
  EXPECT_EQ(TypeOf(product), kFloat);
}

TEST_F(StorageTest, WhatIsWrittenAsFloatsStays) {
  const int made = AddProducer({AddArray(ArrayMemory::kInput)});
  const int moved = AddMover({made});
  SetOutput(AddProduct(moved));
  Run("choose storage");
  EXPECT_EQ(TypeOf(made), kFloat);
  EXPECT_EQ(TypeOf(moved), kFloat);
}

TEST_F(StorageTest, ConstantsAreJoinedWithFloats) {
  const int product = AddProduct(AddArray(ArrayMemory::kInput));
  const int joined = AddMover({product});
  graph_.nodes.back().inputs.push_back({-1, {TensorSpec(kFloat, {2, 3}), 1, {}}});
  SetOutput(AddProduct(joined));
  Run("choose storage");
  EXPECT_EQ(TypeOf(product), kFloat);
  EXPECT_EQ(TypeOf(joined), kFloat);
}

TEST_F(StorageTest, ViewsBeginAtTheSameNumber) {
  const int product = AddProduct(AddArray(ArrayMemory::kInput));
  const int view = AddArray();
  graph_.SetView(view, TensorSpec(kFloat, {3}), product, 3);
  SetOutput(AddProduct(view));
  Run("choose storage");
  EXPECT_EQ(TypeOf(view), kBFloat16);
  EXPECT_EQ(graph_.arrays[view].offset, 3 * 2);
}

constexpr kernel::QuantizationGrid kGrid{0.5F, 3, 0, 255};

class GridTest : public PassTest {
 protected:
  int AddArrayOn(const kernel::QuantizationGrid& grid) {
    const int array = AddArray(ArrayMemory::kInput);
    graph_.arrays[array].grid = grid;
    return array;
  }
  /// Adds a node that preserves the elements of some of its inputs.
  int AddPreserving(const std::vector<int>& inputs, const std::vector<int>& preserved) {
    const int result = AddProducer(inputs);
    graph_.nodes.back().preserved = preserved;
    return result;
  }
  bool Has(int array) const { return graph_.arrays[array].grid.has_value(); }
};

TEST_F(GridTest, WhatANodePreservesStaysOnTheGrid) {
  const int moved = AddPreserving({AddArrayOn(kGrid)}, {0});
  const int joined = AddPreserving({moved, AddArrayOn(kGrid)}, {0, 1});
  const int computed = AddProducer({joined});
  Run("find grids");
  EXPECT_TRUE(Has(moved));
  EXPECT_TRUE(Has(joined));
  EXPECT_FALSE(Has(computed));
}

TEST_F(GridTest, OtherInputsOfANodeDontMatter) {
  const int chosen = AddPreserving({AddArrayOn(kGrid), AddArray(ArrayMemory::kInput)}, {0});
  const int by_constant = AddPreserving({AddArrayOn(kGrid)}, {0});
  graph_.nodes.back().inputs.push_back({-1, {TensorSpec(kFloat, {2, 3}), 1, {}}});
  Run("find grids");
  EXPECT_TRUE(Has(chosen));
  EXPECT_TRUE(Has(by_constant));
}

TEST_F(GridTest, SeveralGridsAndConstantsAreNone) {
  const int joined = AddPreserving({AddArrayOn(kGrid), AddArrayOn({0.25F, 3, 0, 255})}, {0, 1});
  const int with_constant = AddPreserving({AddArrayOn(kGrid)}, {0, 1});
  graph_.nodes.back().inputs.push_back({-1, {TensorSpec(kFloat, {2, 3}), 1, {}}});
  Run("find grids");
  EXPECT_FALSE(Has(joined));
  EXPECT_FALSE(Has(with_constant));
}

TEST_F(GridTest, AllOutputsLieOnTheGrid) {
  const int first = AddPreserving({AddArrayOn(kGrid)}, {0});
  const int second = AddArray();
  graph_.nodes.back().outputs.push_back(second);
  Run("find grids");
  EXPECT_TRUE(Has(first));
  EXPECT_TRUE(Has(second));
}

/// The table of passes in the document on the architecture has a row for each of them, in their order.
TEST(PassListTest, TheDocumentTellsThePassesInTheirOrder) {
  std::ifstream file(std::string(KUIPER_SOURCE_DIR) + "/docs/architecture.md");
  ASSERT_TRUE(file);
  std::vector<std::string> told;
  std::string line;
  while (std::getline(file, line) && line != "| pass | does |") continue;
  std::getline(file, line);  // the rule below the head
  while (std::getline(file, line) && line.rfind("| ", 0) == 0) told.push_back(line.substr(2, line.find(" |") - 2));
  std::vector<std::string> names;
  for (const Pass& pass : Passes()) names.emplace_back(pass.name);
  EXPECT_EQ(told, names);
}

}  // namespace
}  // namespace kuiper_infer
