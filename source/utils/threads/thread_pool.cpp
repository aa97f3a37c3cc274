// SPDX-License-Identifier: MIT
#include "utils/threads/thread_pool.hpp"

#include <algorithm>
#include <atomic>
#include <climits>
#include <mutex>
#include <pthread.h>
#include <vector>

#include "utils/threads/brief_mutex.hpp"
#include "utils/threads/crowding.hpp"
#include "utils/threads/helper_threads.hpp"
#include "utils/threads/team_job.hpp"
#include "utils/threads/thread_count.hpp"

namespace kuiper_infer {
namespace {

thread_local bool in_team = false;

class ThreadPool {
 public:
  static ThreadPool& Instance() {
    static ThreadPool pool;
    return pool;
  }

  void Run(TeamJob& job) {
    const OpenJob open(*this, job);
    job.work(0);
  }

  /// Starts helpers until there are `wanted`, and returns how many there are.
  int Grow(int wanted) {
    const std::lock_guard<BriefMutex> lock(mutex_);
    StartHelpers(wanted - threads_.count());
    return std::min(threads_.count(), wanted);
  }

 private:
  /// While the object lives, helpers may take seats of a job. The job is on the caller's stack, so the destructor waits
  /// for the helpers, even if an exception leaves the caller's part.
  class OpenJob {
   public:
    OpenJob(ThreadPool& pool, TeamJob& job) : pool_(pool), job_(job) {
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
    TeamJob& job_;
  };

  ThreadPool() { CallAtFork(BeforeFork, AfterFork, InChild); }

  /// Helpers that are at work finish it and then end. Callers in other destructors, which run later, find no helpers.
  ~ThreadPool() {
    std::vector<pthread_t> threads;
    {
      const std::lock_guard<BriefMutex> lock(mutex_);
      stops_ = true;
      threads = threads_.Release();
      ++news_;
    }
    Wake(news_, INT_MAX);
    for (const pthread_t thread : threads) pthread_join(thread, nullptr);
  }

  void Post(TeamJob& job) {
    job.begun = Crowding::Clock::now();
    const int wanted = job.seats - 1;
    const int asked = crowding_.Worth(wanted, job.begun);
    job.seats = 1 + asked;
    {
      const std::lock_guard<BriefMutex> lock(mutex_);
      StartHelpers(std::min(wanted - (threads_.count() - busy_), std::max(wanted, cores_ - 1) - threads_.count()));
      if (threads_.count() == 0 || asked == 0) return;
      jobs_.Add(job);
    }
    news_.fetch_add(1);
    if (sleepers_.load() > 0) Wake(news_, asked);
  }

  /// Lets no further helper begin, and waits for the helpers that have begun.
  void Close(TeamJob& job) {
    if (job.seats == 1) return;
    {
      const std::lock_guard<BriefMutex> lock(mutex_);
      jobs_.Remove(job);
    }
    if (job.taken == 1) return;
    const Crowding::Clock::time_point done = Crowding::Clock::now();
    job.WaitForHelpers();
    const Crowding::Clock::time_point end = Crowding::Clock::now();
    if (job.region != nullptr) {
      job.region->begun = job.begun;
      job.region->done = done;
      job.region->end = end;
    }
    const Crowding::Duration together = (job.taken - 1) * (done - job.begun);
    crowding_.Note(job.seats - 1, std::min(Crowding::Duration(job.helped.load()), together), end - done, end);
  }

  TeamJob* TakeSeat(int& seat) {
    if (jobs_.full()) return nullptr;
    const std::lock_guard<BriefMutex> lock(mutex_);
    TeamJob* const job = jobs_.TakeSeat(seat);
    if (job != nullptr) ++busy_;
    return job;
  }

  void HelpAll() {
    in_team = true;
    NameThread("kuiper_helper");
    while (true) {
      const uint32_t seen = news_.load();
      int seat = 0;
      if (TeamJob* const job = TakeSeat(seat)) {
        job->Help(seat);
        --busy_;
        job->Leave();
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
    const auto main = [](void* pool) -> void* {
      static_cast<ThreadPool*>(pool)->HelpAll();
      return nullptr;
    };
    if (!stops_) threads_.Start(count, main, this);
  }

  static void BeforeFork() { Instance().mutex_.lock(); }
  static void AfterFork() { Instance().mutex_.unlock(); }
  static void InChild() {
    ThreadPool& pool = Instance();
    pool.threads_.Forget();
    pool.jobs_.Clear();
    pool.busy_ = 0;
    pool.sleepers_ = 0;
    pool.mutex_.unlock();
  }

  const int cores_ = UsableCores();
  Crowding crowding_;
  BriefMutex mutex_;
  HelperThreads threads_;
  TeamJobs jobs_;
  std::atomic<int> busy_{0};
  std::atomic<int> sleepers_{0};
  std::atomic<uint32_t> news_{0};  ///< counts the jobs posted
  std::atomic<bool> stops_{false};
};

}  // namespace

bool InTeam() { return in_team; }

void RunInTeam(int seats, FunctionRef<void(int seat)> work) {
  if (seats <= 1 || in_team) return work(0);
  TeamJob job{work, FloatMode::Current(), std::min(seats, kMostThreads)};
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
