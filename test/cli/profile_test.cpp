// SPDX-License-Identifier: MIT
// The commands that time a model's operators and draw them.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include "cli/program.hpp"
#include "kernel/weight_product.hpp"

namespace kuiper_infer::test {
namespace {

using testing::HasSubstr;
using testing::Not;

/// A command on the line reader with a line 100 pixels wide.
ProgramResult RunOnLineReader(const std::string& command, const std::vector<std::string>& more) {
  const std::string base = std::string(KUIPER_SOURCE_DIR) + "/tmp/line_reader.pnnx.";
  std::vector<std::string> arguments{command,      "--param", base + "param",           "--bin",
                                     base + "bin", "--shape", "pnnx_input_0=1,1,32,100"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return RunKuiper(arguments);
}

TEST(ProfileCommandTest, ListsOperatorsAndTypesByTime) {
  const ProgramResult result = RunOnLineReader("profile", {"--runs", "2", "--top", "3"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  std::vector<std::string> lines;
  std::istringstream text(result.out);
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  // Header, three operators, an empty line, header, types, sum.
  ASSERT_GT(lines.size(), 7U);
  EXPECT_THAT(lines[0], HasSubstr("operator"));
  EXPECT_EQ(lines[4], "");
  EXPECT_THAT(lines[5], HasSubstr("type"));
  EXPECT_THAT(lines.back(), HasSubstr("ms in all"));
  EXPECT_GE(std::stod(lines[1]), std::stod(lines[2]));
  EXPECT_GE(std::stod(lines[2]), std::stod(lines[3]));
  double sum = 0;
  for (std::size_t i = 6; i + 1 < lines.size(); ++i) sum += std::stod(lines[i]);
  EXPECT_NEAR(sum, std::stod(lines.back()), 0.0005 * static_cast<double>(lines.size()));
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

TEST(GraphCommandTest, DrawsMethodsAndTimes) {
  const TemporaryFolder folder;
  const std::string dot = folder / "g.dot";
  const ProgramResult plain = RunOnLineReader("graph", {"--output", dot});
  ASSERT_EQ(plain.exit_code, 0) << plain.err;
  const std::string text = ReadText(dot);
  // Narrow vectors gain nothing by the other order.
  const char* const layout = kernel::HasWeightProduct() ? "channels last" : "planar";
  for (const char* piece : {"digraph model", "\"features.0\" [label=\"nn.Conv2d", layout, "style=\"rounded,dashed\"",
                            "\"pnnx_input_0\" -> \"features.0\"", "nn.LSTM"}) {
    EXPECT_THAT(text, HasSubstr(piece));
  }
  EXPECT_THAT(text, Not(HasSubstr(" ms, ")));
  ASSERT_EQ(RunOnLineReader("graph", {"--output", dot, "--runs", "2"}).exit_code, 0);
  EXPECT_THAT(ReadText(dot), HasSubstr(" ms, "));
  ExpectErrorLine(RunOnLineReader("graph", {"--output", folder / "g.png"}), {"g.png", "FILE.svg"});
  ExpectErrorLine(RunOnLineReader("graph", {"--output", "/no/such/folder/g.dot"}), {"/no/such/folder/g.dot"});
}

/// Stands in for Graphviz, which a machine may lack: PATH names one folder with a `dot` of the test's, or none.
class SvgTest : public testing::Test {
 protected:
  SvgTest() { setenv("PATH", folder_.path().c_str(), 1); }
  ~SvgTest() override { setenv("PATH", path_.c_str(), 1); }

  void InstallDot(const std::string& script) {
    std::ofstream(folder_ / "dot") << "#!/bin/sh\n" << script << "\n";
    chmod((folder_ / "dot").c_str(), 0700);
  }

  ProgramResult Draw() { return RunOnLineReader("graph", {"--output", folder_ / "g.svg"}); }

  const TemporaryFolder folder_;
  const std::string path_ = std::getenv("PATH") == nullptr ? "" : std::getenv("PATH");
};

TEST_F(SvgTest, IsDrawnByGraphviz) {
  InstallDot("/bin/cp \"$4\" \"$3\"");  // dot -Tsvg -o FILE.svg FILE.dot
  const ProgramResult result = Draw();
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(ReadText(folder_ / "g.svg"), HasSubstr("digraph model"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "g.svg.dot"));
}

TEST_F(SvgTest, WithoutGraphvizIsAnError) { ExpectErrorLine(Draw(), {"`dot`", "graphviz"}); }

TEST_F(SvgTest, AFailureOfGraphvizIsAnError) {
  InstallDot("exit 3");
  ExpectErrorLine(Draw(), {"g.svg", "`dot`"});
}

}  // namespace
}  // namespace kuiper_infer::test
