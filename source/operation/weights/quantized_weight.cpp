// SPDX-License-Identifier: MIT
#include "operation/weights/quantized_weight.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "kernel/movement/copy.hpp"
#include "operation/binder.hpp"
#include "utils/numbers_string.hpp"

namespace kuiper_infer {
namespace {

[[noreturn]] void Fail(const std::string& attribute, const std::string& text) {
  throw BindError("attribute '" + attribute + "' " + text, attribute, true);
}

/// Removes an attribute from the list and returns it, or null if there is none.
std::shared_ptr<Weight> Take(Weights& weights, const std::string& name) {
  const auto found = weights.find(name);
  if (found == weights.end()) return nullptr;
  std::shared_ptr<Weight> weight = std::move(found->second);
  weights.erase(found);
  return weight;
}

/// Whether all numbers are finite, and positive if they have to be.
bool Fit(const NdArray& numbers, bool positive) {
  bool fit = true;
  if (numbers.type() == RuntimeDataType::kTypeFloat16) {
    constexpr uint16_t kInfinity = 0x7C00;
    const auto* const bits = numbers.data<uint16_t>();
    for (int64_t i = 0, count = numbers.size(); i < count; ++i) {
      const bool finite = (bits[i] & kInfinity) != kInfinity;
      fit &= finite && (!positive || static_cast<uint16_t>(bits[i] - 1) < kInfinity - 1);
    }
    return fit;
  }
  const auto* const floats = numbers.data<float>();
  for (int64_t i = 0, count = numbers.size(); i < count; ++i) {
    fit &= std::isfinite(floats[i]) && (!positive || floats[i] > 0);
  }
  return fit;
}

/// Reads the parameters of one kind, as (rows, groups) of float16 or float32.
NdArray ReadParameters(const std::string& name, const Weight& given, const kernel::FormatParameter& parameter,
                       int64_t rows, bool by_group) {
  const TensorSpec& spec = given.spec();
  const bool fits = spec.rank() == (by_group ? 2 : 1) && spec.shape[0] == rows;
  if (!IsFloating(spec.type) || !fits) {
    Fail(name, "is " + SpecString(spec) + ", expected " + std::to_string(rows) + " floating numbers" +
                   (by_group ? " for each group" : ""));
  }
  const bool halves = spec.type == RuntimeDataType::kTypeFloat16;
  NdArray numbers = halves ? given.values() : given.values().To(RuntimeDataType::kTypeFloat32);
  if (!Fit(numbers, parameter.positive)) {
    const NdArray floats = numbers.To(RuntimeDataType::kTypeFloat32);
    const auto faulty = [&](float number) { return !std::isfinite(number) || (parameter.positive && !(number > 0)); };
    const auto* const first = floats.data<float>();
    const auto* const fault = std::find_if(first, first + floats.size(), faulty);
    Fail(name, "has " + NumberString(*fault) + " at " + std::to_string(fault - first) + ", expected a " +
                   (parameter.positive ? "positive" : "finite") + " number");
  }
  return numbers.Reshape({rows, by_group ? spec.shape[1] : 1});
}

/// Joins the parameters of all kinds, each (rows, groups) of one type, to (rows, groups, kinds).
NdArray Interleaved(const std::vector<NdArray>& kinds) {
  const auto count = static_cast<int64_t>(kinds.size());
  const Shape shape = {kinds[0].shape()[0], kinds[0].shape()[1], count};
  if (count == 1) return kinds[0].Reshape(shape);
  const NdArray all(kinds[0].type(), shape);
  for (int64_t i = 0; i < count; ++i) {
    const ArrayView target = all.AsStrided(kinds[0].shape(), {shape[1] * count, count}, i).mutable_view();
    kernel::Copy(kinds[static_cast<std::size_t>(i)].view(), target);
  }
  return all;
}

/// The parameters of one kind among those that Interleaved has joined: (rows, groups).
NdArray KindOf(const NdArray& all, int64_t kind) {
  const Shape& shape = all.shape();
  return all.AsStrided({shape[0], shape[1]}, {shape[1] * shape[2], shape[2]}, kind).Contiguous();
}

/// Reads the zero points of the rows, which are integers of 8 bits. Returns whether all are zero, as in symmetric
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
    Fail(beside, "is beside the weight '" + name + "', expected all scales and zero points of one weight format");
  Fail(name, "is " + SpecString(spec) + " beside '" + beside + "', expected int8" +
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
  std::vector<std::shared_ptr<Weight>> attributes;
  std::vector<NdArray> kinds;
  for (const kernel::FormatParameter& parameter : weight.format->parameters) {
    const std::string attribute = name + parameter.ending;
    attributes.push_back(Take(weights, attribute));
    kinds.push_back(ReadParameters(attribute, *attributes.back(), parameter, weight.rows(), weight.format->by_group));
    const int64_t groups = kinds.back().shape()[1];
    if (groups == 0 || weight.row_size() % groups != 0) {
      Fail(attribute, "has " + std::to_string(groups) + " groups, which don't divide the weight's rows of " +
                          std::to_string(weight.row_size()) + " numbers");
    }
    if (groups != kinds[0].shape()[1]) {
      Fail(attribute, "has " + std::to_string(groups) + " groups, expected " + std::to_string(kinds[0].shape()[1]) +
                          ", as many as '" + name + weight.format->parameters.front().ending + "' has");
    }
  }
  const auto other = [&](const NdArray& kind) { return kind.type() != kinds[0].type(); };
  if (std::any_of(kinds.begin(), kinds.end(), other)) {
    for (NdArray& kind : kinds) kind = kind.To(RuntimeDataType::kTypeFloat32);
  }
  weight.parameters = std::make_shared<Weight>(Interleaved(kinds));
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    const TensorSpec& spec = attributes[kind]->spec();
    if (spec.type != weight.parameters->spec().type) continue;  // converted, which may have rounded
    attributes[kind]->ReplaceBy([all = weight.parameters, kind, shape = spec.shape] {
      return KindOf(all->values(), static_cast<int64_t>(kind)).Reshape(shape);
    });
  }
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
      Fail(name + *endings.begin(), "belongs to the weight '" + name + "', which is missing");
    const auto read = std::make_shared<const QuantizedWeight>(Read(weights, name, endings));
    const std::string zeros_name = name + ".q_per_channel_zero_points";
    const std::shared_ptr<Weight> zeros = Take(weights, zeros_name);
    const bool symmetric = zeros == nullptr || AllZero(zeros_name, zeros->values(), read->rows());
    weights[name] =
        symmetric ? std::make_shared<Weight>(read) : std::make_shared<Weight>(ShiftedNumbers(*read, zeros->values()));
  }
}

}  // namespace kuiper_infer
