// SPDX-License-Identifier: MIT
#include "quantization/search/gate.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kuiper_infer/utils/error.hpp"
#include "quantization/number_checks.hpp"
#include "quantization/observation/signal_to_noise.hpp"

namespace kuiper_infer::quantization {
namespace {

/// The index of the largest element; none if all elements are equal or one is a NaN.
using Answer = std::optional<int64_t>;
using Answers = std::vector<Answer>;

/// The axis along which an output has answers; none if it has no answers.
std::optional<int64_t> AnswerAxis(const NdArray& output, std::optional<int64_t> axis) {
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

/// The index of the largest of `count` numbers, `step` apart; the first one of several.
Answer LargestOf(const double* first, int64_t count, int64_t step) {
  int64_t best = 0;
  bool differ = false;
  for (int64_t k = 0; k < count; ++k) {
    const double number = first[k * step];
    if (std::isnan(number)) return std::nullopt;
    differ = differ || number != first[0];
    if (number > first[best * step]) best = k;
  }
  return differ ? Answer(best) : std::nullopt;
}

std::optional<Answers> AnswersOf(const NdArray& output, std::optional<int64_t> axis) {
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
    answers.push_back(LargestOf(numbers.data<double>() + i / inner * extent * inner + i % inner, extent, inner));
  }
  return answers;
}

/// Describes the answers of an output that has some.
std::string AnswersText(const NdArray& output, std::optional<int64_t> axis) {
  if (!IsFloating(output.type())) return "elements of the first output";
  return "largest elements along axis " + std::to_string(*AnswerAxis(output, axis)) + " of the first output";
}

/// The number of answers, and the number of answers that stay the same.
struct AnswerCount {
  double all = 0;
  double kept = 0;

  void Add(const Answers& right, const Answers& given) {
    for (std::size_t i = 0; i < right.size(); ++i) {
      if (!right[i]) continue;
      all += 1;
      kept += i < given.size() && given[i] == right[i] ? 1 : 0;
    }
  }
};

}  // namespace

OutputAgreement CompareOutputs(RuntimeGraph& wanted, RuntimeGraph& found, const Samples& samples,
                               std::optional<int64_t> axis, const Progress& progress) {
  std::vector<SignalToNoise> ratios;
  AnswerCount count;
  OutputAgreement agreement;
  for (std::size_t sample = 0; sample < samples.count; ++sample) {
    const std::vector<NdArray> right = RunSample(wanted, samples, sample);
    const std::vector<NdArray> given = RunSample(found, samples, sample);
    ratios.resize(std::max(ratios.size(), right.size()));
    for (std::size_t i = 0; i < right.size(); ++i) {
      RequireNoNan(right[i], samples.name(sample) + ": output " + std::to_string(i) + " of the float model");
      ratios[i].Add(right[i], given.at(i));
    }
    if (const std::optional<Answers> answers = AnswersOf(right.front(), axis)) {
      agreement.answers = AnswersText(right.front(), axis);
      const bool same_shape = right.front().shape() == given.front().shape();
      count.Add(*answers, same_shape ? *AnswersOf(given.front(), axis) : Answers{});
    }
    progress("outputs", sample + 1, samples.count);
  }
  if (count.all > 0) agreement.kept = count.kept / count.all;
  for (const SignalToNoise& ratio : ratios) {
    const std::optional<double> decibels = ratio.Decibels();
    if (decibels) agreement.decibels = std::min(*decibels, agreement.decibels.value_or(*decibels));
  }
  return agreement;
}

Gate KeepGate(const FloatModel& model, const Samples& samples, double share, std::optional<int64_t> axis,
              const Progress& progress) {
  const auto wanted = std::make_shared<RuntimeGraph>(model.Build(model.Load()));
  const auto measure = [=](std::unique_ptr<pnnx::Graph> graph) {
    RuntimeGraph found = model.Build(std::move(graph));
    const OutputAgreement agreement = CompareOutputs(*wanted, found, samples, axis, progress);
    if (agreement.kept) return *agreement.kept;
    throw Error(ErrorCode::kArgument,
                "the model's first output has no axis along which elements differ in any sample, so there is no top "
                "answer to keep");
  };
  return {"share of top answers kept", share, measure};
}

Gate DecibelGate(const FloatModel& model, const Samples& samples, double decibels, const Progress& progress) {
  const auto wanted = std::make_shared<RuntimeGraph>(model.Build(model.Load()));
  const auto measure = [=](std::unique_ptr<pnnx::Graph> graph) {
    RuntimeGraph found = model.Build(std::move(graph));
    const OutputAgreement agreement = CompareOutputs(*wanted, found, samples, std::nullopt, progress);
    if (agreement.decibels) return *agreement.decibels;
    throw Error(ErrorCode::kArgument, "the outputs are zero in every sample, so they have no signal-to-noise ratio");
  };
  return {"SQNR of the outputs in dB", decibels, measure};
}

}  // namespace kuiper_infer::quantization
