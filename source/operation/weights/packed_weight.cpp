// SPDX-License-Identifier: MIT
#include "operation/weights/packed_weight.hpp"

#include "data/cache_file.hpp"
#include "data/mapped_array.hpp"
#include "kernel/convolution/convolution_method.hpp"
#include "operation/weights/quantized_weight.hpp"
#include "operation/weights/weight_packing.hpp"
#include "utils/numbers_string.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer {
namespace {

/// Returns the name of a packed weight in the cache; empty if there is no cache or the weight comes from no file.
std::string CacheName(const PlanningContext& context, const TensorArgument& weight, int64_t first,
                      const PackedWeight& packed) {
  if (context.cache == nullptr || weight.weight == nullptr || weight.weight->place() < 0) return {};
  const kernel::WeightShape& shape = packed.shape;
  return NumbersString({weight.weight->place(), first, shape.groups, shape.outputs, shape.inputs, shape.taps}) + " " +
         packed.layout->name;
}

bool FindInCache(const PlanningContext& context, const TensorArgument& weight, int64_t first, PackedWeight& packed) {
  const std::string name = CacheName(context, weight, first, packed);
  if (name.empty()) return false;
  std::optional<NdArray> found = context.cache->Find(name);
  if (!found || found->size() != packed.layout->Bytes(packed.shape)) return false;
  packed.packed = std::move(*found);
  const auto integers = IntegersFor(weight, *packed.layout);
  const auto bytes = [&](int64_t count) {
    return integers != nullptr ? integers->format->StoredBytes(count) : FloatBytes(count);
  };
  const auto stored = (integers != nullptr ? *integers->integers : *weight.weight).stored();
  if (stored != nullptr) stored->Skip(bytes(first), bytes(packed.shape.size()));
  return true;
}

/// Finds or packs a weight of this shape whose numbers begin at number `first` of a constant. If the layout packs
/// integers, their parameters are packed for `kernel`.
std::shared_ptr<const PackedWeight> FindOrPack(const PlanningContext& context, const TensorArgument& weight,
                                               int64_t first, const kernel::WeightShape& shape,
                                               const kernel::PackedLayout& layout,
                                               const kernel::ProductKernel* kernel) {
  const PackedWeights::Key key{weight.weight != nullptr ? weight.weight->id() : 0,
                               weight.constant.raw(),
                               first,
                               shape.groups,
                               shape.outputs,
                               shape.inputs,
                               shape.taps,
                               &layout};
  const auto make = [&] {
    auto result = std::make_shared<PackedWeight>();
    result->source = weight.constant;
    result->layout = &layout;
    result->shape = shape;
    if (const auto integers = IntegersFor(weight, layout)) PackParameters(*integers, first, *kernel, *result);
    if (FindInCache(context, weight, first, *result)) return result;
    result->packed = MappedArray(RuntimeDataType::kTypeUInt8, {layout.Bytes(shape)});
    PackNumbers(weight, first, *result);
    const std::string name = CacheName(context, weight, first, *result);
    if (!name.empty()) context.cache->Add(name, result->packed);
    return result;
  };
  return context.packed != nullptr ? context.packed->FindOrMake(key, make) : make();
}

}  // namespace

bool CanPack(const PlanningContext& context, const TensorArgument& weight) {
  return weight.is_constant() && weight.spec.type == RuntimeDataType::kTypeFloat32 && weight.spec.rank() >= 2 &&
         weight.spec.size() > 0 && (weight.weight != nullptr || weight.constant.contiguous()) &&
         kernel::HasProductKernels(context.units);
}

const kernel::ProductKernel& ChooseLinear(const PlanningContext& context, const TensorArgument& weight, int64_t rows,
                                          int64_t columns, const Storage& input) {
  kernel::ProductQuestion question{{rows, columns, weight.spec.shape.back()}};
  if (const auto quantized = QuantizedForm(weight)) {
    question.stored = quantized->format;
    question.shape.groups = quantized->groups();
  }
  question.on_byte_grid = input.grid && FitsBytes(*input.grid);
  question.pieces = context.pieces;
  return kernel::ChooseProduct(context.units, question);
}

const kernel::ProductKernel& ChooseFloatProduct(const PlanningContext& context, const kernel::ProductShape& shape) {
  kernel::ProductQuestion question{shape};
  question.pieces = context.pieces;
  return kernel::ChooseProduct(context.units, question);
}

std::shared_ptr<const PackedWeight> PackLeftWeight(const PlanningContext& context, const TensorArgument& weight,
                                                   int64_t groups) {
  if (!CanPack(context, weight)) return nullptr;
  const int64_t rows = weight.spec.shape[0];
  return FindOrPack(context, weight, 0, {groups, rows / groups, weight.spec.size() / rows, 1},
                    kernel::LeftPanelLayout(), nullptr);
}

std::shared_ptr<const PackedWeight> PackLinearWeight(const PlanningContext& context, const TensorArgument& weight,
                                                     const kernel::ProductKernel& kernel) {
  return weight.spec.rank() == 2 ? PackLinearWeight(context, weight, 0, weight.spec.shape[0], kernel) : nullptr;
}

std::shared_ptr<const PackedWeight> PackLinearWeight(const PlanningContext& context, const TensorArgument& weight,
                                                     int64_t first, int64_t count,
                                                     const kernel::ProductKernel& kernel) {
  if (!CanPack(context, weight) || weight.spec.rank() != 2) return nullptr;
  const int64_t features = weight.spec.shape[1];
  return FindOrPack(context, weight, first * features, {1, count, features, 1},
                    kernel.Layout(kernel::Arrangement::kWindows), &kernel);
}

std::shared_ptr<const PackedWeight> PackMatrixWeight(const PlanningContext& context, const TensorArgument& weight,
                                                     const kernel::ProductKernel& kernel) {
  if (!CanPack(context, weight) || weight.spec.rank() != 2) return nullptr;
  return FindOrPack(context, weight, 0, {1, weight.spec.shape[1], weight.spec.shape[0], 1},
                    kernel.Layout(kernel::Arrangement::kMatrix), &kernel);
}

std::shared_ptr<const PackedWeight> PackConvolutionWeight(const PlanningContext& context, const TensorArgument& weight,
                                                          const kernel::ChannelsLastConvolution& convolution) {
  if (!CanPack(context, weight)) return nullptr;
  const kernel::ConvolutionChoice choice{convolution.method, convolution.product};
  return FindOrPack(context, weight, 0, kernel::WeightShapeOf(convolution.geometry), choice.layout(),
                    convolution.product);
}

}  // namespace kuiper_infer
