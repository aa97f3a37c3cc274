// SPDX-License-Identifier: MIT
#include "utils/thread_pool.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <climits>
#include <mutex>
#include <pthread.h>
#include <sched.h>
#include <vector>

#include "utils/crowding.hpp"
#include "utils/float_mode.hpp"
#include "utils/team_record.hpp"
#include "utils/thread_count.hpp"
#include "utils/thread_system.hpp"

namespace kuiper_infer {
namespace {

thread_local bool in_team = false;

void Pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Watches for a change without sleeping. Returns true as soon as `changed` does. Returns false if that takes long, or
/// if other threads want the processor: a thread that sleeps gets the processor back sooner than one that has used up
/// its share by watching.
template <class Changed>
bool Watch(const Changed& changed) {
  using Clock = std::chrono::steady_clock;
  constexpr int kPauses = 50;  // a microsecond or two
  constexpr std::chrono::microseconds kLongest{200};
  constexpr std::chrono::microseconds kTakenAway{30};
  const Clock::time_point start = Clock::now();
  for (Clock::time_point before = start; before - start < kLongest;) {
    for (int i = 0; i < kPauses; ++i) {
      if (changed()) return true;
      Pause();
    }
    sched_yield();
    const Clock::time_point now = Clock::now();
    if (now - before > kTakenAway) return changed();
    before = now;
  }
  return false;
}

/// A mutex for sections of a few instructions: a thread that finds it taken tries again for a moment before it sleeps.
class BriefMutex {
 public:
  void lock() {
    constexpr int kTries = 100;
    for (int i = 0; i < kTries; ++i) {
      if (mutex_.try_lock()) return;
      Pause();
    }
    mutex_.lock();
  }
  void unlock() { mutex_.unlock(); }

 private:
  std::mutex mutex_;
};

/// Work that its caller shares. Lives on the caller's stack.
struct Job {
  FunctionRef<void(int)> work;
  FloatMode mode;
  int seats;
  int taken = 1;  ///< seats, the caller's included
  Job* next = nullptr;
  Crowding::Clock::time_point begun = {};
  std::atomic<Crowding::Duration::rep> helped{0};  ///< the time that helpers have been at work
  TeamRecord::Region* region = nullptr;            ///< to be filled in: an entry of `helpers` for each helper's seat

  /// The number of helpers at work; kCallerSleeps is added while the caller sleeps until it is zero.
  static constexpr uint32_t kCallerSleeps = uint32_t{1} << 31;
  std::atomic<uint32_t> helpers{0};
};

class ThreadPool {
 public:
  static ThreadPool& Instance() {
    static ThreadPool pool;
    return pool;
  }

  void Run(Job& job) {
    const OpenJob open(*this, job);
    job.work(0);
  }

  /// Starts helpers until there are `wanted`, and returns how many there are.
  int Grow(int wanted) {
    const std::lock_guard<BriefMutex> lock(mutex_);
    StartHelpers(wanted - started_);
    return std::min(started_, wanted);
  }

 private:
  /// While the object lives, helpers may take seats of a job. The job is on the caller's stack, so the destructor waits
  /// for the helpers, even if an exception leaves the caller's part.
  class OpenJob {
   public:
    OpenJob(ThreadPool& pool, Job& job) : pool_(pool), job_(job) {
      pool_.Post(job_);
      in_team = true;
    }
    ~OpenJob() {
      in_team = false;
      pool_.Close(job_);
    }
    OpenJob(const OpenJob&) = delete;
    OpenJob& operator=(const OpenJob&) = delete;

   private:
    ThreadPool& pool_;
    Job& job_;
  };

  ThreadPool() {
    threads_.reserve(kMostThreads);
    CallAtFork(BeforeFork, AfterFork, InChild);
  }

  /// Helpers that are at work finish it and then end. Callers in other destructors, which run later, find no helpers.
  ~ThreadPool() {
    std::vector<pthread_t> threads;
    {
      const std::lock_guard<BriefMutex> lock(mutex_);
      stops_ = true;
      started_ = 0;
      threads.swap(threads_);
      ++news_;
    }
    Wake(news_, INT_MAX);
    for (const pthread_t thread : threads) pthread_join(thread, nullptr);
  }

  void Post(Job& job) {
    job.begun = Crowding::Clock::now();
    const int wanted = job.seats - 1;
    const int asked = crowding_.Worth(wanted, job.begun);
    job.seats = 1 + asked;
    {
      const std::lock_guard<BriefMutex> lock(mutex_);
      StartHelpers(std::min(wanted - (started_ - busy_), std::max(wanted, cores_ - 1) - started_));
      if (started_ == 0 || asked == 0) return;
      Job** end = &jobs_;
      while (*end != nullptr) end = &(*end)->next;
      *end = &job;
      free_seats_ += asked;
    }
    news_.fetch_add(1);
    if (sleepers_.load() > 0) Wake(news_, asked);
  }

