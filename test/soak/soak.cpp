// SPDX-License-Identifier: MIT
// soak [MODEL ...]: simulates a service that runs for a long time. Callers run the models (default: tmp/line_reader,
// three times) at the same time and in turns. If a model has free extents, each run has new shapes. From time to time a
// model is loaded anew while other callers still run the old one. Competing processes can load the CPUs.
//
// It prints the largest memory of the process in each twentieth of the time, and the times of each model's runs. It
// fails if memory grows after the first fifth by more than a tenth and 16 MiB, which leaves room for sessions that meet
// their largest shapes late, during a reload. With --max-stall it fails if a run takes more than that multiple of the
// median.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <signal.h>
#include <string>
#include <unistd.h>
#include <vector>

#include <CLI/CLI.hpp>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "kuiper_infer/model.hpp"
#include "kuiper_infer/utils/error.hpp"

namespace {

using kuiper_infer::Model;
using kuiper_infer::NdArray;
using Clock = std::chrono::steady_clock;

struct Options {
  std::vector<std::string> models;
  int64_t runs = 0;
  double seconds = 0;
  int callers = 4;
  int threads = 0;
  int reload = 100;
  int competitors = 0;
  double max_stall = 0;
};

double SecondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// Returns the resident memory in KiB.
int64_t ResidentKib() {
  std::ifstream file("/proc/self/statm");
  int64_t total = 0;
  int64_t resident = 0;
  file >> total >> resident;
  return resident * sysconf(_SC_PAGESIZE) / 1024;
}

/// Returns a random input. Free extents get sizes between 32 and 127; fixed ones stay.
NdArray RandomInput(const kuiper_infer::TensorSpec& recorded, std::mt19937& generator) {
  std::uniform_int_distribution<int64_t> extent(32, 127);
  std::uniform_real_distribution<float> value(-1, 1);
  kuiper_infer::TensorSpec spec = recorded;
  for (int64_t& e : spec.shape) e = e < 0 ? extent(generator) : e;
  const NdArray numbers(kuiper_infer::RuntimeDataType::kTypeFloat32, spec.shape);
  for (int64_t i = 0; i < numbers.size(); ++i) numbers.data<float>()[i] = value(generator);
  return numbers.To(spec.type);
}

/// Processes that compute all the time, as long as this object lives. It must be made before there are threads.
class Competitors {
 public:
  explicit Competitors(int count) {
    for (int i = 0; i < count; ++i) {
      const pid_t process = fork();
      if (process == 0) Compute();
      if (process > 0) processes_.push_back(process);
    }
  }
  ~Competitors() {
    for (const pid_t process : processes_) {
      kill(process, SIGKILL);
      waitpid(process, nullptr, 0);
    }
  }
  Competitors(const Competitors&) = delete;
  Competitors& operator=(const Competitors&) = delete;

 private:
  [[noreturn]] static void Compute() {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    volatile uint64_t count = 0;
    while (true) count = count + 1;
  }

  std::vector<pid_t> processes_;
};

/// A histogram of times in constant memory: times within 2 % of each other share a bin.
class Times {
 public:
  void Add(double seconds) {
    const double step = std::log(std::max(seconds, kShortest) / kShortest) / std::log(kRatio);
    const std::lock_guard<std::mutex> lock(mutex_);
    ++counts_[std::min(static_cast<std::size_t>(step), counts_.size() - 1)];
    ++count_;
    largest_ = std::max(largest_, seconds);
  }

  int64_t count() const { return count_; }
  double largest() const { return largest_; }
  /// Returns the time that this share of all times does not exceed.
  double Quantile(double share) const {
    int64_t left = static_cast<int64_t>(std::ceil(share * static_cast<double>(count_)));
    for (std::size_t step = 0; step < counts_.size(); ++step) {
      left -= counts_[step];
      if (left <= 0) return std::min(largest_, kShortest * std::pow(kRatio, static_cast<double>(step) + 0.5));
    }
    return largest_;
  }

 private:
  static constexpr double kShortest = 1e-6;
  static constexpr double kRatio = 1.02;
  std::mutex mutex_;
  std::array<int64_t, 1200> counts_{};  // up to 20,000 seconds
  int64_t count_ = 0;
  double largest_ = 0;
};

/// A model that is loaded anew while it is in use.
class Service {
 public:
  Service(std::string path, int threads) : path_(std::move(path)), threads_(threads), model_(Load()) {}

  void Reload() {
    const Clock::time_point start = Clock::now();
    Model model = Load();
    reloads_.Add(SecondsSince(start));
    const std::lock_guard<std::mutex> lock(mutex_);
    std::swap(model_, model);
  }

  void Run(std::mt19937& generator) {
    const Model model = Current();
    std::map<std::string, NdArray> inputs;
    for (const Model::Input& input : model.inputs()) inputs.emplace(input.name, RandomInput(input.spec, generator));
    const Clock::time_point start = Clock::now();
    model.Run(inputs);
    runs_.Add(SecondsSince(start));
  }

  std::string name() const { return path_.substr(path_.find_last_of('/') + 1); }
  const Times& runs() const { return runs_; }
  const Times& reloads() const { return reloads_; }

 private:
  Model Load() const {
    kuiper_infer::BuildOptions options;
    options.num_threads = threads_;
    return Model::Load(path_ + ".pnnx.param", path_ + ".pnnx.bin", options);
  }
  Model Current() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return model_;
  }

  const std::string path_;
  const int threads_;
  std::mutex mutex_;
  Model model_;
  Times runs_;
  Times reloads_;
};

/// Watches the process's memory over time.
class MemoryWatch {
 public:
  /// Records the memory; `progress` is the share of the time that has passed.
  void Look(double progress) {
    const int64_t now = ResidentKib();
    const std::size_t part = std::min(static_cast<std::size_t>(progress * kParts), kParts - 1);
    most_[part] = std::max(most_[part], now);
  }

