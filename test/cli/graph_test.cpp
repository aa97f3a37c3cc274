// SPDX-License-Identifier: MIT
// The command that shows a model's graph.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "cli/program.hpp"
#include "kernel/product/product_kernels.hpp"
#include "kuiper_infer/runtime/ir.h"

namespace kuiper_infer::test {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(GraphCommandTest, DrawsMethodsAndTimes) {
  const TemporaryFolder folder;
  const std::string dot = folder / "g.dot";
  const ProgramResult plain = RunOnLineReader("graph", {"--full", "--output", dot});
  ASSERT_EQ(plain.exit_code, 0) << plain.err;
  const std::string text = ReadText(dot);
  // CPUs with narrow vectors keep images row-major.
  const char* const layout = kernel::HasProductKernels(UsedUnits()) ? "channels last" : "planar";
  for (const char* piece : {"digraph model", "\"features.0\" [label=<", "nn.Conv2d", layout, "style=\"rounded,dashed\"",
                            "\"pnnx_input_0\" -> \"features.0\"", "nn.LSTM"}) {
    EXPECT_THAT(text, HasSubstr(piece));
  }
  EXPECT_THAT(text, Not(HasSubstr(" ms, ")));
  ASSERT_EQ(RunOnLineReader("graph", {"--full", "--output", dot, "--runs", "2"}).exit_code, 0);
  EXPECT_THAT(ReadText(dot), HasSubstr(" ms, "));
  ExpectErrorLine(RunOnLineReader("graph", {"--output", folder / "g.png"}), {"g.png", "FILE.svg"});
  ExpectErrorLine(RunOnLineReader("graph", {"--output", "/no/such/folder/g.dot"}), {"/no/such/folder/g.dot"});
}

TEST(GraphCommandTest, DrawingsHaveTitleTotalsAndLegend) {
  const TemporaryFolder folder;
  const auto heading = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"--output", folder / "g.dot"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    EXPECT_EQ(RunOnLineReader("graph", arguments).exit_code, 0);
    const std::string dot = ReadText(folder / "g.dot");
    return dot.substr(0, dot.find("</TABLE>"));
  };
  const std::string plain = heading({});
  for (const char* piece : {">line_reader<", " million multiply-adds, ", " MiB for a run, ", " MiB of weights",
                            ">convolution<", ">linear, attention, recurrent<", "bgcolor=\"white\"", "Helvetica"}) {
    EXPECT_THAT(plain, HasSubstr(piece));
  }
  for (const char* absent : {"% of the time", " ms in all steps", "or a view", ">movement<"}) {
    EXPECT_THAT(plain, Not(HasSubstr(absent)));
  }
  const std::string full = heading({"--full", "--runs", "1"});
  for (const char* piece : {"% of the time", " ms in all steps", "or a view"}) EXPECT_THAT(full, HasSubstr(piece));
}

