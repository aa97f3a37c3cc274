// SPDX-License-Identifier: MIT
// The bounds of free extents that a file gives, and extents that have to be equal.
#include <map>
#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/graph_building.hpp"
#include "utils/error_text.hpp"

namespace kuiper_infer {
namespace {

using testing::HasSubstr;

/// out = relu(in0), relu(in1) for inputs of two free extents; the parameters are those of in0 and in1.
RuntimeGraph Graph(const std::map<std::string, std::string>& first, const std::map<std::string, std::string>& second) {
  auto graph = std::make_unique<pnnx::Graph>();
  int number = 0;
  for (const auto& parameters : {first, second}) {
    pnnx::Operand* x = AddInput(*graph, number, {-1, -1});
    for (const auto& [key, text] : parameters) x->producer->params[key] = pnnx::Parameter::parse_from_string(text);
    AddOutput(*graph, number, AddUnary(*graph, "nn.ReLU", "relu" + std::to_string(number), {x}));
    ++number;
  }
  RuntimeGraph built(std::move(graph));
  built.Build();
  return built;
}

void RunWith(RuntimeGraph& graph, const Shape& first, const Shape& second) {
  graph.set_input("pnnx_input_0", NdArray(RuntimeDataType::kTypeFloat32, first));
  graph.set_input("pnnx_input_1", NdArray(RuntimeDataType::kTypeFloat32, second));
  graph.Run();
}

TEST(InputRangesTest, ExtentsOutOfTheirRangeAreRefusedByName) {
  RuntimeGraph graph = Graph({{"min", "(1,2)"}, {"max", "(8,2147483647)"}}, {});
  EXPECT_NO_THROW(RunWith(graph, {1, 2}, {3, 3}));
  EXPECT_NO_THROW(RunWith(graph, {8, 100}, {3, 3}));
  EXPECT_THAT(ErrorText(ErrorCode::kInput,
                        [&] {
                          RunWith(graph, {9, 2}, {3, 3});
                        }),
              HasSubstr("input 'pnnx_input_0' has 9 elements along axis 0, the model was exported for 1 to 8"));
  EXPECT_THAT(ErrorText(ErrorCode::kInput,
                        [&] {
                          RunWith(graph, {1, 1}, {3, 3});
                        }),
              HasSubstr("along axis 1, the model was exported for at least 2"));
  EXPECT_NO_THROW(RunWith(graph, {8, 2}, {0, 3}));  // goes on after a refusal
}

TEST(InputRangesTest, AxesOfOneWordHaveOneExtent) {
  RuntimeGraph graph = Graph({{"extents", "(batch,length)"}}, {{"extents", "(batch,4)"}});
  EXPECT_NO_THROW(RunWith(graph, {3, 5}, {3, 4}));
  EXPECT_THAT(ErrorText(ErrorCode::kInput,
                        [&] {
                          RunWith(graph, {3, 5}, {2, 4});
                        }),
              HasSubstr("input 'pnnx_input_1' has 2 elements along axis 0, expected as many as axis 0 of input "
                        "'pnnx_input_0' has, 3"));
}

TEST(InputRangesTest, ParametersThatAreNoRangesAreFaultsOfTheFile) {
  for (const char* text : {"(1)", "(1,2,3)", "3", "word", "None"}) {
    EXPECT_THAT(ErrorText(ErrorCode::kGraph,
                          [&] {
                            Graph({{"min", text}}, {});
                          }),
                HasSubstr("input 'pnnx_input_0' has min="))
        << text;
  }
  EXPECT_THAT(ErrorText(ErrorCode::kGraph,
                        [&] {
                          Graph({{"max", "(a,b)"}}, {});
                        }),
              HasSubstr("in max, expected integers"));
}

}  // namespace
}  // namespace kuiper_infer
