// SPDX-License-Identifier: MIT
#include "quantization/graph_edits.hpp"

#include <algorithm>
#include <cstring>

#include "kuiper_infer/utils/data_type.hpp"
#include "quantization/additions.hpp"
#include "quantization/observation/signal_to_noise.hpp"
#include "quantization/weight_rounding.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::quantization {
namespace {

constexpr int kFloat32 = static_cast<int>(RuntimeDataType::kTypeFloat32);

template <class Element>
pnnx::Attribute MakeAttribute(RuntimeDataType type, std::vector<int> shape, const std::vector<Element>& values) {
  pnnx::Attribute attribute;
  attribute.type = static_cast<int>(type);
  attribute.shape = std::move(shape);
  attribute.data.resize(values.size() * sizeof(Element));
  if (!values.empty()) std::memcpy(attribute.data.data(), values.data(), attribute.data.size());
  return attribute;
}

/// An attribute of floating numbers of that type.
pnnx::Attribute MakeParameters(RuntimeDataType type, const std::vector<int>& shape, const std::vector<float>& values) {
  const Shape extents(shape.begin(), shape.end());
  const NdArray numbers = NdArray::View(values.data(), extents).To(type).Contiguous();
  pnnx::Attribute attribute;
  attribute.type = static_cast<int>(type);
  attribute.shape = shape;
  const auto* const bytes = static_cast<const char*>(numbers.raw());
  attribute.data.assign(bytes, bytes + ByteCount(type, extents));
  return attribute;
}

/// The signal-to-noise ratio of a weight, whose noise is the difference between `numbers` and the weight.
std::optional<double> DecibelsOf(const std::vector<float>& values, const std::vector<float>& numbers) {
  constexpr std::size_t kPiece = std::size_t{1} << 20;  // SignalToNoise::Add copies its arrays
  SignalToNoise ratio;
  for (std::size_t first = 0; first < values.size(); first += kPiece) {
    const Shape shape{static_cast<int64_t>(std::min(kPiece, values.size() - first))};
    ratio.Add(NdArray::View(&values[first], shape), NdArray::View(&numbers[first], shape));
  }
  return ratio.Decibels();
}

/// Whether an operator is part of the skip of a block: the normalisation beside its convolutions, or the sum of more
/// than two branches. If these operators read rounded arrays, the skip would gain an error in each block. They are
/// computed in float in any case.
bool ReadsUnrounded(const pnnx::Operator& reader) {
  return reader.type == "nn.BatchNorm2d" || (IsSum(reader) && reader.inputs.size() > 2);
}

RoundedWeight RoundWindowsToNarrowPairs(const std::vector<float>& values, const std::vector<int>& shape) {
  const int64_t rows = shape[0];
  const int64_t inputs = shape[1];
  const int64_t taps = static_cast<int64_t>(values.size()) / (rows * inputs);
  const bool square = shape.size() == 4 && shape[2] == shape[3];
  if (square && inputs == 1) return RoundToNarrowColumns(values.data(), rows, shape[2]);
  // A kernel may read each row of a square window as a segment. With even `inputs`, pairs do not depend on segments.
  return RoundToNarrowPairs(values.data(), rows, inputs, taps, square ? shape[2] : 1);
}

}  // namespace

std::string FreeName(const pnnx::Graph& graph, std::string name) {
  const auto taken = [&] {
    return graph.get_operand(name) != nullptr ||
           std::any_of(graph.ops.begin(), graph.ops.end(), [&](const pnnx::Operator* op) { return op->name == name; });
  };
  while (taken()) name += "_";
  return name;
}

pnnx::Operand* AddQuantize(pnnx::Graph& graph, pnnx::Operand* operand, const kernel::QuantizationGrid& grid,
                           const std::string& name) {
  pnnx::Operator* const op =
      graph.new_operator_after("nn.quantized.Quantize", FreeName(graph, name), operand->producer);
  op->params["scale"] = grid.scale;
  op->params["zero_point"] = grid.zero_point;
  op->params["dtype"] = "torch.quint8";
  op->inputs.push_back(operand);
  operand->consumers.push_back(op);
  pnnx::Operand* const rounded = graph.new_operand(FreeName(graph, name + "_out"));
  rounded->producer = op;
  rounded->type = kFloat32;
  rounded->shape = operand->shape;
  rounded->has_shape = operand->has_shape;
  op->outputs.push_back(rounded);
  return rounded;
}

