// SPDX-License-Identifier: MIT
#include "quantization/gate.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "kuiper_infer/utils/error.hpp"
#include "quantization/signal_to_noise.hpp"

namespace kuiper_infer::quantization {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

using Answers = std::vector<int64_t>;

/// The axis along which an output's answers lie; none where it has none.
std::optional<int64_t> AnswerAxis(const NdArray& output, std::optional<int> axis) {
  const int64_t rank = output.rank();
  if (axis) {
    const int64_t wanted = *axis < 0 ? rank + *axis : *axis;
    if (wanted >= 0 && wanted < rank) return wanted;
    throw Error(ErrorCode::kArgument,
                "the first output " + ShapeString(output.shape()) + " has no axis " + std::to_string(*axis));
  }
  for (int64_t at = rank - 1; at >= 0; --at) {
    if (output.shape()[at] > 1) return at;
  }
  return std::nullopt;
}

std::optional<Answers> AnswersOf(const NdArray& output, std::optional<int> axis) {
  if (!IsFloating(output.type())) {
    const NdArray integers = output.To(RuntimeDataType::kTypeInt64).Contiguous();
    return Answers(integers.data<int64_t>(), integers.data<int64_t>() + integers.size());
  }
  const std::optional<int64_t> along = AnswerAxis(output, axis);
  if (!along) return std::nullopt;
  const NdArray numbers = output.To(RuntimeDataType::kTypeFloat64).Contiguous();
  const Shape& shape = numbers.shape();
  const int64_t extent = shape[*along];
  const int64_t inner = ElementCount({shape.begin() + *along + 1, shape.end()});
  const int64_t outer = ElementCount({shape.begin(), shape.begin() + *along});
  Answers answers;
  for (int64_t i = 0; extent > 0 && i < outer * inner; ++i) {
    const double* const first = numbers.data<double>() + i / inner * extent * inner + i % inner;
    int64_t best = 0;
    for (int64_t k = 1; k < extent; ++k) {
      if (first[k * inner] > first[best * inner]) best = k;
    }
    answers.push_back(best);
  }
  return answers;
}

/// What the answers of an output are that has some.
std::string AnswersText(const NdArray& output, std::optional<int> axis) {
  if (!IsFloating(output.type())) return "elements of the first output";
  return "largest elements along axis " + std::to_string(*AnswerAxis(output, axis)) + " of the first output";
}

}  // namespace

Likeness CompareOutputs(RuntimeGraph& wanted, RuntimeGraph& found, const Samples& samples, std::optional<int> axis,
                        const Progress& progress) {
  std::vector<SignalToNoise> ratios;
  double kept = 0;
  double answers = 0;
  std::string what;
  for (std::size_t sample = 0; sample < samples.count; ++sample) {
    const std::vector<NdArray> right = RunSample(wanted, samples, sample);
    const std::vector<NdArray> given = RunSample(found, samples, sample);
    ratios.resize(std::max(ratios.size(), right.size()));
    for (std::size_t i = 0; i < right.size(); ++i) ratios[i].Add(right[i], given.at(i));
    const std::optional<Answers> right_answers = AnswersOf(right.front(), axis);
    if (right_answers) {
      what = AnswersText(right.front(), axis);
      answers += static_cast<double>(right_answers->size());
      const bool same_shape = right.front().shape() == given.front().shape();
      const Answers given_answers = same_shape ? *AnswersOf(given.front(), axis) : Answers{};
      for (std::size_t i = 0; i < given_answers.size(); ++i) kept += (*right_answers)[i] == given_answers[i] ? 1 : 0;
    }
    progress("outputs", sample + 1, samples.count);
  }
  Likeness likeness{std::nullopt, what, kInfinite};
  if (answers > 0) likeness.kept = kept / answers;
  for (const SignalToNoise& ratio : ratios) likeness.decibels = std::min(likeness.decibels, ratio.Decibels());
  return likeness;
}

Gate KeepGate(const FloatModel& model, const Samples& samples, double share, std::optional<int> axis,
              const Progress& progress) {
  const auto wanted = std::make_shared<RuntimeGraph>(model.Build(model.Load()));
  const auto measure = [=](std::unique_ptr<pnnx::Graph> graph) {
    RuntimeGraph found = model.Build(std::move(graph));
    const Likeness likeness = CompareOutputs(*wanted, found, samples, axis, progress);
    if (likeness.kept) return *likeness.kept;
    throw Error(ErrorCode::kArgument,
                "no array of the model's first output has an axis of several elements, so there "
                "is no top answer to keep");
  };
  return {"share of top answers kept", share, measure};
}

Gate DecibelGate(const FloatModel& model, const Samples& samples, double decibels, const Progress& progress) {
  const auto wanted = std::make_shared<RuntimeGraph>(model.Build(model.Load()));
  const auto measure = [=](std::unique_ptr<pnnx::Graph> graph) {
    RuntimeGraph found = model.Build(std::move(graph));
    return CompareOutputs(*wanted, found, samples, std::nullopt, progress).decibels;
  };
  return {"SQNR of the outputs in dB", decibels, measure};
}

}  // namespace kuiper_infer::quantization
