// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "kernel/convolution/channels_last.hpp"
#include "kernel/product/product_kernels.hpp"
#include "operation/operation.hpp"
#include "operation/planning_context.hpp"
#include "operation/storage.hpp"

namespace kuiper_infer {

/// A constant weight, or a part of one, in the layout that a kernel reads. All plans that use a weight in the same
/// layout share one, as long as any of them lives.
struct PackedWeight {
  NdArray source;  ///< keeps a constant that is not a Weight alive: the table of packed weights is keyed by address
  const kernel::PackedLayout* layout = nullptr;
  kernel::WeightShape shape;
  NdArray packed;      ///< bytes
  NdArray parameters;  ///< of integers, as the kernel reads them (kernel::PackedFactor); else undefined
  const kernel::WeightPanels* parameter_panels = nullptr;  ///< in which they lie; null: one for each row
  int64_t groups = 1;

  /// The right factor of products by `kernel`, in whose layout the weight is packed.
  kernel::PackedFactor FactorOf(const kernel::ProductKernel& kernel) const {
    return {&kernel, packed.raw(), parameters.defined() ? parameters.raw() : nullptr, groups, parameters.type()};
  }
};

/// The packed weights that plans share (PlanningContext::packed). Safe to use from several threads. They can pack
/// different weights at the same time; a thread waits for a weight that another thread is packing.
class PackedWeights {
 public:
  /// The weight (by its number) or other constant (by its address), the beginning of the part in it, groups, outputs,
  /// inputs and taps, and the layout.
  using Key =
      std::tuple<int64_t, const void*, int64_t, int64_t, int64_t, int64_t, int64_t, const kernel::PackedLayout*>;
  using Make = std::function<std::shared_ptr<const PackedWeight>()>;

  /// Returns the packed weight of that key if it is still in use; otherwise calls `make`. An exception of `make` passes
  /// through, and the next call tries again.
  std::shared_ptr<const PackedWeight> FindOrMake(const Key& key, const Make& make);

  /// Returns the bytes of the packed weights in use. Waits for weights that are being packed.
  int64_t bytes();

 private:
  struct Entry {
    std::mutex mutex;  ///< held while the weight is packed
    std::weak_ptr<const PackedWeight> packed;
  };
  std::shared_ptr<Entry> EntryFor(const Key& key);
  void RemoveUnused();

  std::mutex mutex_;  ///< of the table, never held while a weight is packed
  std::map<Key, std::shared_ptr<Entry>> entries_;
  std::size_t most_ = 0;  ///< the number of entries at which unused ones are removed
};

/// Whether a weight can be packed: it is a float32 constant, and kernels on this CPU can read packed weights.
bool CanPack(const PlanningContext& context, const TensorArgument& weight);

/// The kernel for products of float32 rows by a weight (outputs, features) of a linear layer, or by `columns` of its
/// outputs. It reads the integers in which the weight is stored, or else its numbers at the precision that the context
/// wants. If the rows are stored on a grid of bytes, the kernel may read bytes.
const kernel::ProductKernel& ChooseLinear(const PlanningContext& context, const TensorArgument& weight, int64_t rows,
                                          int64_t columns, const Storage& input = {});

/// The kernel for products of float32 numbers of that size, at the precision that the context wants.
const kernel::ProductKernel& ChooseFloatProduct(const PlanningContext& context, const kernel::ProductShape& shape);

/// Packs a weight (rows, columns...) as the left factor of planar convolutions (kernel/product/packed_gemm.hpp):
/// `groups` successive matrices of rows / groups rows. Returns null if it can't be packed (CanPack).
std::shared_ptr<const PackedWeight> PackLeftWeight(const PlanningContext& context, const TensorArgument& weight,
                                                   int64_t groups);

/// Packs a weight (outputs, features) of a linear layer, or `count` rows of it from row `first` on, for a kernel.
/// Returns null if it can't be packed.
std::shared_ptr<const PackedWeight> PackLinearWeight(const PlanningContext& context, const TensorArgument& weight,
                                                     const kernel::ProductKernel& kernel);
std::shared_ptr<const PackedWeight> PackLinearWeight(const PlanningContext& context, const TensorArgument& weight,
                                                     int64_t first, int64_t count, const kernel::ProductKernel& kernel);

/// Packs a weight (features, outputs), the right factor of a product, for a kernel. Returns null if it can't be packed.
std::shared_ptr<const PackedWeight> PackMatrixWeight(const PlanningContext& context, const TensorArgument& weight,
                                                     const kernel::ProductKernel& kernel);

/// Packs the weight of a convolution over channels-last images (kernel/convolution/channels_last.hpp) for its method
/// and kernel. Returns null if it can't be packed.
std::shared_ptr<const PackedWeight> PackConvolutionWeight(const PlanningContext& context, const TensorArgument& weight,
                                                          const kernel::ChannelsLastConvolution& convolution);

/// Notes for a plan that its `run` reads the weight only in these forms, which hold all parts of it in order. If one is
/// null, notes nothing. `keeps_parameters`: of a weight in integers, `run` reads the parameters as they are stored.
void NotePacked(const TensorArgument& weight, const std::vector<std::shared_ptr<const PackedWeight>>& parts,
                std::vector<PackedInput>& notes, bool keeps_parameters = false);

}  // namespace kuiper_infer