pnnx::Operator* InsertQuantize(pnnx::Graph& graph, pnnx::Operand* operand, const kernel::QuantizationGrid& grid) {
  const std::vector<pnnx::Operator*> readers = operand->consumers;
  pnnx::Operand* const rounded = AddQuantize(graph, operand, grid, "quantize_" + operand->name);
  for (pnnx::Operator* reader : readers) {
    if (reader->type == "pnnx.Output" || ReadsUnrounded(*reader)) continue;
    *std::find(reader->inputs.begin(), reader->inputs.end(), operand) = rounded;
    operand->remove_consumer(reader);
    rounded->consumers.push_back(reader);
  }
  return rounded->producer;
}

void AddOutput(pnnx::Graph& graph, pnnx::Operand* operand) {
  pnnx::Operator* const op = graph.new_operator("pnnx.Output", FreeName(graph, "output_" + operand->name));
  op->inputs.push_back(operand);
  operand->consumers.push_back(op);
}

std::optional<double> StoreByChannel(pnnx::Operator& op, const std::string& key, WeightRounding rounding) {
  pnnx::Attribute& weight = op.attrs.at(key);
  const std::vector<float> values = weight.get_float32_data();
  const int rows = weight.shape.front();
  const int64_t width = rows > 0 ? static_cast<int64_t>(values.size()) / rows : 0;
  const bool narrow = rounding == WeightRounding::kNarrowPairs && width > 0;
  const RoundedWeight rounded =
      narrow ? RoundWindowsToNarrowPairs(values, weight.shape) : RoundByRow(values.data(), rows, width);
  weight = MakeAttribute(RuntimeDataType::kTypeInt8, weight.shape, rounded.numbers);
  const kernel::FormatParameter& scale = kernel::kInt8Format.parameters.front();
  op.attrs[key + scale.ending] = MakeAttribute(scale.type, {rows}, rounded.scales);
  std::vector<float> numbers(rounded.numbers.begin(), rounded.numbers.end());
  for (int64_t i = 0; i < rows * width; ++i) numbers[i] *= static_cast<float>(rounded.scales[i / width]);
  return DecibelsOf(values, numbers);
}

std::optional<double> StoreInFormat(pnnx::Operator& op, const std::string& key, const kernel::WeightFormat& format,
                                    int64_t groups) {
  pnnx::Attribute& weight = op.attrs.at(key);
  const std::vector<float> values = weight.get_float32_data();
  const int rows = weight.shape[0];
  const int width = weight.shape[1];
  const int64_t size = width / groups;
  const int64_t count = format.ParameterCount();
  std::vector<float> numbers(values.size());
  std::vector<float> parameters(static_cast<std::size_t>(rows * groups * count));
  ParallelFor(rows * groups, GrainFor(size * 64), [&](int64_t first, int64_t last) {
    for (int64_t group = first; group < last; ++group) {
      format.round(&values[group * size], size, &numbers[group * size], &parameters[group * count]);
    }
  });
  std::vector<uint8_t> stored(static_cast<std::size_t>(format.StoredBytes(static_cast<int64_t>(values.size()))));
  format.encode(numbers.data(), static_cast<int64_t>(numbers.size()), stored.data());
  weight = MakeAttribute(format.stored, {rows, width / static_cast<int>(format.NumbersPerByte())}, stored);
  const std::vector<int> shape = format.by_group ? std::vector<int>{rows, static_cast<int>(groups)} : std::vector{rows};
  for (int64_t i = 0; i < count; ++i) {
    std::vector<float> kind;
    for (int64_t group = 0; group < rows * groups; ++group) kind.push_back(parameters[group * count + i]);
    const kernel::FormatParameter& parameter = format.parameters[i];
    op.attrs[key + parameter.ending] = MakeParameters(parameter.type, shape, kind);
  }
  for (int64_t group = 0; group < rows * groups; ++group) {
    format.scale(&parameters[group * count], size, &numbers[group * size]);
  }
  return DecibelsOf(values, numbers);
}

void ShiftBias(pnnx::Operator& op, const std::vector<float>& shift) {
  const bool attention = op.type == "nn.MultiheadAttention";
  const std::string key = attention ? "in_proj_bias" : "bias";
  if (op.attrs.count(key) == 0) {
    if (attention) return;
    op.attrs["bias"] = pnnx::Attribute({static_cast<int>(shift.size())}, shift);
    op.params["bias"] = true;
    return;
  }
  pnnx::Attribute& bias = op.attrs[key];
  std::vector<float> values = bias.get_float32_data();
  if (bias.type != kFloat32 || values.size() != (attention ? 3 : 1) * shift.size()) return;
  // The weights of a row of attention add up to one, so a shift of all values shifts the result by the same numbers.
  const std::size_t first = values.size() - shift.size();
  for (std::size_t i = 0; i < shift.size(); ++i) values[first + i] += shift[i];
  bias.set_float32_data(values);
}

}  // namespace kuiper_infer::quantization
