// SPDX-License-Identifier: MIT
// session_bench [MODEL ...]: what it costs to run many graphs at once. A round runs the models (paths without
// .pnnx.param; by default those in tmp/) in 2, 4 and 8 sessions at once, each in a thread of its own that runs one of
// the models over and over, and before each of these in one session at a time, in turns. It prints
//
// * the work done per second, of which one session at a time does 1: each run counts as much as a run of its model took
//   there, so that fast and slow models weigh the same; the median of the rounds, and the least and the most of them;
// * for each session, how long its runs take;
// * how many processors other programs kept busy meanwhile: with many of them the figures say little.
#include <cmath>
#include <cstdio>
#include <functional>
#include <optional>
#include <thread>

#include <CLI/CLI.hpp>

#include "bench_util.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "model_inputs.hpp"
#include "utils/system/machine_load.hpp"
#include "utils/threads/thread_count.hpp"

namespace kuiper_infer::bench {
namespace {

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

struct Options {
  std::vector<std::string> models;
  std::vector<int> sessions{2, 4, 8};
  int threads = UsableCores();
  int rounds = 5;
  double seconds = 1;
};

struct Network {
  Network(const std::string& path, int threads)
      : name(path.substr(path.find_last_of('/') + 1)), graph(path + ".pnnx.param", path + ".pnnx.bin") {
    graph.set_num_threads(threads);
    graph.Build();
    inputs = RandomInputs(graph);
  }

  std::string name;
  RuntimeGraph graph;
  std::map<std::string, NdArray> inputs;
};

/// A session, and the times of its runs in seconds.
class Caller {
 public:
  explicit Caller(const Network& network) : network_(&network), session_(network.graph.NewSession()) {
    for (const auto& [name, array] : network.inputs) session_.set_input(name, array);
    session_.Run();
  }

  /// Runs once; gives the run's seconds.
  double Run() {
    const Clock::time_point start = Clock::now();
    session_.Run();
    times_.push_back(SecondsSince(start));
    return times_.back();
  }

  const std::string& name() const { return network_->name; }
  const std::vector<double>& times() const { return times_; }

 private:
  const Network* network_;
  Session session_;
  std::vector<double> times_;
};

/// Callers that belong together, each with the next network.
std::vector<Caller> MakeCallers(const std::vector<std::unique_ptr<Network>>& networks, std::size_t count) {
  std::vector<Caller> callers;
  for (std::size_t i = 0; i < count; ++i) callers.emplace_back(*networks[i % networks.size()]);
  return callers;
}

/// The results of one way of running in all rounds.
struct Result {
  std::vector<Caller> callers;
  std::vector<double> throughputs;  ///< of each round
  double seconds = 0;
  double others = 0;  ///< processor seconds

  /// Measures one round: `run` gives its throughput.
  void Measure(const std::function<double()>& run) {
    const Clock::time_point start = Clock::now();
    const LoadWatch watch;
    throughputs.push_back(run());
    const double taken = SecondsSince(start);
    seconds += taken;
    if (const std::optional<MachineLoad> load = watch.Load()) others += (load->others + load->stolen) * taken;
  }
};

/// Runs the callers in turns; gives the mean seconds of a run of each.
std::vector<double> RunInTurns(std::vector<Caller>& callers, double seconds) {
  std::vector<double> means(callers.size());
  int turns = 0;
  for (const Clock::time_point start = Clock::now(); turns == 0 || SecondsSince(start) < seconds; ++turns) {
    for (std::size_t i = 0; i < callers.size(); ++i) means[i] += callers[i].Run();
  }
  for (double& mean : means) mean /= turns;
  return means;
}

/// Runs the callers at once. Returns the seconds of work that they do per second; a run of caller i counts as
/// `costs[i % costs.size()]` seconds of work.
double RunAtOnce(std::vector<Caller>& callers, const std::vector<double>& costs, double seconds) {
  std::vector<double> rates(callers.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < callers.size(); ++i) {
    threads.emplace_back([&, i] {
      const Clock::time_point start = Clock::now();
      double work = 0;
      double now = 0;
      for (; now < seconds; now = SecondsSince(start)) {
        callers[i].Run();
        work += costs[i % costs.size()];
      }
      rates[i] = work / now;
    });
  }
  for (std::thread& thread : threads) thread.join();
  double sum = 0;
  for (const double rate : rates) sum += rate;
  return sum;
}

/// The value below or at which this share of the sorted values lies.
double Quantile(const std::vector<double>& sorted, double share) {
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size())));
  return sorted[rank == 0 ? 0 : rank - 1];
}