  /// Lets no further helper begin, and waits for the helpers that have begun.
  void Close(Job& job) {
    if (job.seats == 1) return;
    {
      const std::lock_guard<BriefMutex> lock(mutex_);
      for (Job** at = &jobs_; *at != nullptr; at = &(*at)->next) {
        if (*at != &job) continue;
        *at = job.next;
        free_seats_ -= job.seats - job.taken;
        break;
      }
    }
    if (job.taken == 1) return;
    const Crowding::Clock::time_point done = Crowding::Clock::now();
    WaitForHelpers(job);
    const Crowding::Clock::time_point end = Crowding::Clock::now();
    if (job.region != nullptr) {
      job.region->begun = job.begun;
      job.region->done = done;
      job.region->end = end;
    }
    const Crowding::Duration together = (job.taken - 1) * (done - job.begun);
    crowding_.Note(job.seats - 1, std::min(Crowding::Duration(job.helped.load()), together), end - done, end);
  }

  static void WaitForHelpers(Job& job) {
    if (Watch([&job] { return job.helpers.load(std::memory_order_acquire) == 0; })) return;
    uint32_t helpers = job.helpers.fetch_or(Job::kCallerSleeps) | Job::kCallerSleeps;
    while (helpers != Job::kCallerSleeps) {
      SleepWhile(job.helpers, helpers);
      helpers = job.helpers.load(std::memory_order_acquire);
    }
  }

  /// Takes a free seat of a job for the calling helper and returns the job; null if there is no free seat.
  Job* TakeSeat(int& seat) {
    if (free_seats_ == 0) return nullptr;
    const std::lock_guard<BriefMutex> lock(mutex_);
    for (Job* job = jobs_; job != nullptr; job = job->next) {
      if (job->taken >= job->seats) continue;
      seat = job->taken++;
      --free_seats_;
      job->helpers.fetch_add(1);
      ++busy_;
      return job;
    }
    return nullptr;
  }

  void Help(Job& job, int seat) {
    {
      const Crowding::Clock::time_point start = Crowding::Clock::now();
      const FloatModeScope mode(job.mode);
      job.work(seat);
      const Crowding::Clock::time_point end = Crowding::Clock::now();
      job.helped += (end - start).count();
      if (job.region != nullptr) {
        job.region->helpers[seat - 1] = {ThreadNumber(), start, end};
      }
    }
    --busy_;
    // As soon as its caller sees this, the job may be destroyed. Waking a word that is reused by then does no harm.
    if (job.helpers.fetch_sub(1) == (Job::kCallerSleeps | 1)) Wake(job.helpers, 1);
  }

  void HelpAll() {
    in_team = true;
    pthread_setname_np(pthread_self(), "kuiper_helper");
    while (true) {
      const uint32_t seen = news_.load();
      int seat = 0;
      if (Job* const job = TakeSeat(seat)) {
        Help(*job, seat);
        continue;
      }
      if (stops_) return;
      if (Watch([this, seen] { return news_.load() != seen; })) continue;
      ++sleepers_;
      if (news_.load() == seen) SleepWhile(news_, seen);
      --sleepers_;
    }
  }

  /// Starts `count` helpers, or as many as the process can have. The caller holds the mutex.
  void StartHelpers(int count) {
    if (count <= 0 || stops_ || std::chrono::steady_clock::now() < next_attempt_) return;
    while (count > 0 && HasRoomFor(started_ + 1) && StartHelper()) --count;
    if (count > 0) next_attempt_ = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  }

  bool StartHelper() {
    pthread_t thread{};
    const auto main = [](void* pool) -> void* {
      static_cast<ThreadPool*>(pool)->HelpAll();
      return nullptr;
    };
    if (!StartThread(thread, main, this)) return false;
    threads_.push_back(thread);
    ++started_;
    return true;
  }

  static void BeforeFork() { Instance().mutex_.lock(); }
  static void AfterFork() { Instance().mutex_.unlock(); }
  static void InChild() {
    ThreadPool& pool = Instance();
    pool.threads_.clear();
    pool.jobs_ = nullptr;
    pool.started_ = 0;
    pool.next_attempt_ = {};
    pool.free_seats_ = 0;
    pool.busy_ = 0;
    pool.sleepers_ = 0;
    pool.mutex_.unlock();
  }

  const int cores_ = UsableCores();
  Crowding crowding_;
  BriefMutex mutex_;
  std::vector<pthread_t> threads_;
  Job* jobs_ = nullptr;  ///< open ones, the oldest first
  int started_ = 0;
  std::chrono::steady_clock::time_point next_attempt_;  ///< to start helpers, after one that failed
  std::atomic<int> free_seats_{0};                      ///< of all open jobs
  std::atomic<int> busy_{0};
  std::atomic<int> sleepers_{0};
  std::atomic<uint32_t> news_{0};  ///< counts the jobs posted
  std::atomic<bool> stops_{false};
};

}  // namespace

bool InTeam() { return in_team; }

void RunInTeam(int seats, FunctionRef<void(int seat)> work) {
  if (seats <= 1 || in_team) return work(0);
  Job job{work, FloatMode::Current(), std::min(seats, kMostThreads)};
  TeamRecord* const record = TeamRecordScope::Current();
  if (record == nullptr) return ThreadPool::Instance().Run(job);
  TeamRecord::Region region;
  region.helpers.resize(job.seats - 1);
  job.region = &region;
  ThreadPool::Instance().Run(job);
  if (job.taken > 1) record->regions.push_back(std::move(region));
}

int PrepareTeam(int wanted) {
  if (wanted <= 1 || in_team) return 1;
  return 1 + ThreadPool::Instance().Grow(std::min(wanted, kMostThreads) - 1);
}

}  // namespace kuiper_infer
