// SPDX-License-Identifier: MIT
// Every model of the zoo beside the project, where there is one.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/zoo_model.hpp"

namespace kuiper_infer::test {
namespace {

/// The folders with a model; a single name that no model has where there is no zoo.
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

INSTANTIATE_TEST_SUITE_P(Models, ZooTest, testing::ValuesIn(ZooNames()),
                         [](const testing::TestParamInfo<std::string>& info) { return info.param; });

}  // namespace
}  // namespace kuiper_infer::test
