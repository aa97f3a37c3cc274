// SPDX-License-Identifier: MIT
// The command that writes a page about a model.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/program.hpp"
#include "kuiper_infer/runtime/ir.h"
#include "kuiper_infer/version.h"

namespace kuiper_infer::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kDataBegin = "<script type=\"application/json\" id=\"data\">";

/// Returns the data of a page.
json DataOf(const std::string& page) {
  const std::size_t begin = page.find(kDataBegin);
  EXPECT_NE(begin, std::string::npos);
  const std::size_t from = begin + std::string(kDataBegin).size();
  return json::parse(page.substr(from, page.find("</script>", from) - from));
}

std::ptrdiff_t CountOf(const std::string& text, const std::string& piece) {
  std::ptrdiff_t count = 0;
  for (std::size_t at = 0; (at = text.find(piece, at)) != std::string::npos; at += piece.size()) ++count;
  return count;
}

class ReportTest : public testing::Test {
 protected:
  std::string Page(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "report");
    arguments.insert(arguments.end(), {"--runs", "2", "--output", folder_ / "r.html"});
    const ProgramResult result = RunKuiper(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return ReadText(folder_ / "r.html");
  }

  /// Returns the report's data for the line reader, or for a model made of it.
  json LineReader(const std::string& base = std::string(KUIPER_SOURCE_DIR) + "/tmp/line_reader") const {
    return DataOf(Page({base + ".pnnx.param", base + ".pnnx.bin", "--shape", "1,1,32,100"}));
  }

  const TemporaryFolder folder_;
};

TEST_F(ReportTest, TimesOfStepsSumUp) {
  const json data = LineReader();
  double sum = 0;
  std::set<std::string> names;
  for (const json& step : data.at("steps")) {
    EXPECT_GE(step.at("seconds").get<double>(), 0);
    sum += step.at("seconds").get<double>();
    names.insert(step.at("name").get<std::string>());
    EXPECT_TRUE(step.at("shape").is_array());
  }
  EXPECT_NEAR(sum, data.at("run").at("steps_seconds").get<double>(), 1e-9);
  EXPECT_GT(data.at("run").at("seconds").get<double>(), 0);
  EXPECT_EQ(data.at("run").at("runs"), 2);
  EXPECT_TRUE(data.at("run").at("others").is_number()) << "processors that others kept busy";
  EXPECT_TRUE(names.count("features.0") == 1 && names.count("sequence") == 1);
}

TEST_F(ReportTest, MemoryIsWithinThePlan) {
  const json data = LineReader();
  int64_t most = 0;
  for (const json& step : data.at("steps")) most = std::max(most, step.at("live_bytes").get<int64_t>());
  EXPECT_LE(most, data.at("run").at("planned_bytes").get<int64_t>());
  EXPECT_GE(most, data.at("run").at("largest_live_bytes").get<int64_t>());
  EXPECT_GT(data.at("model").at("weight_bytes").get<int64_t>(), 2000000);
}

TEST_F(ReportTest, GraphShowsEachStepOnce) {
  const json data = LineReader();
  const json& graph = data.at("graph");
  std::multiset<std::size_t> steps;
  std::set<std::string> operators;
  std::set<std::string> kinds;
  for (const json& kind : data.at("kinds")) kinds.insert(kind.at("id").get<std::string>());
  for (const json& node : graph.at("nodes")) {
    for (const json& step : node.at("steps")) steps.insert(step.get<std::size_t>());
    for (const json& op : node.at("operators")) operators.insert(op.at("name").get<std::string>());
    EXPECT_EQ(kinds.count(node.at("kind").get<std::string>()), 1U);
    EXPECT_GE(node.at("x").get<double>() - node.at("width").get<double>() / 2, -0.1);
    EXPECT_LE(node.at("x").get<double>() + node.at("width").get<double>() / 2, graph.at("width").get<double>() + 0.1);
  }
  EXPECT_EQ(steps.size(), data.at("steps").size());
  EXPECT_EQ(std::set<std::size_t>(steps.begin(), steps.end()).size(), steps.size());
  EXPECT_EQ(operators.size(), 20U) << "as the file has";
  for (const json& edge : graph.at("edges")) {
    EXPECT_LT(edge.at("from"), edge.at("to"));
    EXPECT_LT(edge.at("to"), graph.at("nodes").size());
    EXPECT_LT(edge.at("points").front().at(1), edge.at("points").back().at(1)) << "edges lead downwards";
  }
}

TEST_F(ReportTest, SaysWhatRanWhere) {
  const json data = LineReader();
  EXPECT_EQ(data.at("machine").at("version"), KUIPER_VERSION);
  EXPECT_GE(data.at("machine").at("threads"), 1);
  EXPECT_EQ(data.at("machine").at("options").at("inputs"), "random numbers");
  const json& model = data.at("model");
  EXPECT_EQ(model.at("param").at("name"), "line_reader.pnnx.param");
  EXPECT_EQ(model.at("bin").at("bytes"), 2581706);
  EXPECT_EQ(model.at("inputs").at(0).at("shape"), json({1, 1, 32, 100}));
  EXPECT_EQ(model.at("outputs").at(0).at("shape"), json({1, 25, 96}));
  EXPECT_EQ(model.at("operators").at("nn.Conv2d"), 5);
  EXPECT_TRUE(data.at("layers").is_null()) << "no weight is in integers";
}

