// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>

#include "utils/function_ref.hpp"
#include "utils/system/float_mode.hpp"
#include "utils/threads/crowding.hpp"
#include "utils/threads/team_record.hpp"
#include "utils/threads/thread_system.hpp"
#include "utils/threads/watch.hpp"

namespace kuiper_infer {

/// Work that its caller shares. Lives on the caller's stack.
struct TeamJob {
  FunctionRef<void(int)> work;
  FloatMode mode;
  int seats;
  int taken = 1;  ///< seats, the caller's included
  TeamJob* next = nullptr;
  Crowding::Clock::time_point begun = {};
  std::atomic<Crowding::Duration::rep> helped{0};  ///< the time that helpers have been at work
  TeamRecord::Region* region = nullptr;            ///< to be filled in: an entry of `helpers` for each helper's seat

  /// The number of helpers at work; kCallerSleeps is added while the caller sleeps until it is zero.
  static constexpr uint32_t kCallerSleeps = uint32_t{1} << 31;
  std::atomic<uint32_t> helpers{0};

  /// Does the work of a seat on a helper.
  void Help(int seat) {
    const Crowding::Clock::time_point start = Crowding::Clock::now();
    const FloatModeScope scope(mode);
    work(seat);
    const Crowding::Clock::time_point end = Crowding::Clock::now();
    helped += (end - start).count();
    if (region != nullptr) {
      region->helpers[seat - 1] = {ThreadNumber(), start, end};
    }
  }

  /// Ends a helper's part. As soon as the caller sees this, the job may be destroyed. Waking a word that is reused by
  /// then does no harm.
  void Leave() {
    if (helpers.fetch_sub(1) == (kCallerSleeps | 1)) Wake(helpers, 1);
  }

  void WaitForHelpers() {
    if (Watch([this] { return helpers.load(std::memory_order_acquire) == 0; })) return;
    uint32_t seen = helpers.fetch_or(kCallerSleeps) | kCallerSleeps;
    while (seen != kCallerSleeps) {
      SleepWhile(helpers, seen);
      seen = helpers.load(std::memory_order_acquire);
    }
  }
};

/// The jobs that have free seats or had some, the oldest first. The pool holds its mutex during every call except
/// full().
class TeamJobs {
 public:
  /// Whether there is no free seat.
  bool full() const { return free_seats_ == 0; }

  void Add(TeamJob& job) {
    TeamJob** end = &first_;
    while (*end != nullptr) end = &(*end)->next;
    *end = &job;
    free_seats_ += job.seats - 1;
  }

  /// Takes a job out, if it is there.
  void Remove(TeamJob& job) {
    for (TeamJob** at = &first_; *at != nullptr; at = &(*at)->next) {
      if (*at != &job) continue;
      *at = job.next;
      free_seats_ -= job.seats - job.taken;
      break;
    }
  }

  /// Takes a free seat of a job for the calling helper and returns the job; null if there is no free seat.
  TeamJob* TakeSeat(int& seat) {
    for (TeamJob* job = first_; job != nullptr; job = job->next) {
      if (job->taken >= job->seats) continue;
      seat = job->taken++;
      --free_seats_;
      job->helpers.fetch_add(1);
      return job;
    }
    return nullptr;
  }

  void Clear() {
    first_ = nullptr;
    free_seats_ = 0;
  }

 private:
  TeamJob* first_ = nullptr;
  std::atomic<int> free_seats_{0};  ///< of all jobs
};

}  // namespace kuiper_infer