  /// Prints the memory. Returns whether it has stayed within the bound.
  bool Report() const {
    const int64_t settled = *std::max_element(most_.begin(), most_.begin() + kParts / 5);
    const int64_t later = *std::max_element(most_.begin() + kParts / 5, most_.end());
    std::printf("memory: %lld KiB with the models loaded; the most in each twentieth of the time:\n", Kib(start_));
    for (std::size_t part = 0; part < kParts; ++part)
      std::printf(" %9lld%s", Kib(most_[part]), part % 10 == 9 ? "\n" : "");
    const double bound = 1.1 * static_cast<double>(settled) + 16384;
    const bool flat = static_cast<double>(later) <= bound;
    std::printf("the most in the first fifth %lld KiB, later %lld KiB, at the end %lld KiB: %s %.0f KiB\n",
                Kib(settled), Kib(later), Kib(ResidentKib()), flat ? "within" : "MORE THAN", bound);
    return flat;
  }

 private:
  static constexpr std::size_t kParts = 20;
  static long long Kib(int64_t value) { return value; }

  int64_t start_ = ResidentKib();
  std::array<int64_t, kParts> most_{};
};

/// Prints the times of runs. Returns whether no run took more than `max_stall` times the median of its model; 0: any
/// time.
bool ReportTimes(const std::vector<std::unique_ptr<Service>>& services, double max_stall) {
  bool smooth = true;
  std::printf("%-20s %8s %9s %9s %9s %9s %9s %9s\n", "milliseconds", "runs", "median", "p99", "largest", "/ median",
              "reloads", "largest");
  for (const std::unique_ptr<Service>& service : services) {
    const Times& runs = service->runs();
    if (runs.count() == 0) continue;
    const double median = runs.Quantile(0.5);
    const double stall = runs.largest() / median;
    std::printf("%-20s %8lld %9.2f %9.2f %9.2f %9.1f %9lld %9.2f\n", service->name().c_str(),
                static_cast<long long>(runs.count()), 1e3 * median, 1e3 * runs.Quantile(0.99), 1e3 * runs.largest(),
                stall, static_cast<long long>(service->reloads().count()), 1e3 * service->reloads().largest());
    if (max_stall > 0 && stall > max_stall) {
      std::printf("%s: a run took more than %.0f times the median\n", service->name().c_str(), max_stall);
      smooth = false;
    }
  }
  return smooth;
}

bool Soak(const Options& options) {
  const Competitors competitors(options.competitors);
  std::vector<std::unique_ptr<Service>> services;
  for (const std::string& model : options.models) services.push_back(std::make_unique<Service>(model, options.threads));

  const Clock::time_point start = Clock::now();
  std::atomic<int64_t> begun{0};
  const auto progress = [&] {
    return options.runs > 0 ? static_cast<double>(begun) / static_cast<double>(options.runs)
                            : SecondsSince(start) / options.seconds;
  };
  const auto call = [&](int caller) {
    std::mt19937 generator(caller);
    while (true) {
      const int64_t run = begun++;
      if (options.runs > 0 ? run >= options.runs : SecondsSince(start) >= options.seconds) return;
      const int64_t turn = run / options.reload;
      const auto count = static_cast<int64_t>(services.size());
      if (run % options.reload == options.reload - 1) services[turn % count]->Reload();
      services[run % count]->Run(generator);
    }
  };

  MemoryWatch memory;
  std::vector<std::future<void>> callers;
  for (int i = 0; i < options.callers; ++i) callers.push_back(std::async(std::launch::async, call, i));
  for (const std::future<void>& caller : callers) {
    while (caller.wait_for(std::chrono::milliseconds(10)) != std::future_status::ready) memory.Look(progress());
  }
  for (std::future<void>& caller : callers) caller.get();  // rethrows the caller's exception

  std::printf("%d callers, %.1f s, %d competing processes\n", options.callers, SecondsSince(start),
              options.competitors);
  const bool flat = memory.Report();
  const bool smooth = ReportTimes(services, options.max_stall);
  return flat && smooth;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Runs models for a long time from several threads at once, and watches memory and times.");
  app.add_option("models", options.models,
                 "Paths of models without .pnnx.param and .pnnx.bin; default: tmp/line_reader, three times");
  CLI::Option_group* const length = app.add_option_group("how long");
  length->add_option("--runs", options.runs, "Number of runs of all callers together")
      ->check(CLI::Range(1, 1'000'000'000));
  length->add_option("--seconds", options.seconds, "How long to run")->check(CLI::Range(1.0, 1e6));
  length->require_option(1);
  const CLI::Range number(1, 1000);
  app.add_option("--callers", options.callers, "Number of threads that run models")
      ->check(number)
      ->capture_default_str();
  app.add_option("--threads", options.threads, "Number of threads of each run; default: one for each core")
      ->check(number);
  app.add_option("--reload", options.reload, "Load a model anew after this number of runs")
      ->check(CLI::Range(1, 1'000'000'000))
      ->capture_default_str();
  app.add_option("--competitors", options.competitors,
                 "Number of processes that compute all the time beside the models")
      ->check(CLI::Range(0, 1000))
      ->capture_default_str();
  app.add_option("--max-stall", options.max_stall, "Fail if a run takes more than this multiple of the median")
      ->check(CLI::Range(1.0, 1e6));
  CLI11_PARSE(app, argc, argv);
  if (options.models.empty()) options.models.assign(3, std::string(KUIPER_SOURCE_DIR) + "/tmp/line_reader");
  try {
    return Soak(options) ? 0 : 1;
  } catch (const kuiper_infer::Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 2;
  }
}
