// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>

#include "data/stored_bytes.hpp"
#include "kuiper_infer/data/ndarray.hpp"

namespace kuiper_infer {

struct QuantizedWeight;  // operation/weights/quantized_weight.hpp

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
  /// A number that is unique in the process, except that a quantised weight shares it with the weight of its integers.
  int64_t id() const { return id_; }
  /// The place of its bytes in the archive that it was read from; -1 if it comes from elsewhere.
  int64_t place() const { return place_; }
  /// Returns the values in the file's order. If they are in the file, the first call reads and keeps them. After
  /// ReplaceBy each call makes them anew; after LeaveInFile each call reads and verifies them. Throws Error(kFile) if
  /// they can't be read.
  NdArray values() const;
  /// The place of the values in the file; null if they have been read or released.
  std::shared_ptr<const StoredBytes> stored() const;
  /// Whether the values lie in memory in the file's order.
  bool holds_values() const;
  /// The integers that stand for the values; null if there are none.
  const std::shared_ptr<const QuantizedWeight>& quantized() const { return quantized_; }
  /// Verifies values that are still in the file, without keeping them. Throws Error(kFile) if they are damaged.
  void VerifyStored();
  /// Releases the values, which `restore` can make again. Arrays that were handed out before keep them. Throws
  /// Error(kFile) if the values are still in the file and damaged there.
  void ReplaceBy(std::function<NdArray()> restore);
  /// Releases values that no call has read as a whole yet. Later calls read them from the file again, which stays open.
  /// Values in memory stay there. Throws Error(kFile) like ReplaceBy.
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
