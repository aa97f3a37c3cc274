// SPDX-License-Identifier: MIT
#include "data/memory_budget.hpp"

#include <string>
#include <utility>

#include "kuiper_infer/utils/error.hpp"
#include "kuiper_infer/utils/shape.hpp"
#include "utils/system/cpu_info.hpp"

namespace kuiper_infer {
namespace {

/// A pointer, because the runtime of MinGW frees a thread's objects before it destroys them.
thread_local const BudgetScope* innermost = nullptr;

/// The limit of the thread's budget; 0: there is none.
int64_t CurrentLimit() {
  const std::shared_ptr<MemoryBudget> budget = BudgetScope::Current();
  return budget != nullptr ? budget->limit() : 0;
}

}  // namespace

void MemoryBudget::Take(int64_t bytes) {
  int64_t used = used_;
  do {
    if (limit_ > 0 && bytes > limit_ - used) {
      throw Error(ErrorCode::kResource, std::to_string(bytes) + " bytes more than the " + std::to_string(used) +
                                            " in use would pass the model's limit of " + std::to_string(limit_) +
                                            " bytes (BuildOptions::max_memory_bytes)");
    }
  } while (!used_.compare_exchange_weak(used, used + bytes));
}

BudgetScope::BudgetScope(std::shared_ptr<MemoryBudget> budget)
    : budget_(std::move(budget)), outer_(std::exchange(innermost, this)) {}

BudgetScope::~BudgetScope() { innermost = outer_; }

std::shared_ptr<MemoryBudget> BudgetScope::Current() { return innermost != nullptr ? innermost->budget_ : nullptr; }

bool FitsMemory(int64_t bytes) {
  const int64_t limit = CurrentLimit();
  const int64_t memory = PhysicalMemoryBytes();
  return (limit <= 0 || bytes <= limit) && (memory <= 0 || bytes <= memory);
}

void RequireMemory(int64_t entries, int64_t entry_bytes) {
  const int64_t bytes = ElementCount({entries, entry_bytes});
  if (FitsMemory(bytes)) return;
  const int64_t limit = CurrentLimit();
  if (limit > 0 && bytes > limit) {
    throw Error(ErrorCode::kResource, "needs " + std::to_string(bytes) + " bytes, more than the model's limit of " +
                                          std::to_string(limit) + " bytes (BuildOptions::max_memory_bytes)");
  }
  throw Error(ErrorCode::kResource, "needs " + std::to_string(bytes >> 20) + " MiB, but the machine has only " +
                                        std::to_string(PhysicalMemoryBytes() >> 20) + " MiB");
}

}  // namespace kuiper_infer
