// SPDX-License-Identifier: MIT
#include "cli/bench/clients.hpp"

#include <algorithm>
#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>

#include "cli/bench/run_times.hpp"
#include "utils/threads/first_error.hpp"

namespace kuiper_infer::cli {
namespace {

/// Lets callers in one at a time, in the order in which they came. A std::mutex would often let the same caller in
/// again.
class Turnstile {
 public:
  /// A caller's turn: it begins when the constructor returns.
  class Turn {
   public:
    explicit Turn(Turnstile& turnstile) : turnstile_(turnstile) { turnstile_.Enter(); }
    ~Turn() { turnstile_.Leave(); }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    Turnstile& turnstile_;
  };

 private:
  void Enter() {
    std::unique_lock<std::mutex> lock(mutex_);
    const uint64_t ticket = last_++;
    changed_.wait(lock, [&] { return ticket == served_; });
  }
  void Leave() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      ++served_;
    }
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  uint64_t last_ = 0;
  uint64_t served_ = 0;
};

/// Threads that begin together, and are waited for whatever happens to the caller.
class Crowd {
 public:
  ~Crowd() { Finish(); }

  template <class Work>
  void Add(const Work& work) {
    threads_.emplace_back([gate = gate_, work] {
      gate.wait();
      work();
    });
  }
  void Finish() {
    if (!open_) start_.set_value();
    open_ = true;
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

 private:
  std::promise<void> start_;
  std::shared_future<void> gate_ = start_.get_future().share();
  bool open_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace

Clients::Clients(const RuntimeGraph& graph, const std::map<std::string, NdArray>& inputs, int clients, bool in_turn,
                 const CancelToken& cancel)
    : in_turn_(in_turn), cancel_(cancel) {
  RunOptions options;
  options.cancel = cancel;
  for (int client = 0; client < clients && !cancel.cancelled(); ++client) {
    Session session = graph.NewSession();
    for (const auto& [name, array] : inputs) session.set_input(name, array);
    for (int run = 0; run < 2; ++run) RanToItsEnd([&] { session.Run(options); });
    sessions_.push_back(std::move(session));
  }
}

void Clients::Measure(double seconds) {
  struct Client {
    std::vector<double> times;
    double rate = 0;
  };
  std::vector<Client> clients(sessions_.size());
  Turnstile turnstile;
  FirstError error;
  {
    Crowd crowd;
    for (std::size_t i = 0; i < sessions_.size(); ++i) {
      crowd.Add([&, i] {
        error.Guard([&] {
          RunOptions options;
          options.cancel = cancel_;
          const auto request = [&] {
            if (!in_turn_) return sessions_[i].Run(options);
            const Turnstile::Turn turn(turnstile);
            sessions_[i].Run(options);
          };
          const BenchClock::time_point start = BenchClock::now();
          clients[i].times = TimeRuns(request, 1, seconds, cancel_);
          clients[i].rate = 1e3 * static_cast<double>(clients[i].times.size()) / MillisecondsSince(start);
        });
      });
    }
  }
  error.Rethrow();
  double rate = 0;
  for (const Client& client : clients) {
    times_.insert(times_.end(), client.times.begin(), client.times.end());
    rate += client.rate;
  }
  if (rate > 0) rates_.push_back(rate);
}

Clients::Result Clients::Results() const {
  Result result{times_, 0, 0};
  std::sort(result.times.begin(), result.times.end());
  std::vector<double> rates = rates_;
  std::sort(rates.begin(), rates.end());
  if (rates.empty()) return result;
  result.requests_per_s = Quantile(rates, 0.5);
  result.spread = rates.back() / rates.front() - 1;
  return result;
}

}  // namespace kuiper_infer::cli
