// SPDX-License-Identifier: MIT
#include <algorithm>

#include "operation/weights/packed_weight.hpp"
#include "operation/weights/weight_packing.hpp"

namespace kuiper_infer {

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
