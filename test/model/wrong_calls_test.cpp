// SPDX-License-Identifier: MIT
// Calls of single operations that no operation takes, each with a part of its error (tools/make_op_cases.py).
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kuiper_infer/runtime/runtime_graph.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "model/op_case.hpp"

namespace kuiper_infer::test {
namespace {

class WrongCallTest : public testing::TestWithParam<OpCase> {};

TEST_P(WrongCallTest, IsRefusedForItsReason) {
  const std::string folder = WriteModel(GetParam());
  const std::vector<char> reason = Bytes(GetParam(), "error");
  try {
    RuntimeGraph graph(folder + "/model.param", folder + "/model.bin");
    graph.Build();
    const std::vector<NdArray> inputs = Arrays(GetParam(), "in");
    for (const std::string& name : graph.input_names()) graph.set_input(name, InputFor(name, inputs));
    graph.Run();
    ADD_FAILURE() << "no error";
  } catch (const kuiper_infer::Error& error) {
    if (IsLackOfLapack(error)) GTEST_SKIP() << error.what();
    EXPECT_THAT(error.what(), testing::HasSubstr(std::string(reason.begin(), reason.end())));
    EXPECT_THAT(error.what(), testing::HasSubstr("operator 'call' ("));
  }
  std::filesystem::remove_all(folder);
}

INSTANTIATE_TEST_SUITE_P(Archive, WrongCallTest, testing::ValuesIn(WrongCallsToRun()),
                         [](const testing::TestParamInfo<OpCase>& info) { return info.param.text(); });

}  // namespace
}  // namespace kuiper_infer::test