TEST(GraphCommandTest, PrintsWhatEachPassLeft) {
  const ProgramResult result = RunOnLineReader("graph", {"--passes"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  std::istringstream rows(result.out);
  std::string row;
  std::getline(rows, row);
  EXPECT_THAT(row, HasSubstr("steps"));
  int64_t before = INT64_MAX;
  int passes = 0;
  for (; std::getline(rows, row); ++passes) {
    const int64_t steps = std::stoll(row.substr(std::string("fuse into producers   ").size()));
    EXPECT_GT(steps, 0) << row;
    EXPECT_LE(steps, before) << row;
    before = steps;
  }
  EXPECT_GT(passes, 3);
  EXPECT_THAT(result.out, HasSubstr("infer "));
}

/// A file of operators without weights.
class GraphTextTest : public testing::Test {
 protected:
  void Add(const std::string& line) {
    lines_ += line + "\n";
    ++operators_;
  }

  ProgramResult Show(std::vector<std::string> more = {}) const {
    std::ofstream(folder_ / "m.param") << "7767517\n" << operators_ << " " << operators_ - 1 << "\n" << lines_;
    EXPECT_EQ(pnnx::Graph().save(folder_ / "empty.param", folder_ / "m.bin"), 0);
    more.insert(more.begin(), {"graph", "--param", folder_ / "m.param", "--bin", folder_ / "m.bin"});
    ProgramResult result = RunKuiper(more);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result;
  }

  static std::ptrdiff_t LinesOf(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

  const TemporaryFolder folder_;

 private:
  std::string lines_;
  int operators_ = 0;
};

/// Forty residual blocks of five operators: attention of an array to itself.
class ResidualBlocksTest : public GraphTextTest {
 protected:
  ResidualBlocksTest() {
    const std::string shape = "(8,16)f32";
    Add("pnnx.Input in 0 1 0 #0=" + shape);
    int next = 0;
    for (int block = 0; block < 40; ++block) {
      const std::string name = "b" + std::to_string(block);
      const std::string x = std::to_string(next);
      const auto operand = [&](int k) { return std::to_string(next + k); };
      Add("torch.permute " + name + ".t 1 1 " + x + " " + operand(1) + " dims=(1,0) #" + operand(1) + "=(16,8)f32");
      Add("torch.matmul " + name + ".qk 2 1 " + x + " " + operand(1) + " " + operand(2) + " #" + operand(2) +
          "=(8,8)f32");
      Add("F.softmax " + name + ".soft 1 1 " + operand(2) + " " + operand(3) + " dim=-1 #" + operand(3) + "=(8,8)f32");
      Add("torch.matmul " + name + ".v 2 1 " + operand(3) + " " + x + " " + operand(4) + " #" + operand(4) + "=" +
          shape);
      Add("pnnx.Expression " + name + ".add 2 1 " + operand(4) + " " + x + " " + operand(5) + " expr=add(@0,@1) #" +
          operand(5) + "=" + shape);
      next += 5;
    }
    Add("pnnx.Output out 1 0 " + std::to_string(next) + " #" + std::to_string(next) + "=" + shape);
  }
};

TEST_F(ResidualBlocksTest, FitAScreen) {
  const std::string text = Show().out;
  EXPECT_LE(LinesOf(text), 10) << text;
  // The last block differs from the other ones, because nothing transposes its result.
  EXPECT_THAT(text, HasSubstr("39 x  torch.matmul"));
  EXPECT_THAT(text, HasSubstr("(8,16)"));
  EXPECT_THAT(text, HasSubstr("add(@0,@1)"));
  EXPECT_THAT(text, HasSubstr("b0.soft"));
  EXPECT_THAT(text, Not(HasSubstr("b1.soft")));
  EXPECT_THAT(Show({"--runs", "1"}).out, HasSubstr(" ms, "));
}

TEST_F(ResidualBlocksTest, FullShowsEveryOperator) {
  const std::string text = Show({"--full"}).out;
  EXPECT_EQ(LinesOf(text), 202);
  EXPECT_THAT(text, HasSubstr("b39.soft"));
  EXPECT_THAT(text, Not(HasSubstr(" x ")));
}

TEST_F(GraphTextTest, HostileNamesStayTextInDrawings) {
  Add("pnnx.Input in 0 1 0 #0=(1,4)f32");
  Add("F.softmax </TD><B>&\"\xff\" 1 1 0 1 dim=-1 #1=(1,4)f32");
  Add("pnnx.Output out 1 0 1 #1=(1,4)f32");
  Show({"--output", folder_ / "g.dot"});
  const std::string dot = ReadText(folder_ / "g.dot");
  EXPECT_THAT(dot, HasSubstr(">&lt;/TD&gt;&lt;B&gt;&amp;&quot;?&quot;<"));
  EXPECT_THAT(dot, HasSubstr("\"in\" -> \"</TD><B>&\\\"\xff\\\"\""));
}

TEST_F(ResidualBlocksTest, PictureFramesTheRepeats) {
  Show({"--output", folder_ / "g.dot"});
  const std::string dot = ReadText(folder_ / "g.dot");
  EXPECT_THAT(dot, HasSubstr("label=\"39 x\""));
  EXPECT_THAT(dot, HasSubstr("\"b0.qk\" -> \"b0.soft\""));
  EXPECT_THAT(dot, HasSubstr(" -> \"out\""));
  EXPECT_THAT(dot, Not(HasSubstr("b1.")));
}

TEST_F(GraphTextTest, BlocksOfOtherExtentsFoldWhereThereIsNoRoom) {
  Add("pnnx.Input in 0 1 0 #0=(1,2,100)f32");
  for (int block = 0; block < 30; ++block) {
    const std::string name = std::to_string(block);
    const std::string operands[] = {std::to_string(2 * block), std::to_string(2 * block + 1),
                                    std::to_string(2 * block + 2)};
    const std::string shape = "=(1,2," + std::to_string(99 - block) + ")f32";
    Add("F.max_pool1d pool" + name + " 1 1 " + operands[0] + " " + operands[1] +
        " ceil_mode=False dilation=(1) kernel_size=(2) padding=(0) return_indices=False stride=(1) #" + operands[1] +
        shape);
    Add("F.softmax soft" + name + " 1 1 " + operands[1] + " " + operands[2] + " dim=-1 #" + operands[2] + shape);
  }
  Add("pnnx.Output out 1 0 60");
  const std::string text = Show().out;
  EXPECT_EQ(LinesOf(text), 4) << text;
  EXPECT_THAT(text, HasSubstr("30 x  F.max_pool1d"));
  EXPECT_THAT(text, HasSubstr("(1,2,70..99)"));
}

TEST(GraphCommandTest, NeedsNoWeights) {
  const std::string base = std::string(KUIPER_SOURCE_DIR) + "/tmp/line_reader.pnnx.";
  const std::vector<std::string> call = {"graph", base + "param", "--shape", "1,1,32,100"};
  const ProgramResult without = RunKuiper(call);
  ASSERT_EQ(without.exit_code, 0) << without.err;
  EXPECT_THAT(without.out, HasSubstr("nn.LSTM"));
  EXPECT_EQ(RunKuiper({call[0], call[1], base + "bin", call[2], call[3]}).out, without.out);
  EXPECT_EQ(RunKuiper({"graph"}).exit_code, 2);
}

TEST_F(GraphTextTest, ShapesAreThoseOfTheRun) {
  Add("pnnx.Input in 0 1 0 #0=(?,3)f32");
  Add("F.softmax soft 1 1 0 1 dim=-1 #1=(?,3)f32");
  Add("pnnx.Output out 1 0 1 #1=(?,3)f32");
  EXPECT_THAT(Show({"--shape", "in=7,3"}).out, HasSubstr("F.softmax  (7,3)"));
}

/// Replaces Graphviz, which may not be installed: PATH is one folder, which holds a script `dot` or nothing.
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
