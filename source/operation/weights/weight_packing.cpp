// SPDX-License-Identifier: MIT
#include "operation/weights/weight_packing.hpp"

#include <algorithm>
#include <cstring>

#include "kernel/movement/copy.hpp"
#include "kernel/product/float32/kernel.hpp"
#include "utils/half.hpp"
#include "utils/rounding.hpp"
#include "utils/threads/parallel.hpp"

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

bool AreHalves(const NdArray& numbers) {
  if (numbers.type() == RuntimeDataType::kTypeFloat16) return true;
  const auto* const floats = numbers.data<float>();
  return std::all_of(floats, floats + numbers.size(), IsHalf);
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
  const NdArray given =
      weight.parameters->values().AsStrided({rows, count}, {count, 1}, first / weight.row_size() * count);
  packed.groups = weight.groups();
  if (!kernel.packs_parameters) {
    packed.parameters = given.To(RuntimeDataType::kTypeFloat32).Reshape({rows});
    return;
  }
  const bool halves = weight.groups() <= kernel.half_groups && AreHalves(given);
  const kernel::WeightPanels& panels = kernel::Float32Panels(kernel.units.isa);
  const auto size_before = [&](int64_t row) { return panels.Bytes(row, count) / FloatBytes(1); };
  packed.parameter_panels = &panels;
  packed.parameters =
      NdArray(halves ? RuntimeDataType::kTypeFloat16 : RuntimeDataType::kTypeFloat32, {size_before(rows)});
  // A part is as large as it may be to stay in the cache while it is converted.
  constexpr int64_t kPartNumbers = int64_t{1} << 14;
  const int64_t part = std::max<int64_t>(1, kPartNumbers / (count * panels.Columns())) * panels.Columns();
  ParallelFor(DivideUp(rows, part), 1, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin * part; row < std::min(rows, end * part); row += part) {
      const int64_t taken = std::min(part, rows - row);
      const NdArray floats = given.AsStrided({taken, count}, {count, 1}, row * count).To(RuntimeDataType::kTypeFloat32);
      const NdArray ordered(RuntimeDataType::kTypeFloat32, {size_before(taken)});
      panels.Pack({taken, count, 1, floats.data<float>(), count}, ordered.raw());
      kernel::Copy(ordered.view(), packed.parameters.AsStrided(ordered.shape(), {1}, size_before(row)).mutable_view());
    }
  });
}

}  // namespace kuiper_infer
