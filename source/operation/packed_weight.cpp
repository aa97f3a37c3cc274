// SPDX-License-Identifier: MIT
#include "operation/packed_weight.hpp"

#include <algorithm>

#include "data/cache_file.hpp"
#include "data/mapped_array.hpp"
#include "kernel/convolution/convolution_method.hpp"
#include "kernel/product/float32/kernel.hpp"
#include "operation/quantized_weight.hpp"
#include "utils/numbers_string.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer {
namespace {

/// Returns the integers that a layout packs, or null if it packs the weight's float numbers.
std::shared_ptr<const QuantizedWeight> IntegersFor(const TensorArgument& weight, const kernel::PackedLayout& layout) {
  return layout.packs_integers() ? weight.weight->quantized() : nullptr;
}

/// Packs integers of a weight from integer `first` on, read part by part.
void PackIntegers(const QuantizedWeight& weight, int64_t first, PackedWeight& packed) {
  const kernel::WeightFormat& format = *weight.format;
  const auto stored = weight.integers->stored();
  const NdArray values = stored == nullptr ? weight.integers->values() : NdArray();
  const auto read = [&](int64_t begin, int64_t count, float* part) {
    const int64_t offset = format.StoredBytes(first + begin);
    if (stored == nullptr) return format.decode(values.data<uint8_t>() + offset, count, part);
    std::vector<uint8_t> bytes(static_cast<std::size_t>(format.StoredBytes(count)));
    stored->Read(static_cast<uint64_t>(offset), bytes.size(), bytes.data());
    format.decode(bytes.data(), count, part);
  };
  kernel::PackInParts(*packed.layout, packed.shape, read, packed.packed.raw());
}

/// Sets the parameters of rows of a weight in integers, from the row of integer `first` on, as a kernel reads them.
void SetParameters(const QuantizedWeight& weight, int64_t first, const kernel::ProductKernel& kernel,
                   PackedWeight& packed) {
  const int64_t rows = packed.shape.groups * packed.shape.outputs;
  const int64_t count = weight.groups() * weight.format->ParameterCount();
  const float* const given = weight.parameters.data<float>() + first / weight.row_size() * count;
  packed.groups = weight.groups();
  if (!kernel.packs_parameters) {
    packed.parameters = NdArray(RuntimeDataType::kTypeFloat32, {rows});
    std::copy_n(given, rows, packed.parameters.data<float>());
    return;
  }
  const kernel::WeightPanels& panels = kernel::Float32Panels(kernel.units.isa);
  packed.parameters = NdArray(RuntimeDataType::kTypeFloat32, {panels.Bytes(rows, count) / FloatBytes(1)});
  panels.Pack({rows, count, 1, given, count}, packed.parameters.raw());
}

/// Whether packing rounds the numbers. Where the weight's own are wanted, they are read from their file again.
bool Rounds(const kernel::PackedLayout& layout) { return !layout.Reversible() && layout.format.pieces > 0; }

/// Packs the numbers of a constant from number `first` on. A weight that is still in its file is read part by part, so
/// that it never lies in memory as a whole, unless it has to stay: what packing transforms beyond return.
void Pack(const TensorArgument& weight, int64_t first, PackedWeight& packed) {
  if (const auto integers = IntegersFor(weight, *packed.layout)) {
    PackIntegers(*integers, first, packed);
    return;
  }
  const bool stays = !packed.layout->Reversible() && !Rounds(*packed.layout);
  const auto stored = weight.weight == nullptr || stays ? nullptr : weight.weight->stored();
  void* const target = packed.packed.raw();
  if (stored == nullptr) {
    const NdArray values = weight.values();
    kernel::PackWhole(*packed.layout, packed.shape, values.data<float>() + first, target);
    return;
  }
  const auto read = [&](int64_t begin, int64_t count, float* part) {
    stored->Read(FloatBytes(first + begin), FloatBytes(count), part);
  };
  kernel::PackInParts(*packed.layout, packed.shape, read, target);
}

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

/// The numbers of a constant from number `first` on, as a weight of this shape. `kernel` reads the parameters of
/// integers.
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
    if (const auto integers = IntegersFor(weight, layout)) SetParameters(*integers, first, *kernel, *result);
    if (FindInCache(context, weight, first, *result)) return result;
    result->packed = MappedArray(RuntimeDataType::kTypeUInt8, {layout.Bytes(shape)});
    Pack(weight, first, *result);
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

void NotePacked(const TensorArgument& weight, const std::vector<std::shared_ptr<const PackedWeight>>& parts,
                std::vector<PackedInput>& notes) {
  const bool complete = std::all_of(parts.begin(), parts.end(), [](const auto& part) { return part != nullptr; });
  if (weight.weight == nullptr || !complete) return;
  PackedInput note;
  note.input = weight.input;
  const bool reversible =
      std::all_of(parts.begin(), parts.end(), [](const auto& part) { return part->layout->Reversible(); });
  const bool integers = !parts.empty() && parts.front()->layout->packs_integers();
  // A packed form of float numbers doesn't replace integers, which take less memory.
  if (reversible && integers == (weight.weight->quantized() != nullptr)) {
    const std::shared_ptr<Weight> source = integers ? weight.weight->quantized()->integers : weight.weight;
    note.weight = source;
    const kernel::WeightFormat* const format = integers ? weight.weight->quantized()->format : nullptr;
    note.restore = [parts, format, spec = source->spec(), shape = weight.weight->spec().shape] {
      const NdArray numbers(RuntimeDataType::kTypeFloat32, shape);
      float* target = numbers.data<float>();
      for (const auto& part : parts) {
        part->layout->Unpack(part->shape, part->packed.raw(), target);
        target += part->shape.size();
      }
      if (format == nullptr) return numbers;
      const NdArray stored(spec);
      format->encode(numbers.data<float>(), numbers.size(), static_cast<uint8_t*>(stored.raw()));
      return stored;
    };
  } else if (std::any_of(parts.begin(), parts.end(), [](const auto& part) { return Rounds(*part->layout); })) {
    note.weight = weight.weight;
  }
  notes.push_back(std::move(note));
}

}  // namespace kuiper_infer
