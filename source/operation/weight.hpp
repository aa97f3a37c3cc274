// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>

#include "kuiper_infer/data/ndarray.hpp"

namespace kuiper_infer {

/// A weight of an operator, shared by everything that was made from that operator. Its values lie in memory once: in
/// the file's order, or, after ReplaceBy, only in the order of the kernel that reads them. Safe to use from several
/// threads.
class Weight {
 public:
  /// Makes a weight of values that are row-major without gaps.
  explicit Weight(NdArray values);

  const TensorSpec& spec() const { return spec_; }
  /// A number that no other weight of the process has.
  int64_t id() const { return id_; }
  /// The values in the file's order; made anew by each call after ReplaceBy.
  NdArray values() const;
  /// Whether the values lie in memory in the file's order.
  bool holds_values() const;
  /// Gives up the values, which `restore` can make again. Arrays that were handed out before keep theirs.
  void ReplaceBy(std::function<NdArray()> restore);

 private:
  mutable std::mutex mutex_;
  TensorSpec spec_;
  int64_t id_;
  NdArray values_;
  std::function<NdArray()> restore_;
};

}  // namespace kuiper_infer
