// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <unordered_map>

#include "planning/program.hpp"

namespace kuiper_infer {

/// Limits the entries of a model's lists. Without a limit a file of forty lines could make 2^40 entries, if each line
/// lists the previous line twice.
class ListBudget {
 public:
  static constexpr int kDeepest = 64;               ///< levels to which lists may nest
  static constexpr int64_t kMostEntries = 1 << 16;  ///< entries of one list; an entry takes a kilobyte while planning

  /// Throws Error(kResource) that names the operator if its inputs have too many entries for another list of them.
  /// Inputs count as far as they were added here.
  void CheckInputs(const RuntimeOperator& op) const;

  /// Counts the entries of one of the operator's results. Throws Error(kResource) if lists nest too deep or if there
  /// are too many entries in all.
  void Add(const RuntimeOperator& op, const RuntimeOperand& operand, const Symbol& result);
  void Add(const RuntimeOperator& op, const RuntimeOperand& operand, const Value& result);

  void Clear();

 private:
  void Add(const RuntimeOperator& op, const RuntimeOperand& operand, int64_t entries);

  std::unordered_map<const RuntimeOperand*, int64_t> entries_;  ///< of lists
  int64_t total_ = 0;
};

}  // namespace kuiper_infer
