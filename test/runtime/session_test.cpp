// SPDX-License-Identifier: MIT
// Many runs at once. Under ThreadSanitizer this program runs with OMP_NUM_THREADS=1, because the sanitizer doesn't know
// libgomp's barriers.
#include "kuiper_infer/runtime/session.hpp"

#include <cstring>
#include <filesystem>
#include <functional>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kuiper_infer/data/tensor_util.hpp"
#include "kuiper_infer/layer/abstract/non_param_layer.hpp"
#include "kuiper_infer/runtime/runtime_ir.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "runtime/graph_building.hpp"

namespace kuiper_infer {
namespace {

using testing::HasSubstr;

constexpr int kThreads = 4;
constexpr int kRuns = 8;

NdArray Image(const Shape& shape, int salt) {
  NdArray image(RuntimeDataType::kTypeFloat32, shape);
  for (int64_t i = 0; i < image.size(); ++i) {
    image.data<float>()[i] = static_cast<float>((i * 5 + salt * 3) % 23) / 8 - 1;
  }
  return image;
}

std::vector<float> Values(const std::vector<NdArray>& arrays) {
  std::vector<float> values;
  for (const NdArray& array : arrays)
    values.insert(values.end(), array.data<float>(), array.data<float>() + array.size());
  return values;
}

/// Returns two convolutions with operators between them, and an operator whose shape depends on the data.
std::unique_ptr<pnnx::Graph> Network() {
  auto graph = std::make_unique<pnnx::Graph>();
  pnnx::Operand* x = AddInput(*graph, 0, {-1, 3, -1, -1});
  x = AddConvolution(*graph, "conv0", x, 16, 3);
  x = AddUnary(*graph, "F.silu", "silu", {x});
  pnnx::Operand* y = AddConvolution(*graph, "conv1", x, 16, 1);
  AddOutput(*graph, 0, AddExpression(*graph, "sum", "add(@0,@1)", {x, y}));
  AddOutput(*graph, 1, AddUnary(*graph, "torch.nonzero", "places", {y}));
  return graph;
}

void InThreads(int count, const std::function<void(int)>& body) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back(body, i);
  for (std::thread& thread : threads) thread.join();
}

Shape ShapeFor(int i) { return {1 + i % 2, 3, 9 + i % 3, 12}; }

TEST(SessionTest, ManyAtOnceGiveTheBitsOfOne) {
  RuntimeGraph graph(Network());
  graph.Build();
  std::vector<std::vector<NdArray>> expected;
  for (int i = 0; i < kThreads * kRuns; ++i) {
    graph.set_input("pnnx_input_0", Image(ShapeFor(i), i));
    graph.Run();
    expected.push_back(graph.outputs());
  }
  std::atomic<int> wrong{0};
  InThreads(kThreads, [&](int thread) {
    Session session = graph.NewSession();
    for (int run = 0; run < kRuns; ++run) {
      const int i = thread * kRuns + run;
      session.set_input("pnnx_input_0", Image(ShapeFor(i), i));
      session.Run();
      const std::vector<NdArray> found = session.outputs();
      for (std::size_t k = 0; k < found.size(); ++k) {
        const NdArray& wanted = expected[static_cast<std::size_t>(i)][k];
        const bool same = found[k].shape() == wanted.shape() &&
                          std::memcmp(found[k].raw(), wanted.raw(),
                                      static_cast<std::size_t>(wanted.size()) * ElementBytes(wanted.type())) == 0;
        wrong += same ? 0 : 1;
      }
    }
  });
  EXPECT_EQ(wrong, 0);
}

TEST(SessionTest, GraphsAreBuiltWhileOthersRun) {
  RuntimeGraph graph(Network());
  graph.Build();
  std::atomic<int> wrong{0};
  InThreads(kThreads, [&](int thread) {
    for (int run = 0; run < kRuns; ++run) {
      if (thread % 2 == 0) {
        RuntimeGraph own(Network());
        own.Build();
        own.set_input("pnnx_input_0", Image(ShapeFor(run), run));
        own.Run();
        wrong += own.outputs().size() == 2 ? 0 : 1;
      } else {
        Session session = graph.NewSession();
        session.set_input("pnnx_input_0", Image(ShapeFor(run), run));
        session.Run();
        wrong += session.output_views().size() == 2 ? 0 : 1;
      }
    }
  });
  EXPECT_EQ(wrong, 0);
}

TEST(SessionTest, OutlivesItsGraphAndMovesBetweenThreads) {
  std::optional<RuntimeGraph> graph(Network());
  graph->Build();
  Session session = graph->NewSession();
  graph.reset();
  session.set_input("pnnx_input_0", Image({1, 3, 8, 8}, 1));
  InThreads(1, [&](int) { session.Run(); });
  const std::vector<float> first = Values({session.outputs().front()});
  Session moved = std::move(session);
  moved.Run();
  EXPECT_EQ(Values({moved.outputs().front()}), first);
}

TEST(SessionTest, MistakesAreNamed) {
  RuntimeGraph graph(Network());
  EXPECT_THROW(graph.NewSession(), Error);
  graph.Build();
  Session session = graph.NewSession();
  EXPECT_THROW(session.outputs(), Error);
  EXPECT_THROW(session.Run(), Error);
  EXPECT_THROW(session.set_input("nobody", Image({1, 3, 8, 8}, 1)), Error);
  EXPECT_THROW(session.set_input("pnnx_input_0", Image({3, 8, 8}, 1)), Error);
}

/// A user's layer of the classic interface. The operands' tensors belong to the graph, so runs take turns in it.
class Doubling : public NonParamLayer {
 public:
  Doubling() : NonParamLayer("Doubling") {}
  using Layer::Forward;
  InferStatus Forward(const std::vector<std::shared_ptr<Tensor<float>>>& inputs,
                      std::vector<std::shared_ptr<Tensor<float>>>& outputs) override {
    for (std::size_t i = 0; i < inputs.size(); ++i) outputs[i] = TensorElementAdd(inputs[i], inputs[i]);
    return InferStatus::kInferSuccess;
  }
};

TEST(SessionTest, LayersOfUsersTakeTurns) {
  static const bool kRegistered = [] {
    LayerRegistererWrapper("session_test.Doubling",
                           [](const std::shared_ptr<RuntimeOperator>&, std::shared_ptr<Layer>& layer) {
                             layer = std::make_shared<Doubling>();
                             return ParseParameterAttrStatus::kParameterAttrParseSuccess;
                           });
    return true;
  }();
  ASSERT_TRUE(kRegistered);
  auto source = std::make_unique<pnnx::Graph>();
  pnnx::Operand* input = AddInput(*source, 0, {2, 1, 3, 4});
  AddOutput(*source, 0, AddUnary(*source, "session_test.Doubling", "double", {input}));
  RuntimeGraph graph(std::move(source));
  graph.Build();
  std::atomic<int> wrong{0};
  InThreads(kThreads, [&](int thread) {
    Session session = graph.NewSession();
    for (int run = 0; run < kRuns; ++run) {
      const NdArray image = Image({2, 1, 3, 4}, thread + run);
      session.set_input("pnnx_input_0", image);
      session.Run();
      const NdArray result = session.outputs().front();
      for (int64_t i = 0; i < image.size(); ++i) {
        wrong += result.data<float>()[i] == 2 * image.data<float>()[i] ? 0 : 1;
      }
    }
  });
  EXPECT_EQ(wrong, 0);
}

TEST(SessionTest, SessionsOfAShippedModelAgree) {
  const std::string base = std::string(KUIPER_SOURCE_DIR) + "/tmp/line_reader.pnnx.";
  ASSERT_TRUE(std::filesystem::exists(base + "param"));
  RuntimeGraph graph(base + "param", base + "bin");
  graph.Build();
  graph.set_num_threads(1);  // like the sessions: OpenBLAS's sums depend on it
  const std::string input = graph.input_names().front();
  Shape shape = graph.input_spec(input).shape;
  for (int64_t& extent : shape) extent = extent < 0 ? 100 : extent;
  graph.set_input(input, Image(shape, 1));
  graph.Run();
  const std::vector<float> expected = Values(graph.outputs());
  std::atomic<int> wrong{0};
  InThreads(kThreads, [&](int) {
    Session session = graph.NewSession();
    session.set_num_threads(1);
    session.set_input(input, Image(shape, 1));
    for (int run = 0; run < kRuns; ++run) {
      session.Run();
      wrong += Values(session.outputs()) == expected ? 0 : 1;
    }
  });
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace kuiper_infer
