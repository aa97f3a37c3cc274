// SPDX-License-Identifier: MIT
// The command that times a model's operators.
#include <algorithm>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/program.hpp"
#include "kernel/product/weight_product.hpp"

namespace kuiper_infer::test {
namespace {

using testing::HasSubstr;

TEST(ProfileCommandTest, ListsOperatorsAndTypesByTime) {
  const ProgramResult result = RunOnLineReader("profile", {"--runs", "2", "--top", "3"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  std::vector<std::string> lines;
  std::istringstream text(result.out);
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  // Header, three operators, an empty line, header, types, sum, end to end.
  ASSERT_GT(lines.size(), 7U);
  EXPECT_THAT(lines[0], HasSubstr("operator"));
  EXPECT_EQ(lines[4], "");
  EXPECT_THAT(lines[5], HasSubstr("type"));
  const std::string& all = lines[lines.size() - 2];
  EXPECT_THAT(all, HasSubstr("ms sum of the steps, each in its fastest run"));
  EXPECT_THAT(lines.back(), HasSubstr("ms from end to end, the fastest of 2 runs"));
  EXPECT_GT(std::stod(lines.back()), 0);
  EXPECT_GE(std::stod(lines[1]), std::stod(lines[2]));
  EXPECT_GE(std::stod(lines[2]), std::stod(lines[3]));
  double sum = 0;
  for (std::size_t i = 6; i + 2 < lines.size(); ++i) sum += std::stod(lines[i]);
  EXPECT_NEAR(sum, std::stod(all), 0.0005 * static_cast<double>(lines.size()));
  EXPECT_THAT(result.out, HasSubstr("nn.LSTM"));
}

TEST(ProfileCommandTest, WritesATrace) {
  const TemporaryFolder folder;
  const ProgramResult result = RunOnLineReader("profile", {"--runs", "1", "--trace", folder / "trace.json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto events = nlohmann::json::parse(ReadText(folder / "trace.json")).at("traceEvents");
  ASSERT_GT(events.size(), 3U);
  double end = 0;
  for (const auto& event : events) {
    EXPECT_EQ(event.at("ph"), "X");
    EXPECT_GE(event.at("ts").get<double>(), end) << "the steps follow each other";
    end = event.at("ts").get<double>() + event.at("dur").get<double>() - 1e-3;
    EXPECT_TRUE(event.at("args").at("output").is_string());
  }
  ExpectErrorLine(RunOnLineReader("profile", {"--runs", "1", "--trace", "/no/such/trace.json"}),
                  {"/no/such/trace.json"});
}

/// The trace's events.
nlohmann::json ProfileLineReader(const std::vector<std::string>& switches) {
  const TemporaryFolder folder;
  std::vector<std::string> more{"--runs", "1", "--trace", folder / "trace.json"};
  more.insert(more.end(), switches.begin(), switches.end());
  const ProgramResult result = RunOnLineReader("profile", more);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return nlohmann::json::parse(ReadText(folder / "trace.json")).at("traceEvents");
}

TEST(ProfileCommandTest, ShowsWhatSwitchesDo) {
  if (!kernel::HasWeightProduct()) GTEST_SKIP() << "no methods to choose from on this CPU, or with this KUIPER_ISA";
  const auto plain = ProfileLineReader({"--convolution", "auto"});
  EXPECT_GT(ProfileLineReader({"--no-fusion", "--no-placement"}).size(), plain.size());
  const auto uses = [](const nlohmann::json& events, const std::string& method) {
    return std::any_of(events.begin(), events.end(), [&](const nlohmann::json& event) {
      return event.at("args").at("method").get<std::string>().find(method) == 0;
    });
  };
  EXPECT_FALSE(uses(plain, "winograd6"));
  EXPECT_TRUE(uses(ProfileLineReader({"--convolution", "winograd6"}), "winograd6"));
}

}  // namespace
}  // namespace kuiper_infer::test
