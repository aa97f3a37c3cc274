// SPDX-License-Identifier: MIT
// Plans and results depend neither on the load of the machine nor on the process.
#include <thread>

#include <gtest/gtest.h>

#include "cli/program.hpp"

namespace kuiper_infer::test {
namespace {

constexpr std::size_t kProcesses = 10;

struct Model {
  const char* name;
  const char* image;
  const char* color;
};

/// The plan and the results of a process: the graph with the method of each operator, and the bytes of the outputs.
struct Outcome {
  std::string graph;
  std::string output;
};

class RepeatabilityTest : public testing::TestWithParam<std::tuple<Model, const char*>> {
 protected:
  Outcome Compute(std::size_t process) const {
    const auto& [model, precision] = GetParam();
    const std::string base = std::string(KUIPER_SOURCE_DIR "/tmp/") + model.name + ".pnnx.";
    const std::string folder = folder_ / std::to_string(process);
    const std::vector<std::string> more{
        "--param",    base + "param", "--bin",
        base + "bin", "--image",      std::string(KUIPER_SOURCE_DIR "/tmp/") + model.image,
        "--color",    model.color,    "--precision",
        precision,    "--threads",    "2"};
    std::vector<std::string> graph{"graph", "--full"};
    graph.insert(graph.end(), more.begin(), more.end());
    std::vector<std::string> run{"run", "--output-dir", folder};
    run.insert(run.end(), more.begin(), more.end());
    const ProgramResult drawn = RunKuiper(graph);
    const ProgramResult computed = RunKuiper(run);
    EXPECT_EQ(drawn.exit_code, 0) << drawn.err;
    EXPECT_EQ(computed.exit_code, 0) << computed.err;
    return {drawn.out, ReadText(folder + "/out0.npy")};
  }

 private:
  const TemporaryFolder folder_;
};

TEST_P(RepeatabilityTest, TenProcessesAtOncePlanAndComputeAlike) {
  std::vector<Outcome> outcomes(kProcesses);
  std::vector<std::thread> callers;
  for (std::size_t i = 0; i < kProcesses; ++i) callers.emplace_back([&, i] { outcomes[i] = Compute(i); });
  for (std::thread& caller : callers) caller.join();
  EXPECT_NE(outcomes[0].graph, "");
  EXPECT_NE(outcomes[0].output, "");
  for (std::size_t i = 1; i < kProcesses; ++i) {
    EXPECT_EQ(outcomes[i].graph, outcomes[0].graph) << "process " << i;
    EXPECT_TRUE(outcomes[i].output == outcomes[0].output) << "process " << i << " computes other bits";
  }
}

INSTANTIATE_TEST_SUITE_P(Precisions, RepeatabilityTest,
                         testing::Combine(testing::Values(Model{"line_reader", "line_hello.png", "gray"},
                                                          Model{"shape_detector", "shapes.png", "rgb"}),
                                          testing::Values("highest", "high", "medium")),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param).name) + "_" + std::get<1>(info.param);
                         });

}  // namespace
}  // namespace kuiper_infer::test
