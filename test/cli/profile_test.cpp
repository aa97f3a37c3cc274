// SPDX-License-Identifier: MIT
// The command that times a model's operators.
#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/program.hpp"
#include "kernel/product/product_kernels.hpp"

namespace kuiper_infer::test {
namespace {

using testing::HasSubstr;

TEST(ProfileCommandTest, ListsOperatorsAndTypesByTime) {
  const ProgramResult result = RunOnLineReader("profile", {"--runs", "2", "--top", "3"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  std::vector<std::string> lines;
  std::istringstream text(result.out);
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  // The lines are: header, three operators, an empty line, header, types, sum, end to end.
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

/// The events of a trace in order, by track, without the metadata.
using Tracks = std::map<int, std::vector<nlohmann::json>>;

Tracks TracksOf(const nlohmann::json& trace) {
  Tracks tracks;
  for (const auto& event : trace.at("traceEvents")) {
    if (event.at("ph") == "X") tracks[event.at("tid").get<int>()].push_back(event);
  }
  for (auto& [track, events] : tracks) {
    std::sort(events.begin(), events.end(), [](const auto& a, const auto& b) { return a.at("ts") < b.at("ts"); });
  }
  return tracks;
}

double StartOf(const nlohmann::json& event) { return event.at("ts").get<double>(); }
double EndOf(const nlohmann::json& event) { return StartOf(event) + event.at("dur").get<double>(); }

constexpr double kRounding = 1e-3;  // microseconds
constexpr int kSteps = 0;
constexpr int kCaller = 1;

/// Expects named tracks of the steps and of threads without overlapping events. The calling thread's events must cover
/// the steps; a helper's event must lie within the step of its name.
void ExpectTracks(const nlohmann::json& trace) {
  const Tracks tracks = TracksOf(trace);
  ASSERT_EQ(tracks.count(kSteps), 1U);
  ASSERT_EQ(tracks.count(kCaller), 1U);
  std::set<int> named;
  for (const auto& event : trace.at("traceEvents")) {
    if (event.at("name") == "thread_name") named.insert(event.at("tid").get<int>());
  }
  const std::set<std::string> categories = {"step", "alone", "shared", "waiting"};
  for (const auto& [track, events] : tracks) {
    SCOPED_TRACE("track " + std::to_string(track));
    EXPECT_EQ(named.count(track), 1U);
    for (std::size_t i = 0; i < events.size(); ++i) {
      EXPECT_EQ(categories.count(events[i].at("cat").get<std::string>()), 1U) << events[i];
      EXPECT_GE(events[i].at("dur").get<double>(), 0);
      const double before = i > 0 ? EndOf(events[i - 1]) : 0;
      EXPECT_GE(StartOf(events[i]), before - kRounding) << events[i];
    }
  }
  double steps = 0;
  for (const auto& event : tracks.at(kSteps)) steps += event.at("dur").get<double>();
  double caller = 0;
  for (const auto& event : tracks.at(kCaller)) caller += event.at("dur").get<double>();
  EXPECT_NEAR(caller, steps, kRounding * static_cast<double>(tracks.at(kCaller).size() + 1));
  for (const auto& [track, events] : tracks) {
    if (track <= kCaller) continue;
    for (const auto& event : events) {
      const auto within = [&](const nlohmann::json& step) {
        return step.at("name") == event.at("name") && StartOf(step) <= StartOf(event) + kRounding &&
               EndOf(event) <= EndOf(step) + kRounding;
      };
      EXPECT_TRUE(std::any_of(tracks.at(kSteps).begin(), tracks.at(kSteps).end(), within)) << event;
    }
  }
}

/// Returns the trace of the fastest of three runs.
nlohmann::json ProfileLineReader(const std::vector<std::string>& switches, const std::string& threads = "2") {
  const TemporaryFolder folder;
  std::vector<std::string> more{"--runs", "3", "--threads", threads, "--trace", folder / "trace.json"};
  more.insert(more.end(), switches.begin(), switches.end());
  const ProgramResult result = RunOnLineReader("profile", more);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return nlohmann::json::parse(ReadText(folder / "trace.json"));
}

TEST(ProfileCommandTest, WritesATrackForEachThread) {
  const nlohmann::json trace = ProfileLineReader({});
  ExpectTracks(trace);
  const Tracks tracks = TracksOf(trace);
  for (const auto& step : tracks.at(kSteps)) EXPECT_TRUE(step.at("args").at("output").is_string());
  const nlohmann::json trace_alone = ProfileLineReader({}, "1");
  ExpectTracks(trace_alone);
  const Tracks alone = TracksOf(trace_alone);
  EXPECT_EQ(alone.size(), 2U);
  for (const auto& event : alone.at(kCaller)) EXPECT_EQ(event.at("cat"), "alone");
  ExpectErrorLine(RunOnLineReader("profile", {"--runs", "1", "--trace", "/no/such/trace.json"}),
                  {"/no/such/trace.json"});
}

TEST(ProfileCommandTest, ShowsWhatSwitchesDo) {
  if (!kernel::HasProductKernels(UsedUnits()))
    GTEST_SKIP() << "no methods to choose from on this CPU, or with this KUIPER_ISA";
  const auto steps = [](const std::vector<std::string>& switches) {
    return TracksOf(ProfileLineReader(switches)).at(kSteps);
  };
  const auto plain = steps({"--convolution", "auto"});
  EXPECT_GT(steps({"--no-fusion", "--no-placement"}).size(), plain.size());
  const auto uses = [](const std::vector<nlohmann::json>& events, const std::string& method) {
    return std::any_of(events.begin(), events.end(), [&](const nlohmann::json& event) {
      return event.at("args").at("method").get<std::string>().find(method) == 0;
    });
  };
  EXPECT_FALSE(uses(plain, "winograd6"));
  EXPECT_TRUE(uses(steps({"--convolution", "winograd6"}), "winograd6"));
}

}  // namespace
}  // namespace kuiper_infer::test
