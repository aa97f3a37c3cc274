// SPDX-License-Identifier: MIT
#include "operation/weights/weight_packing.hpp"

#include <algorithm>
#include <cstring>

#include "kernel/product/float32/kernel.hpp"
#include "utils/half.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer {
namespace {

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

/// Whether float16 holds the number.
bool IsHalf(float number) {
  uint32_t word = 0;
  std::memcpy(&word, &number, sizeof(word));
  const uint32_t magnitude = word & 0x7FFFFFFFU;
  // In the range of normal float16 numbers, float16 holds the number if the last 13 of 23 mantissa bits are 0.
  if (magnitude >= 0x38800000U && magnitude < 0x47800000U) return (word & 0x1FFFU) == 0;
  return static_cast<float>(Float16(number)) == number;
}

}  // namespace

std::shared_ptr<const QuantizedWeight> IntegersFor(const TensorArgument& weight, const kernel::PackedLayout& layout) {
  return layout.packs_integers() ? weight.weight->quantized() : nullptr;
}

bool Rounds(const kernel::PackedLayout& layout) { return !layout.Reversible() && layout.format.pieces > 0; }

void PackNumbers(const TensorArgument& weight, int64_t first, PackedWeight& packed) {
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

void PackParameters(const QuantizedWeight& weight, int64_t first, const kernel::ProductKernel& kernel,
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
  const bool halves = weight.groups() <= kernel.half_groups && std::all_of(given, given + rows * count, IsHalf);
  if (halves) packed.parameters = packed.parameters.To(RuntimeDataType::kTypeFloat16);
}

}  // namespace kuiper_infer
