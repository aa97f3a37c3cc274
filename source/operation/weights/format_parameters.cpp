// SPDX-License-Identifier: MIT
#include "operation/weights/format_parameters.hpp"

#include <algorithm>
#include <cmath>

#include "kernel/movement/copy.hpp"
#include "operation/binder.hpp"
#include "utils/numbers_string.hpp"

namespace kuiper_infer {
namespace {

/// Whether float16 numbers are finite, and positive if they have to be; without converting them, since there are many.
bool Fit(const uint16_t* bits, int64_t count, bool positive) {
  constexpr uint16_t kInfinity = 0x7C00;
  bool fit = true;
  for (int64_t i = 0; i < count; ++i) {
    const bool finite = (bits[i] & kInfinity) != kInfinity;
    fit &= finite && (!positive || static_cast<uint16_t>(bits[i] - 1) < kInfinity - 1);
  }
  return fit;
}

/// Throws BindError that names the first number that is not finite, or not positive although it has to be.
void CheckFloats(const std::string& name, const NdArray& numbers, bool positive) {
  const auto faulty = [&](float number) { return !std::isfinite(number) || (positive && !(number > 0)); };
  const auto* const first = numbers.data<float>();
  const auto* const fault = std::find_if(first, first + numbers.size(), faulty);
  if (fault == first + numbers.size()) return;
  FailAttribute(name, "has " + NumberString(*fault) + " at " + std::to_string(fault - first) + ", expected a " +
                          (positive ? "positive" : "finite") + " number");
}

/// Reads the parameters of one kind, as (rows, groups) of float16 or float32.
NdArray ReadKind(const NamedWeight& attribute, const kernel::FormatParameter& parameter, int64_t rows, bool by_group) {
  const std::string& name = attribute.name;
  const Weight& given = *attribute.weight;
  const TensorSpec& spec = given.spec();
  const bool fits = spec.rank() == (by_group ? 2 : 1) && spec.shape[0] == rows;
  if (!IsFloating(spec.type) || !fits) {
    FailAttribute(name, "is " + SpecString(spec) + ", expected " + std::to_string(rows) + " floating numbers" +
                            (by_group ? " for each group" : ""));
  }
  NdArray numbers = given.values();
  if (spec.type != RuntimeDataType::kTypeFloat16) {
    numbers = numbers.To(RuntimeDataType::kTypeFloat32);
    CheckFloats(name, numbers, parameter.positive);
  } else if (!Fit(numbers.data<uint16_t>(), numbers.size(), parameter.positive)) {
    CheckFloats(name, numbers.To(RuntimeDataType::kTypeFloat32), parameter.positive);
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

/// One kind of the parameters that Interleaved has joined: (rows, groups).
NdArray KindOf(const NdArray& all, int64_t kind) {
  const Shape& shape = all.shape();
  return all.AsStrided({shape[0], shape[1]}, {shape[1] * shape[2], shape[2]}, kind).Contiguous();
}

}  // namespace

void FailAttribute(const std::string& attribute, const std::string& text) {
  throw BindError("attribute '" + attribute + "' " + text, attribute, true);
}

std::shared_ptr<Weight> ReadParameters(const kernel::WeightFormat& format, const std::vector<NamedWeight>& attributes,
                                       int64_t rows, int64_t row_size) {
  std::vector<NdArray> kinds;
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    const std::string& name = attributes[i].name;
    kinds.push_back(ReadKind(attributes[i], format.parameters[i], rows, format.by_group));
    const int64_t groups = kinds.back().shape()[1];
    if (groups == 0 || row_size % groups != 0) {
      FailAttribute(name, "has " + std::to_string(groups) + " groups, which don't divide the weight's rows of " +
                              std::to_string(row_size) + " numbers");
    }
    if (groups != kinds[0].shape()[1]) {
      FailAttribute(name, "has " + std::to_string(groups) + " groups, expected " + std::to_string(kinds[0].shape()[1]) +
                              ", as many as '" + attributes[0].name + "' has");
    }
  }
  const auto other = [&](const NdArray& kind) { return kind.type() != kinds[0].type(); };
  if (std::any_of(kinds.begin(), kinds.end(), other)) {
    for (NdArray& kind : kinds) kind = kind.To(RuntimeDataType::kTypeFloat32);
  }
  auto parameters = std::make_shared<Weight>(Interleaved(kinds));
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    const TensorSpec& spec = attributes[kind].weight->spec();
    if (spec.type != parameters->spec().type) continue;  // converted, which may have rounded
    attributes[kind].weight->ReplaceBy([parameters, kind, shape = spec.shape] {
      return KindOf(parameters->values(), static_cast<int64_t>(kind)).Reshape(shape);
    });
  }
  return parameters;
}

}  // namespace kuiper_infer