void Print(Result& result) {
  std::size_t runs = 0;
  for (const Caller& caller : result.callers) runs += caller.times().size();
  std::vector<double>& throughputs = result.throughputs;
  std::sort(throughputs.begin(), throughputs.end());
  std::printf("throughput %.2f (%.2f to %.2f), %.1f runs/s; others keep %.1f processors busy\n",
              Quantile(throughputs, 0.5), throughputs.front(), throughputs.back(),
              static_cast<double>(runs) / result.seconds, result.others / result.seconds);
  std::printf("  %-24s %7s %10s %10s %10s %10s\n", "milliseconds", "runs", "median", "p99", "largest", "p99/median");
  for (const Caller& caller : result.callers) {
    std::vector<double> times = caller.times();
    std::sort(times.begin(), times.end());
    const double median = Quantile(times, 0.5);
    const double p99 = Quantile(times, 0.99);
    std::printf("  %-24s %7zu %10.2f %10.2f %10.2f %10.2f\n", caller.name().c_str(), times.size(), 1e3 * median,
                1e3 * p99, 1e3 * times.back(), p99 / median);
  }
}

void Run(const Options& options) {
  std::vector<std::unique_ptr<Network>> networks;
  for (const std::string& path : options.models) networks.push_back(std::make_unique<Network>(path, options.threads));
  Result in_turns{MakeCallers(networks, networks.size()), {}};
  std::vector<Result> at_once;
  for (const int count : options.sessions) at_once.push_back({MakeCallers(networks, count), {}});

  for (int round = 0; round < options.rounds; ++round) {
    for (Result& result : at_once) {
      std::vector<double> costs;
      in_turns.Measure([&] {
        costs = RunInTurns(in_turns.callers, options.seconds);
        return 1.0;
      });
      result.Measure([&] { return RunAtOnce(result.callers, costs, options.seconds); });
    }
  }

  std::printf("threads %d of %d cores, isa %s, %d rounds of %.1f s\n", options.threads, UsableCores(), IsaName(),
              options.rounds, options.seconds);
  std::printf("\none session at a time: ");
  Print(in_turns);
  for (Result& result : at_once) {
    std::printf("\n%zu sessions at once: ", result.callers.size());
    Print(result);
  }
}

}  // namespace
}  // namespace kuiper_infer::bench

int main(int argc, char** argv) {
  kuiper_infer::bench::Options options;
  CLI::App app("Measures runs of many graphs at once, beside the same runs one after the other.");
  app.add_option("models", options.models, "paths without .pnnx.param and .pnnx.bin; by default the models in tmp/");
  app.add_option("--sessions", options.sessions, "how many at once, separated by commas")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--threads", options.threads, "of a run")->check(CLI::Range(1, 1000))->capture_default_str();
  app.add_option("--rounds", options.rounds, "how often everything is measured")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--seconds", options.seconds, "for each number of sessions in each round")
      ->check(CLI::Range(0.01, 1000.0))
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  if (options.models.empty()) {
    for (const char* name : {"line_reader", "shape_detector", "shape_segmenter"}) {
      options.models.push_back(std::string(KUIPER_SOURCE_DIR "/tmp/") + name);
    }
  }
  try {
    kuiper_infer::bench::Run(options);
  } catch (const kuiper_infer::Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
  return 0;
}
