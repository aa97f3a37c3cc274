// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <unordered_map>

#include "planning/program.hpp"

namespace kuiper_infer {

/// Bounds what the lists of a model hold, of which a file of forty lines can make 2^40 entries: each line lists the
/// one before twice.
class ListBudget {
 public:
  static constexpr int kDeepest = 64;               ///< that lists may nest
  static constexpr int64_t kMostEntries = 1 << 16;  ///< of one list: while it is planned, an entry takes a kilobyte

  /// Throws Error(kResource) that names the operator where what its inputs list, as far as they were added here, is too
  /// much for one more list.
  void CheckInputs(const RuntimeOperator& op) const;

  /// Counts what one of the operator's results holds. Throws Error(kResource) where lists nest too deep or there are
  /// too many entries in all.
  void Add(const RuntimeOperator& op, const RuntimeOperand& operand, const Symbol& result);
  void Add(const RuntimeOperator& op, const RuntimeOperand& operand, const Value& result);

  void Clear();

 private:
  void Add(const RuntimeOperator& op, const RuntimeOperand& operand, int64_t entries);

  std::unordered_map<const RuntimeOperand*, int64_t> entries_;  ///< of lists
  int64_t total_ = 0;
};

}  // namespace kuiper_infer
