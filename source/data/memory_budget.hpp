// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

namespace kuiper_infer {

/// Counts the bytes of a model's arrays against a limit. Safe to use from several threads.
class MemoryBudget {
 public:
  /// `limit` counts bytes; 0 means no limit.
  explicit MemoryBudget(int64_t limit) : limit_(limit) {}

  /// Counts bytes that are about to be allocated. Throws Error(kResource) if they exceed the limit.
  void Take(int64_t bytes);
  void Give(int64_t bytes) { used_ -= bytes; }
  int64_t used() const { return used_; }
  int64_t limit() const { return limit_; }

 private:
  const int64_t limit_;
  std::atomic<int64_t> used_{0};
};

/// While it lives, arrays that this thread makes count in a budget (null: in none) until they are freed. The budget
/// belongs to a graph (PlanningContext::budget), whose loading, planning and running open the scopes. It is no
/// argument, since a model's arrays are made by the constructors, clones and conversions of NdArray, a public class,
/// all over the operators' code; a call that left the argument out would allocate beyond the limit without a sign.
class BudgetScope {
 public:
  explicit BudgetScope(std::shared_ptr<MemoryBudget> budget);
  ~BudgetScope();
  BudgetScope(const BudgetScope&) = delete;
  BudgetScope& operator=(const BudgetScope&) = delete;

  /// The budget of the innermost scope, or null.
  static std::shared_ptr<MemoryBudget> Current();

 private:
  const std::shared_ptr<MemoryBudget> budget_;
  const BudgetScope* const outer_;
};

/// Whether this number of bytes would fit the thread's budget and the machine's memory if nothing else were in use.
bool FitsMemory(int64_t bytes);

/// Throws Error(kResource) if FitsMemory is false for a number of entries and their size in bytes. For memory that a
/// plan is going to ask for, and for tables of the plan itself, whose sizes follow from numbers in the model.
void RequireMemory(int64_t entries, int64_t entry_bytes = 1);

}  // namespace kuiper_infer