TEST_F(ReportTest, PageNeedsNothingElse) {
  const std::string page =
      Page({std::string(KUIPER_SOURCE_DIR) + "/tmp/line_reader.pnnx.param", "--shape", "1,1,32,100"});
  EXPECT_EQ(page.rfind("<!DOCTYPE html>", 0), 0U);
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  EXPECT_THAT(page, HasSubstr("prefers-color-scheme: dark"));
  EXPECT_EQ(CountOf(page, "http://") + CountOf(page, "https://"), CountOf(page, "http://www.w3.org/2000/svg"));
  for (const char* loading :
       {" src=", "@import", "url(", "<link", "fetch(", "import(", "REPORT_DATA", "@style@", "@script@"}) {
    EXPECT_THAT(page, Not(HasSubstr(loading)));
  }
  EXPECT_TRUE(DataOf(page).at("model").at("bin").is_null()) << "weights were zero";
}

TEST_F(ReportTest, HostileNamesStayText) {
  const std::string hostile = "</script><script>alert(1)</script><!--";
  std::ofstream(folder_ / "m.param") << "7767517\n3 2\npnnx.Input in 0 1 0 #0=(1,4)f32\nF.softmax " << hostile
                                     << " 1 1 0 1 dim=-1 #1=(1,4)f32\npnnx.Output \xff\xfe 1 0 1 #1=(1,4)f32\n";
  const std::string page = Page({folder_ / "m.param"});
  EXPECT_EQ(CountOf(page, "<script"), 2);
  EXPECT_EQ(CountOf(page, "</script"), 2);
  EXPECT_THAT(page, Not(HasSubstr("alert(1)</")));
  const json data = DataOf(page);
  EXPECT_EQ(data.at("steps").at(0).at("name"), hostile);
  EXPECT_EQ(data.at("graph").at("nodes").at(1).at("operators").at(0).at("name"), hostile);
}

class QuantisedReportTest : public ReportTest {
 protected:
  QuantisedReportTest() {
    const std::string base = std::string(KUIPER_SOURCE_DIR) + "/tmp/line_reader.pnnx.";
    const ProgramResult result = RunKuiper({"quantize", "--param", base + "param", "--bin", base + "bin",
                                            "--weights-only", "int4", "--group", "32", "--output", folder_ / "q"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
  }

  const json& Layer(const json& data, const std::string& name) const {
    const json& layers = data.at("layers");
    return *std::find_if(layers.begin(), layers.end(), [&](const json& layer) { return layer.at("name") == name; });
  }
};

TEST_F(QuantisedReportTest, ShowsLayersInIntegers) {
  const json data = LineReader(folder_ / "q");
  const json& linear = Layer(data, "classes");
  EXPECT_EQ(linear.at("form"), "int4");
  EXPECT_EQ(linear.at("group"), 32);
  EXPECT_EQ(linear.at("bytes"), 96 * 256 / 2 + 96 * 256 / 32 * 4);
  EXPECT_GT(linear.at("decibels"), 10) << "from the table of kuiper quantize";
  EXPECT_EQ(Layer(data, "features.0").at("form"), "float");
}

TEST_F(QuantisedReportTest, NeedsNoTable) {
  std::filesystem::remove(folder_ / "q.quantize.csv");
  EXPECT_EQ(Layer(LineReader(folder_ / "q"), "classes").count("decibels"), 0U);
}

TEST_F(QuantisedReportTest, ABrokenTableIsAnError) {
  std::ofstream(folder_ / "q.quantize.csv", std::ios::app) << "classes,nn.Linear\n";
  ExpectErrorLine(RunKuiper({"report", folder_ / "q.pnnx.param", folder_ / "q.pnnx.bin", "--shape", "1,1,32,100",
                             "--runs", "1", "--output", folder_ / "r.html"}),
                  {"q.quantize.csv", "2 fields, expected 9"});
}

TEST_F(ReportTest, WrongCallsAreErrors) {
  const std::string base = std::string(KUIPER_SOURCE_DIR) + "/tmp/line_reader.pnnx.";
  const auto report = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"report", base + "param", base + "bin", "--runs", "1"});
    return RunKuiper(more);
  };
  EXPECT_EQ(report({"--shape", "1,1,32,100"}).exit_code, 2) << "no --output";
  EXPECT_EQ(report({"--output", "", "--shape", "1,1,32,100"}).exit_code, 2);
  ExpectErrorLine(report({"--output", folder_ / "r.txt", "--shape", "1,1,32,100"}), {"r.txt", "FILE.html"});
  ExpectErrorLine(report({"--output", "/no/such/folder/r.html", "--shape", "1,1,32,100"}),
                  {"/no/such/folder/r.html", "No such file"});
  ExpectErrorLine(report({"--output", folder_ / "r.html"}), {"pnnx_input_0", "--shape"});
  ExpectErrorLine(report({"--output", folder_ / "r.html", "--input", folder_ / "absent.npy"}), {"absent.npy"});
  std::filesystem::create_symlink("/dev/full", folder_ / "full.html");
  ExpectErrorLine(report({"--output", folder_ / "full.html", "--shape", "1,1,32,100"}), {"full.html", "No space left"});
  EXPECT_FALSE(std::filesystem::exists(folder_ / "r.html"));
}

}  // namespace
}  // namespace kuiper_infer::test
