// SPDX-License-Identifier: MIT
#include "operators/product/packed_weight.hpp"

#include <algorithm>

#include "data/cache_file.hpp"
#include "data/mapped_array.hpp"
#include "kernel/convolution/convolution_method.hpp"
#include "kernel/product/bfloat16/product.hpp"
#include "kernel/product/quantized/product.hpp"
#include "kernel/quantization/stored_integers.hpp"
#include "operation/quantized_weight.hpp"
#include "utils/numbers_string.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer {
namespace {

/// The integers that an order packs; null where it packs the weight's numbers.
std::shared_ptr<const QuantizedWeight> IntegersFor(const TensorArgument& weight, const kernel::WeightOrder& order) {
  return order.integers() ? weight.weight->quantized() : nullptr;
}

/// Packs integers of a weight from integer `first` on, read part by part.
void PackIntegers(const QuantizedWeight& weight, int64_t first, PackedWeight& packed) {
  const auto stored = weight.integers->stored();
  const NdArray values = stored == nullptr ? weight.integers->values() : NdArray();
  const auto read = [&](int64_t begin, int64_t count, float* part) {
    const int64_t offset = kernel::StoredIntegerBytes(weight.bits, first + begin);
    if (stored == nullptr) return kernel::DecodeIntegers(weight.bits, values.data<uint8_t>() + offset, count, part);
    std::vector<uint8_t> bytes(static_cast<std::size_t>(kernel::StoredIntegerBytes(weight.bits, count)));
    stored->Read(static_cast<uint64_t>(offset), bytes.size(), bytes.data());
    kernel::DecodeIntegers(weight.bits, bytes.data(), count, part);
  };
  kernel::PackInParts(*packed.order, packed.shape, read, packed.packed.raw());
}

/// Whether packing rounds the numbers. Where the weight's own are wanted, they are read from their file again.
bool Rounds(const kernel::WeightOrder& order) {
  return order.unpack == nullptr && order.type.element == RuntimeDataType::kTypeBFloat16;
}

/// Packs the numbers of a constant from number `first` on. A weight that is still in its file is read part by part, so
/// that it never lies in memory as a whole, unless it has to stay: what packing transforms beyond return.
void Pack(const TensorArgument& weight, int64_t first, PackedWeight& packed) {
  if (const auto integers = IntegersFor(weight, *packed.order)) {
    PackIntegers(*integers, first, packed);
    return;
  }
  const bool stays = packed.order->unpack == nullptr && !Rounds(*packed.order);
  const auto stored = weight.weight == nullptr || stays ? nullptr : weight.weight->stored();
  void* const target = packed.packed.raw();
  if (stored == nullptr) {
    const NdArray values = weight.values();
    kernel::PackWhole(*packed.order, packed.shape, values.data<float>() + first, target);
    return;
  }
  const auto read = [&](int64_t begin, int64_t count, float* part) {
    stored->Read(FloatBytes(first + begin), FloatBytes(count), part);
  };
  kernel::PackInParts(*packed.order, packed.shape, read, target);
}

/// What a packed weight is called in the cache; empty where there is no cache or the weight is of no file.
std::string CacheName(const PlanningContext& context, const TensorArgument& weight, int64_t first,
                      const PackedWeight& packed) {
  if (context.cache == nullptr || weight.weight == nullptr || weight.weight->place() < 0) return {};
  const kernel::WeightShape& shape = packed.shape;
  return NumbersString({weight.weight->place(), first, shape.groups, shape.outputs, shape.inputs, shape.taps}) + " " +
         packed.order->name;
}

bool FindInCache(const PlanningContext& context, const TensorArgument& weight, int64_t first, PackedWeight& packed) {
  const std::string name = CacheName(context, weight, first, packed);
  if (name.empty()) return false;
  std::optional<NdArray> found = context.cache->Find(name);
  if (!found || found->size() != packed.order->bytes(packed.shape)) return false;
  packed.packed = std::move(*found);
  const auto integers = IntegersFor(weight, *packed.order);
  const auto bytes = [&](int64_t count) {
    return integers != nullptr ? kernel::StoredIntegerBytes(integers->bits, count) : FloatBytes(count);
  };
  const auto stored = (integers != nullptr ? *integers->integers : *weight.weight).stored();
  if (stored != nullptr) stored->Skip(bytes(first), bytes(packed.shape.size()));
  return true;
}

/// The numbers of a constant from number `first` on, as a weight of this shape.
std::shared_ptr<const PackedWeight> FindOrPack(const PlanningContext& context, const TensorArgument& weight,
                                               int64_t first, const kernel::WeightShape& shape,
                                               const kernel::WeightOrder& order,
                                               std::shared_ptr<const PackedWeight> scales = nullptr) {
  const PackedWeights::Key key{weight.weight != nullptr ? weight.weight->id() : 0,
                               weight.constant.raw(),
                               first,
                               shape.groups,
                               shape.outputs,
                               shape.inputs,
                               shape.taps,
                               &order};
  const auto make = [&] {
    auto result = std::make_shared<PackedWeight>();
    result->source = weight.constant;
    result->order = &order;
    result->shape = shape;
    result->scales = scales;
    if (FindInCache(context, weight, first, *result)) return result;
    result->packed = MappedArray(RuntimeDataType::kTypeUInt8, {order.bytes(shape)});
    Pack(weight, first, *result);
    const std::string name = CacheName(context, weight, first, *result);
    if (!name.empty()) context.cache->Add(name, result->packed);
    return result;
  };
  return context.packed != nullptr ? context.packed->FindOrMake(key, make) : make();
}

}  // namespace

