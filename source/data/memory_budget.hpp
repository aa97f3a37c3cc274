// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

namespace kuiper_infer {

/// The bytes that the arrays of a model may take. Safe to use from several threads.
class MemoryBudget {
 public:
  /// No limit where it is 0.
  explicit MemoryBudget(int64_t limit) : limit_(limit) {}

  /// Counts bytes that are about to be allocated. Throws Error(kResource) where they are too many.
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
  static const std::shared_ptr<MemoryBudget>& Current();

 private:
  std::shared_ptr<MemoryBudget> former_;
};

/// Whether the budget of this thread and the machine could hold so many bytes, were nothing else in use.
bool FitsMemory(int64_t bytes);

/// Throws Error(kResource) where FitsMemory is false for so many entries of so many bytes. For what a plan is going to
/// ask for, and for its own tables, whose sizes a model's numbers give.
void RequireMemory(int64_t entries, int64_t entry_bytes = 1);

}  // namespace kuiper_infer
