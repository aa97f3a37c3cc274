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
#include "kernel/product/weight_order.hpp"
#include "kernel/product/weight_product.hpp"
#include "operation/operation.hpp"
#include "operation/planning_context.hpp"

namespace kuiper_infer {

/// A constant weight, or a part of one, in the order that the kernels read. All plans that use a weight share one, as
/// long as any of them lives.
struct PackedWeight {
  NdArray source;  ///< a constant that is no Weight: kept, so that nothing else can take its place in memory
  const kernel::WeightOrder* order = nullptr;
  kernel::WeightShape shape;
  NdArray packed;                              ///< bytes
  std::shared_ptr<const PackedWeight> scales;  ///< of packed integers, as panels of floats; else null

  const float* data() const { return packed.data<float>(); }
  const kernel::WeightType& type() const { return order->type; }
  void SetIn(kernel::WeightProduct& product) const;
};

/// The packed weights that plans share (PlanningContext::packed). Safe to use from several threads, which pack
/// different weights at the same time; those that look for a weight that is being packed wait for it.
class PackedWeights {
 public:
  /// Which weight (by its number) or other constant (by its place in memory), where in it the part begins, groups,
  /// outputs, inputs and taps, and the order.
  using Key = std::tuple<int64_t, const void*, int64_t, int64_t, int64_t, int64_t, int64_t, const kernel::WeightOrder*>;
  using Make = std::function<std::shared_ptr<const PackedWeight>()>;

  /// What was made under that key, if anyone still holds it; else `make` makes it now. What `make` throws passes
  /// through, and the next call tries again.
  std::shared_ptr<const PackedWeight> FindOrMake(const Key& key, const Make& make);

  /// What those take that somebody holds. Waits for one that is being packed.
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
  std::size_t most_ = 0;  ///< so many entries are kept before the unused ones are removed
};

/// Whether there are packed forms of such a weight: a float32 constant, on a CPU that has kernels for them.
bool CanPack(const TensorArgument& weight);

/// The integers behind a weight of 8 bits with a scale for each index of its first axis; null where it has none.
const QuantizedWeight* ChannelIntegers(const TensorArgument& weight);

/// How the weight of a product of so many rows is packed: in the bfloat16 pieces that the precision wants, where that
/// should be faster, else as float32.
kernel::WeightType ProductType(const PlanningContext& context, int64_t rows, int64_t columns, int64_t depth);

/// The order for the weight of a linear layer, or a part of it: panels of that type, or of the integers in which the
/// weight is stored.
const kernel::WeightOrder& LinearWeightOrder(const PlanningContext& context, const TensorArgument& weight, int64_t rows,
                                             int64_t columns, int64_t depth);

/// What reports call a product by a weight of that type, such as "bfloat16x2" for two pieces; empty for float32.
std::string ProductMethod(const kernel::WeightType& type);

/// Weight (rows, columns...) as the left factor of planar convolutions (kernel/product/packed_gemm.hpp): `groups`
/// matrices of rows / groups rows, one behind the other. Null where it is not a float32 constant or the kernels are not
/// made for this CPU.
std::shared_ptr<const PackedWeight> PackLeftWeight(const PlanningContext& context, const TensorArgument& weight,
                                                   int64_t groups);

/// Weight (outputs, features) of a linear layer, or `count` rows of it, in an order of panels. Null likewise.
std::shared_ptr<const PackedWeight> PackLinearWeight(const PlanningContext& context, const TensorArgument& weight,
                                                     const kernel::WeightOrder& order = kernel::kPanelOrder);
std::shared_ptr<const PackedWeight> PackLinearWeight(const PlanningContext& context, const TensorArgument& weight,
                                                     int64_t first, int64_t count, const kernel::WeightOrder& order);

/// Weight (features, outputs): the right factor of a product, packed likewise.
std::shared_ptr<const PackedWeight> PackMatrixWeight(const PlanningContext& context, const TensorArgument& weight,
                                                     const kernel::WeightType& type = {});

/// Weight of a convolution over channels-last images (kernel/convolution/channels_last.hpp). Null likewise.
std::shared_ptr<const PackedWeight> PackConvolutionWeight(const PlanningContext& context, const TensorArgument& weight,
                                                          const kernel::ChannelsLastConvolution& convolution);

/// Notes for a plan that its `run` reads the weight in these forms only; one behind the other they hold all of it.
/// Notes nothing where one is null.
void NotePacked(const TensorArgument& weight, const std::vector<std::shared_ptr<const PackedWeight>>& parts,
                std::vector<PackedInput>& notes);

}  // namespace kuiper_infer