bool CanPack(const TensorArgument& weight) {
  return weight.is_constant() && weight.spec.type == RuntimeDataType::kTypeFloat32 && weight.spec.rank() >= 2 &&
         weight.spec.size() > 0 && (weight.weight != nullptr || weight.constant.contiguous()) &&
         kernel::HasWeightProduct();
}

void PackedWeight::SetIn(kernel::WeightProduct& product) const {
  product.weight = data();
  product.weight_type = type();
  if (scales != nullptr) product.scales = {scales->data(), scales->shape.inputs};
}

std::shared_ptr<const PackedWeight> PackLeftWeight(const PlanningContext& context, const TensorArgument& weight,
                                                   int64_t groups) {
  if (!CanPack(weight)) return nullptr;
  const int64_t rows = weight.spec.shape[0];
  return FindOrPack(context, weight, 0, {groups, rows / groups, weight.spec.size() / rows, 1}, kernel::kLeftPanelOrder);
}

std::shared_ptr<const PackedWeight> PackLinearWeight(const PlanningContext& context, const TensorArgument& weight,
                                                     const kernel::WeightOrder& order) {
  return weight.spec.rank() == 2 ? PackLinearWeight(context, weight, 0, weight.spec.shape[0], order) : nullptr;
}

std::shared_ptr<const PackedWeight> PackLinearWeight(const PlanningContext& context, const TensorArgument& weight,
                                                     int64_t first, int64_t count, const kernel::WeightOrder& order) {
  if (!CanPack(weight) || weight.spec.rank() != 2) return nullptr;
  const int64_t depth = weight.spec.shape[1];
  const auto quantized = QuantizedForm(weight);
  std::shared_ptr<const PackedWeight> scales;
  if (quantized != nullptr && &order == &kernel::QuantizedPanelOrder(quantized->bits)) {
    TensorArgument numbers;
    numbers.SetValues(quantized->scales);
    scales = PackLinearWeight(context, numbers, first, count, kernel::kPanelOrder);
  }
  return FindOrPack(context, weight, first * depth, {1, count, depth, 1}, order, scales);
}

std::shared_ptr<const PackedWeight> PackMatrixWeight(const PlanningContext& context, const TensorArgument& weight,
                                                     const kernel::WeightType& type) {
  if (!CanPack(weight) || weight.spec.rank() != 2) return nullptr;
  return FindOrPack(context, weight, 0, {1, weight.spec.shape[1], weight.spec.shape[0], 1},
                    kernel::MatrixPanelOrderOf(type));
}

std::shared_ptr<const PackedWeight> PackConvolutionWeight(const PlanningContext& context, const TensorArgument& weight,
                                                          const kernel::ChannelsLastConvolution& convolution) {
  if (!CanPack(weight)) return nullptr;
  return FindOrPack(context, weight, 0, kernel::WeightShapeOf(convolution.geometry), *convolution.method->weight_order);
}

void NotePacked(const TensorArgument& weight, const std::vector<std::shared_ptr<const PackedWeight>>& parts,
                std::vector<PackedInput>& notes) {
  const bool complete = std::all_of(parts.begin(), parts.end(), [](const auto& part) { return part != nullptr; });
  if (weight.weight == nullptr || !complete) return;
  PackedInput note;
  note.input = weight.input;
  const bool reversible =
      std::all_of(parts.begin(), parts.end(), [](const auto& part) { return part->order->unpack != nullptr; });
  const bool integers = !parts.empty() && parts.front()->order->integers();
  // A packed form of float numbers doesn't replace integers, which take less memory.
  if (reversible && integers == (weight.weight->quantized() != nullptr)) {
    const std::shared_ptr<Weight> source = integers ? weight.weight->quantized()->integers : weight.weight;
    note.weight = source;
    note.restore = [parts, integers, spec = source->spec(), shape = weight.weight->spec().shape] {
      const NdArray numbers(RuntimeDataType::kTypeFloat32, shape);
      float* target = numbers.data<float>();
      for (const auto& part : parts) {
        part->order->unpack(part->shape, part->packed.raw(), target);
        target += part->shape.size();
      }
      if (!integers) return numbers;
      const NdArray stored(spec);
      const int bits = spec.type == RuntimeDataType::kTypeInt8 ? 8 : 4;
      kernel::EncodeIntegers(bits, numbers.data<float>(), numbers.size(), static_cast<uint8_t*>(stored.raw()));
      return stored;
    };
  } else if (std::any_of(parts.begin(), parts.end(), [](const auto& part) { return Rounds(*part->order); })) {
    note.weight = weight.weight;
  }
  notes.push_back(std::move(note));
}

}  // namespace kuiper_infer
