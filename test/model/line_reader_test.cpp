// SPDX-License-Identifier: MIT
// The model in tmp/ on its sample picture, compared with PyTorch's output.
#include <algorithm>

#include <gtest/gtest.h>

#include "data/npy.hpp"
#include "kuiper_infer/runtime/runtime_graph.hpp"
#include "model/line_reader_output.hpp"

namespace kuiper_infer::test {
namespace {

const std::string kModel = KUIPER_SOURCE_DIR "/tmp/line_reader";
const std::string kReference = KUIPER_SOURCE_DIR "/test/data/line_reader";

TEST(LineReaderTest, EqualsPyTorchAtAWidthThatTheFileLeavesOpen) {
  RuntimeGraph graph(kModel + ".pnnx.param", kModel + ".pnnx.bin");
  graph.Build();
  EXPECT_EQ(graph.input_spec("pnnx_input_0").shape, (Shape{1, 1, 32, -1}));
  graph.set_input("pnnx_input_0", ReadNpy(kReference + "/in0.npy"));
  graph.Run();
  const NdArray expected = ReadNpy(kReference + "/out0.npy");
  const NdArray output = graph.outputs().at(0);
  ASSERT_EQ(output.shape(), expected.shape());
  ExpectLogProbabilities(output, expected);
}

TEST(LineReaderTest, ColumnsDoNotDependOnTheBatchOrOnLaterColumnsOfOtherImages) {
  RuntimeGraph graph(kModel + ".pnnx.param", kModel + ".pnnx.bin");
  graph.Build();
  const NdArray one = ReadNpy(kReference + "/in0.npy");
  NdArray two(RuntimeDataType::kTypeFloat32, {2, 1, 32, one.shape()[3]});
  std::copy_n(one.data<float>(), one.size(), two.data<float>());
  std::fill_n(two.data<float>() + one.size(), one.size(), 1.0F);
  graph.set_input("pnnx_input_0", one);
  graph.Run();
  const NdArray single = graph.outputs().at(0);
  graph.set_input("pnnx_input_0", two);
  graph.Run();
  const NdArray pair = graph.outputs().at(0);
  ASSERT_EQ(pair.shape()[0], 2);
  ExpectLogProbabilities(pair, single);
}

}  // namespace
}  // namespace kuiper_infer::test
