// SPDX-License-Identifier: MIT
// Every model of the zoo beside the project, if it exists.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/zoo_model.hpp"

namespace kuiper_infer::test {
namespace {

/// Returns the folders with a model. If there is no zoo, returns one name that no model has.
std::vector<std::string> ZooNames() {
  std::vector<std::string> names;
  std::error_code absent;
  for (const auto& entry : std::filesystem::directory_iterator(ZooFolder(), absent)) {
    const std::string name = entry.path().filename().string();
    if (ZooExists(name)) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  if (names.empty()) names.emplace_back("no_zoo");
  return names;
}

class ZooTest : public testing::TestWithParam<std::string> {};

TEST_P(ZooTest, EqualsPyTorch) {
  if (!ZooExists(GetParam())) GTEST_SKIP() << "there are no models in " << ZooFolder();
  ExpectEqualsPyTorch(GetParam());
}

/// Nothing is unsupported, and the planned shapes equal those that the file records. Two defects of the converter make
/// exceptions: it writes index arrays of several axes as [[0],[0]] but records the shape that they gave, and it drops
/// average_attn_weights=False but records the weights of every head. The converter's PyTorch code, which made the zoo's
/// results, gives our shapes there. Operators behind these inherit the difference. A third defect gives a warning:
/// c_pointpillars writes into zeros that the converter stored with what its own run had written.
TEST_P(ZooTest, ShapesEqualThoseRecorded) {
  if (!ZooExists(GetParam())) GTEST_SKIP() << "there are no models in " << ZooFolder();
  const ZooModel model = LoadZooModel(GetParam());
  model.graph->Build();  // throws if a type is unsupported
  const std::vector<std::string> warnings = model.graph->report().warnings;
  if (warnings.empty()) return;
  EXPECT_THAT(
      warnings.front(),
      testing::AnyOf(testing::AllOf(testing::HasSubstr("(Tensor.index)"),
                                    testing::AnyOf(testing::HasSubstr("element 0 is repeated"),
                                                   testing::HasSubstr("has shape (1), the file records (1,1,1,"))),
                     testing::HasSubstr("(nn.MultiheadAttention): operand"),
                     testing::HasSubstr("writes into the constant 'pnnx_fold_cv.1'")));
}

INSTANTIATE_TEST_SUITE_P(Models, ZooTest, testing::ValuesIn(ZooNames()),
                         [](const testing::TestParamInfo<std::string>& info) { return info.param; });

}  // namespace
}  // namespace kuiper_infer::test
