// SPDX-License-Identifier: MIT
#include <algorithm>

#include "operation/weights/packed_weight.hpp"
#include "operation/weights/weight_packing.hpp"

namespace kuiper_infer {
namespace {

/// Notes that the parameters of integers are read in packed form only, if they are packed at all.
void NoteParameters(const TensorArgument& weight, const std::vector<std::shared_ptr<const PackedWeight>>& parts,
                    std::vector<PackedInput>& notes) {
  const auto packs = [](const auto& part) { return part->parameter_panels != nullptr; };
  if (!std::all_of(parts.begin(), parts.end(), packs)) return;
  const std::shared_ptr<Weight> source = weight.weight->quantized()->parameters;
  notes.push_back({weight.input, source, [parts, spec = source->spec()] {
                     const NdArray numbers(RuntimeDataType::kTypeFloat32, spec.shape);
                     float* target = numbers.data<float>();
                     for (const auto& part : parts) {
                       const int64_t rows = part->shape.groups * part->shape.outputs;
                       const int64_t of_row = spec.shape[1] * spec.shape[2];
                       const NdArray floats = part->parameters.To(RuntimeDataType::kTypeFloat32);
                       part->parameter_panels->Unpack({rows, of_row}, floats.raw(), target);
                       target += rows * of_row;
                     }
                     return numbers.To(spec.type);
                   }});
}

}  // namespace

void NotePacked(const TensorArgument& weight, const std::vector<std::shared_ptr<const PackedWeight>>& parts,
                std::vector<PackedInput>& notes, bool keeps_parameters) {
  const bool complete = std::all_of(parts.begin(), parts.end(), [](const auto& part) { return part != nullptr; });
  if (weight.weight == nullptr || !complete) return;
  PackedInput note;
  note.input = weight.input;
  const bool reversible =
      std::all_of(parts.begin(), parts.end(), [](const auto& part) { return part->layout->Reversible(); });
  const bool integers = !parts.empty() && parts.front()->layout->packs_integers();
  // A packed form of float numbers doesn't replace integers, which take less memory.
  if (reversible && integers == (weight.weight->quantized() != nullptr)) {
    if (integers && !keeps_parameters) NoteParameters(weight, parts, notes);
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
