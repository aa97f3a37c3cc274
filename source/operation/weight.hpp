// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>

#include "data/stored_bytes.hpp"
#include "kuiper_infer/data/ndarray.hpp"

namespace kuiper_infer {

struct QuantizedWeight;  // operation/quantized_weight.hpp

/// A weight of an operator, shared by everything that was made from that operator. Its values lie in one place: in the
/// file, until something asks for them; in memory in the file's order; after ReplaceBy, only in the order of the kernel
/// that reads them; after LeaveInFile, in the file for good. Safe to use from several threads.
class Weight {
 public:
  /// Makes a weight of values that are row-major without gaps.
  explicit Weight(NdArray values);
  /// Makes a weight of values that are read when they are needed, in that spec, row-major.
  Weight(std::shared_ptr<const StoredBytes> stored, TensorSpec spec);
  /// Makes a weight of float numbers that are stored in integers, from which each call of values() makes them anew.
  explicit Weight(std::shared_ptr<const QuantizedWeight> quantized);

  const TensorSpec& spec() const { return spec_; }
  /// A number that no other weight of the process has, but for the integers behind it.
  int64_t id() const { return id_; }
  /// Where its bytes begin in the archive that it was read from; -1 where it has been made in another way.
  int64_t place() const { return place_; }
  /// The values in the file's order: read and kept by the first call where they lie in the file, made anew by each call
  /// after ReplaceBy, read and verified anew by each call after LeaveInFile. Throws Error(kFile) where they can't be
  /// read.
  NdArray values() const;
  /// Where the values lie in the file; null where they have been read, or given up.
  std::shared_ptr<const StoredBytes> stored() const;
  /// Whether the values lie in memory in the file's order.
  bool holds_values() const;
  /// The integers behind the values; null where there are none.
  const std::shared_ptr<const QuantizedWeight>& quantized() const { return quantized_; }
  /// Gives up the values, which `restore` can make again. Arrays that were handed out before keep theirs. Throws
  /// Error(kFile) where they are still in the file and damaged there.
  void ReplaceBy(std::function<NdArray()> restore);
  /// Gives up values that nobody has read as a whole yet: who asks for them later reads them from the file again, which
  /// stays open for that. Values in memory stay there. Throws likewise.
  void LeaveInFile();

 private:
  bool GivenUp() const { return !values_.defined() && stored_ == nullptr; }

  mutable std::mutex mutex_;
  TensorSpec spec_;
  int64_t id_;
  int64_t place_ = -1;
  mutable std::shared_ptr<const StoredBytes> stored_;
  mutable NdArray values_;
  std::function<NdArray()> restore_;
  std::shared_ptr<const QuantizedWeight> quantized_;
};

}  // namespace kuiper_infer
