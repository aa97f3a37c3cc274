// SPDX-License-Identifier: MIT
#include "operation/quantized_weight.hpp"

#include <algorithm>
#include <cmath>

#include "kernel/quantization/stored_integers.hpp"
#include "operation/binder.hpp"
#include "utils/numbers_string.hpp"

namespace kuiper_infer {
namespace {

[[noreturn]] void Fail(const std::string& attribute, const std::string& text) {
  throw BindError("attribute '" + attribute + "' " + text, attribute, true);
}

/// Removes an attribute from the list; null where there is none.
std::shared_ptr<Weight> Take(Weights& weights, const std::string& name) {
  const auto found = weights.find(name);
  if (found == weights.end()) return nullptr;
  std::shared_ptr<Weight> weight = std::move(found->second);
  weights.erase(found);
  return weight;
}

/// The weight's scales as (rows, groups), which are positive numbers.
NdArray ReadScales(const std::string& name, const Weight& scales, int64_t rows, bool by_group) {
  const TensorSpec& spec = scales.spec();
  const bool floating = spec.type == RuntimeDataType::kTypeFloat32 || spec.type == RuntimeDataType::kTypeFloat64;
  const bool fits = spec.rank() == (by_group ? 2 : 1) && spec.shape[0] == rows;
  if (!floating || !fits) {
    Fail(name, "is " + SpecString(spec) + ", expected " + std::to_string(rows) + " floating numbers" +
                   (by_group ? " for each group" : ""));
  }
  const NdArray numbers =
      scales.values().To(RuntimeDataType::kTypeFloat32).Reshape({rows, by_group ? spec.shape[1] : 1});
  for (int64_t i = 0; i < numbers.size(); ++i) {
    const float scale = numbers.data<float>()[i];
    if (!(scale > 0) || !std::isfinite(scale)) {
      Fail(name, "has " + NumberString(scale) + " at " + std::to_string(i) + ", expected a positive number");
    }
  }
  return numbers;
}

/// Reads the zero points of the rows, which are integers of 8 bits: true where all are zero, as those of symmetric
/// weights.
bool AllZero(const std::string& name, const NdArray& zero_points, int64_t rows) {
  if (zero_points.shape() != Shape{rows}) {
    Fail(name, "is " + SpecString(zero_points.spec()) + ", expected " + std::to_string(rows) + " integers");
  }
  const NdArray numbers = zero_points.To(RuntimeDataType::kTypeFloat64).Contiguous();
  for (int64_t row = 0; row < rows; ++row) {
    const double zero = numbers.data<double>()[row];
    if (zero != std::floor(zero) || zero < -128 || zero > 127) {
      Fail(name, "has " + NumberString(zero) + " at " + std::to_string(row) + ", expected an integer from -128 to 127");
    }
  }
  return std::all_of(numbers.data<double>(), numbers.data<double>() + rows, [](double zero) { return zero == 0; });
}

/// The numbers of a weight whose rows have zero points: (q - zero point) * scale.
NdArray ShiftedNumbers(const QuantizedWeight& weight, const NdArray& zero_points) {
  const NdArray zeros = zero_points.To(RuntimeDataType::kTypeFloat32).Contiguous();
  NdArray numbers = weight.integers->values().To(RuntimeDataType::kTypeFloat32).Contiguous();
  for (int64_t i = 0; i < numbers.size(); ++i) {
    const int64_t row = i / weight.row_size();
    float& number = numbers.data<float>()[i];
    number = (number - zeros.data<float>()[row]) * weight.scales.data<float>()[row];
  }
  return numbers;
}

/// What the integers of attribute `name` are worth with these scales.
QuantizedWeight Read(const std::string& name, const std::shared_ptr<Weight>& integers, const std::string& scales_name,
                     const Weight& scales, bool by_group) {
  const TensorSpec& spec = integers->spec();
  const bool bytes = spec.type == RuntimeDataType::kTypeInt8 && spec.rank() >= 1;
  const bool nibbles = by_group && spec.type == RuntimeDataType::kTypeUInt8 && spec.rank() == 2;
  if (!bytes && !nibbles) {
    Fail(name, "is " + SpecString(spec) + " beside '" + scales_name + "', expected int8" +
                   (by_group ? ", or uint8 of rank 2 that holds two numbers a byte" : ""));
  }
  QuantizedWeight weight;
  weight.spec = TensorSpec(RuntimeDataType::kTypeFloat32, spec.shape);
  weight.integers = integers;
  weight.bits = bytes ? 8 : 4;
  if (nibbles) weight.spec = TensorSpec(weight.spec.type, {spec.shape[0], 2 * spec.shape[1]});
  weight.scales = ReadScales(scales_name, scales, weight.rows(), by_group);
  const int64_t groups = weight.groups();
  if (groups == 0 || weight.row_size() % groups != 0) {
    Fail(scales_name, "has " + std::to_string(groups) + " groups, which don't divide the weight's rows of " +
                          std::to_string(weight.row_size()) + " numbers");
  }
  return weight;
}

}  // namespace

std::shared_ptr<const QuantizedWeight> QuantizedForm(const TensorArgument& weight) {
  const auto quantized = weight.weight != nullptr ? weight.weight->quantized() : nullptr;
  return quantized != nullptr && quantized->spec.shape == weight.spec.shape ? quantized : nullptr;
}

NdArray QuantizedWeight::Numbers() const {
  const NdArray stored = integers->values().Contiguous();
  NdArray numbers(spec);
  kernel::DecodeIntegers(bits, stored.data<uint8_t>(), numbers.size(), numbers.data<float>());
  kernel::MultiplyByScales(rows(), row_size(), scales.data<float>(), groups(), numbers.data<float>());
  return numbers;
}

void JoinQuantizedWeights(Weights& weights) {
  const std::vector<std::pair<std::string, bool>> kinds{{".q_per_channel_scales", false}, {".q_group_scales", true}};
  for (const auto& [ending, by_group] : kinds) {
    std::vector<std::string> names;
    for (const auto& [key, weight] : weights) {
      const bool scales = key.size() > ending.size() && key.compare(key.size() - ending.size(), key.npos, ending) == 0;
      if (scales) names.push_back(key.substr(0, key.size() - ending.size()));
    }
    for (const std::string& name : names) {
      if (weights.count(name) == 0) Fail(name + ending, "is there without the weight '" + name + "'");
      const std::shared_ptr<Weight> scales = Take(weights, name + ending);
      const auto read =
          std::make_shared<const QuantizedWeight>(Read(name, weights[name], name + ending, *scales, by_group));
      const std::string zeros_name = name + ".q_per_channel_zero_points";
      const std::shared_ptr<Weight> zeros = Take(weights, zeros_name);
      const bool symmetric = zeros == nullptr || AllZero(zeros_name, zeros->values(), read->rows());
      weights[name] =
          symmetric ? std::make_shared<Weight>(read) : std::make_shared<Weight>(ShiftedNumbers(*read, zeros->values()));
    }
  }
}

}  // namespace kuiper_infer
