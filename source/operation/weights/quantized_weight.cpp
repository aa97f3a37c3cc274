// SPDX-License-Identifier: MIT
#include "operation/weights/quantized_weight.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "operation/weights/format_parameters.hpp"
#include "utils/numbers_string.hpp"

namespace kuiper_infer {
namespace {

/// Removes an attribute from the list and returns it, or null if there is none.
std::shared_ptr<Weight> Take(Weights& weights, const std::string& name) {
  const auto found = weights.find(name);
  if (found == weights.end()) return nullptr;
  std::shared_ptr<Weight> weight = std::move(found->second);
  weights.erase(found);
  return weight;
}

/// Reads the zero points of the rows, which are integers of 8 bits. Returns whether all are zero, as in symmetric
/// weights.
bool AllZero(const std::string& name, const NdArray& zero_points, int64_t rows) {
  if (zero_points.shape() != Shape{rows}) {
    FailAttribute(name, "is " + SpecString(zero_points.spec()) + ", expected " + std::to_string(rows) + " integers");
  }
  const NdArray numbers = zero_points.To(RuntimeDataType::kTypeFloat64).Contiguous();
  for (int64_t row = 0; row < rows; ++row) {
    const double zero = numbers.data<double>()[row];
    if (zero != std::floor(zero) || zero < -128 || zero > 127) {
      FailAttribute(
          name, "has " + NumberString(zero) + " at " + std::to_string(row) + ", expected an integer from -128 to 127");
    }
  }
  return std::all_of(numbers.data<double>(), numbers.data<double>() + rows, [](double zero) { return zero == 0; });
}

/// The numbers of a weight whose rows have zero points: (q - zero point) * scale.
NdArray ShiftedNumbers(const QuantizedWeight& weight, const NdArray& zero_points) {
  const NdArray zeros = zero_points.To(RuntimeDataType::kTypeFloat32).Contiguous();
  const NdArray scales = weight.FloatParameters();
  NdArray numbers = weight.integers->values().To(RuntimeDataType::kTypeFloat32).Contiguous();
  for (int64_t i = 0, count = numbers.size(); i < count; ++i) {
    const int64_t row = i / weight.row_size();
    float& number = numbers.data<float>()[i];
    number = (number - zeros.data<float>()[row]) * scales.data<float>()[row];
  }
  return numbers;
}

/// Returns whether a weight's further attributes are the parameters of a format.
bool HasParameters(const kernel::WeightFormat& format, const std::set<std::string>& endings) {
  std::set<std::string> expected;
  for (const kernel::FormatParameter& parameter : format.parameters) expected.insert(parameter.ending);
  return expected == endings;
}

/// Whether an attribute can hold a format's integers. Formats with several integers a byte have matrices only.
bool HoldsIntegers(const kernel::WeightFormat& format, const TensorSpec& spec) {
  return spec.type == format.stored && (format.NumbersPerByte() == 1 ? spec.rank() >= 1 : spec.rank() == 2);
}

/// The format of the integers of attribute `name`, beside which there are attributes of these endings.
const kernel::WeightFormat& FormatOf(const std::string& name, const TensorSpec& spec,
                                     const std::set<std::string>& endings) {
  bool known = false;
  bool nibbles = false;
  for (const kernel::WeightFormat* format : kernel::StoredFormats()) {
    if (!HasParameters(*format, endings)) continue;
    if (HoldsIntegers(*format, spec)) return *format;
    known = true;
    nibbles = nibbles || format->NumbersPerByte() == 2;
  }
  const std::string beside = name + *endings.begin();
  if (!known)
    FailAttribute(beside,
                  "is beside the weight '" + name + "', expected all scales and zero points of one weight format");
  FailAttribute(name, "is " + SpecString(spec) + " beside '" + beside + "', expected int8" +
                          (nibbles ? ", or uint8 of rank 2 that holds two numbers a byte" : ""));
}

/// Joins the integers of attribute `name` with their parameters, which it takes out of the list.
QuantizedWeight Read(Weights& weights, const std::string& name, const std::set<std::string>& endings) {
  QuantizedWeight weight;
  weight.integers = weights.at(name);
  const TensorSpec& stored = weight.integers->spec();
  weight.format = &FormatOf(name, stored, endings);
  Shape shape = stored.shape;
  shape.back() *= weight.format->NumbersPerByte();
  weight.spec = TensorSpec(RuntimeDataType::kTypeFloat32, shape);
  std::vector<NamedWeight> attributes;
  for (const kernel::FormatParameter& parameter : weight.format->parameters) {
    attributes.push_back({name + parameter.ending, Take(weights, name + parameter.ending)});
  }
  weight.parameters = ReadParameters(*weight.format, attributes, weight.rows(), weight.row_size());
  return weight;
}

/// The weights beside which parameters stand, each with the endings of their names.
std::map<std::string, std::set<std::string>> FindParameters(const Weights& weights) {
  std::map<std::string, std::set<std::string>> found;
  for (const auto& [key, weight] : weights) {
    if (const kernel::FormatParameter* const parameter = kernel::FindParameter(key)) {
      const std::string ending = parameter->ending;
      found[key.substr(0, key.size() - ending.size())].insert(ending);
    }
  }
  return found;
}

}  // namespace

std::shared_ptr<const QuantizedWeight> QuantizedForm(const TensorArgument& weight) {
  const auto quantized = weight.weight != nullptr ? weight.weight->quantized() : nullptr;
  return quantized != nullptr && quantized->spec.shape == weight.spec.shape ? quantized : nullptr;
}

std::shared_ptr<const QuantizedWeight> ChannelIntegers(const TensorArgument& weight) {
  const auto quantized = weight.weight != nullptr ? weight.weight->quantized() : nullptr;
  return quantized != nullptr && quantized->format == &kernel::kInt8Format ? quantized : nullptr;
}

NdArray QuantizedWeight::Numbers() const {
  const NdArray stored = integers->values().Contiguous();
  NdArray numbers(spec);
  format->decode(stored.data<uint8_t>(), numbers.size(), numbers.data<float>());
  const NdArray scales = FloatParameters();
  const int64_t count = groups() * format->ParameterCount();
  for (int64_t row = 0; row < rows(); ++row) {
    format->ScaleRow(scales.data<float>() + row * count, groups(), row_size(),
                     numbers.data<float>() + row * row_size());
  }
  return numbers;
}

void JoinQuantizedWeights(Weights& weights) {
  for (const auto& [name, endings] : FindParameters(weights)) {
    if (weights.count(name) == 0)
      FailAttribute(name + *endings.begin(), "belongs to the weight '" + name + "', which is missing");
    const auto read = std::make_shared<const QuantizedWeight>(Read(weights, name, endings));
    const std::string zeros_name = name + ".q_per_channel_zero_points";
    const std::shared_ptr<Weight> zeros = Take(weights, zeros_name);
    const bool symmetric = zeros == nullptr || AllZero(zeros_name, zeros->values(), read->rows());
    weights[name] =
        symmetric ? std::make_shared<Weight>(read) : std::make_shared<Weight>(ShiftedNumbers(*read, zeros->values()));
  }
}

}  // namespace kuiper_infer
