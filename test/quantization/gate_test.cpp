// SPDX-License-Identifier: MIT
#include "quantization/search/gate.hpp"

#include <cmath>
#include <complex>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kuiper_infer/utils/error.hpp"
#include "quantization/observation/signal_to_noise.hpp"
#include "quantization/saved_model.hpp"

namespace kuiper_infer::quantization {
namespace {

using testing::HasSubstr;

NdArray ArrayOf(std::initializer_list<float> values) {
  NdArray array(RuntimeDataType::kTypeFloat32, {static_cast<int64_t>(values.size())});
  std::copy(values.begin(), values.end(), array.data<float>());
  return array;
}

TEST(SignalToNoiseTest, IsTenLogarithmsOfThePowers) {
  SignalToNoise ratio;
  ratio.Add(ArrayOf({3, 4}), ArrayOf({3, 4.5F}));
  ratio.Add(ArrayOf({1}), ArrayOf({1.5F}));
  EXPECT_NEAR(*ratio.Decibels(), 10 * std::log10((9.0 + 16 + 1) / (0.25 + 0.25)), 1e-9);
}

TEST(SignalToNoiseTest, EqualIsInfiniteAndBrokenIsNothing) {
  const float infinite = std::numeric_limits<float>::infinity();
  SignalToNoise equal;
  equal.Add(ArrayOf({1, infinite, std::nanf("")}), ArrayOf({1, infinite, std::nanf("")}));
  EXPECT_EQ(equal.Decibels(), std::numeric_limits<double>::infinity());
  SignalToNoise broken;
  broken.Add(ArrayOf({1, 1}), ArrayOf({1, std::nanf("")}));
  EXPECT_EQ(broken.Decibels(), -std::numeric_limits<double>::infinity());
  for (const float missed : {infinite, -infinite, std::nanf("")}) {
    SignalToNoise other;
    other.Add(ArrayOf({1, missed}), ArrayOf({1, 2}));
    EXPECT_EQ(other.Decibels(), -std::numeric_limits<double>::infinity()) << missed;
  }
  SignalToNoise reshaped;
  reshaped.Add(ArrayOf({1, 1}), ArrayOf({1}));
  EXPECT_EQ(reshaped.Decibels(), -std::numeric_limits<double>::infinity());
}

TEST(SignalToNoiseTest, ZerosAloneHaveNone) {
  SignalToNoise silent;
  EXPECT_FALSE(silent.Decibels()) << "of no number at all";
  silent.Add(ArrayOf({0, 0}), ArrayOf({0, -0.0F}));
  EXPECT_FALSE(silent.Decibels());
  silent.Add(ArrayOf({0}), ArrayOf({1e-30F}));
  EXPECT_EQ(silent.Decibels(), -std::numeric_limits<double>::infinity());
}

TEST(SignalToNoiseTest, SquaresNeedNotFitDouble) {
  for (const double magnitude : {1e-200, 1e200}) {
    NdArray wanted(RuntimeDataType::kTypeFloat64, {1});
    NdArray found(RuntimeDataType::kTypeFloat64, {1});
    *wanted.data<double>() = magnitude;
    *found.data<double>() = 0.9 * magnitude;
    SignalToNoise ratio;
    ratio.Add(wanted, found);
    EXPECT_NEAR(*ratio.Decibels(), 20, 1e-6) << magnitude;
  }
}

TEST(SignalToNoiseTest, ImaginaryPartsCount) {
  NdArray wanted(RuntimeDataType::kTypeComplex64, {1});
  NdArray found(RuntimeDataType::kTypeComplex64, {1});
  *static_cast<std::complex<float>*>(wanted.raw()) = {3, 4};
  *static_cast<std::complex<float>*>(found.raw()) = {3, 4.5F};
  SignalToNoise ratio;
  ratio.Add(wanted, found);
  EXPECT_NEAR(*ratio.Decibels(), 20, 1e-6);
}

/// Returns a model that multiplies its only input, (2,3), by a number for each column.
RuntimeGraph Scaling(const std::string& expression) {
  auto graph = std::make_unique<pnnx::Graph>();
  pnnx::Operand* const input = AddInput(*graph, 0, {2, 3});
  AddOutput(*graph, 0, AddExpression(*graph, "e", expression, {input}));
  RuntimeGraph built(std::move(graph));
  built.Build();
  return built;
}

Samples SampleOf(std::vector<float> values) {
  return {1,
          [values](std::size_t) {
            NdArray array(RuntimeDataType::kTypeFloat32, {2, 3});
            std::copy(values.begin(), values.end(), array.data<float>());
            return std::vector<NdArray>{array};
          },
          [](std::size_t) { return "the sample"; }};
}

TEST(GateTest, AnswersAreLargestElementsAlongTheAxis) {
  RuntimeGraph wanted = Scaling("mul(@0,1.0)");
  RuntimeGraph magnitude = Scaling("abs(@0)");
  const Samples samples = SampleOf({-5, 1, 2, 1, 2, 3});
  EXPECT_EQ(CompareOutputs(wanted, magnitude, samples, std::nullopt, kSilent).kept, 0.5) << "of two rows, the first";
  EXPECT_EQ(CompareOutputs(wanted, magnitude, samples, 1, kSilent).kept, 0.5);
  EXPECT_EQ(CompareOutputs(wanted, magnitude, samples, -1, kSilent).kept, 0.5);
  EXPECT_EQ(*CompareOutputs(wanted, magnitude, samples, 0, kSilent).kept, 2.0 / 3) << "of three columns, the first";
  EXPECT_THROW(CompareOutputs(wanted, magnitude, samples, 2, kSilent), Error);
}

TEST(GateTest, EqualElementsHaveNoLargestOne) {
  RuntimeGraph wanted = Scaling("mul(@0,1.0)");
  EXPECT_EQ(CompareOutputs(wanted, wanted, SampleOf({2, 2, 2, 1, 2, 3}), std::nullopt, kSilent).kept, 1.0);
  RuntimeGraph silent = Scaling("mul(@0,0.0)");
  const OutputAgreement agreement = CompareOutputs(silent, silent, SampleOf({1, 2, 3, 4, 5, 6}), std::nullopt, kSilent);
  EXPECT_FALSE(agreement.kept);
  EXPECT_FALSE(agreement.decibels);
}

TEST(GateTest, NoAnswerIsRightThatANanIsIn) {
  RuntimeGraph wanted = Scaling("mul(@0,1.0)");
  RuntimeGraph found = Scaling("log(@0)");
  EXPECT_EQ(CompareOutputs(wanted, found, SampleOf({5, -1, 2, 1, 2, 3}), std::nullopt, kSilent).kept, 0.5);
}

TEST(GateTest, NothingIsComparedWithANan) {
  RuntimeGraph wanted = Scaling("log(@0)");
  try {
    CompareOutputs(wanted, wanted, SampleOf({1, 2, 3, 4, -5, 6}), std::nullopt, kSilent);
    FAIL() << "a NaN is compared";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "the sample: output 0 of the float model holds nan at element 4 of 6, expected numbers");
  }
  const OutputAgreement agreement = CompareOutputs(wanted, wanted, SampleOf({1, 2, 3, 4, 0, 6}), std::nullopt, kSilent);
  EXPECT_EQ(agreement.kept, 1.0) << "log(0) is an infinity, as masked scores are";
  EXPECT_EQ(agreement.decibels, std::numeric_limits<double>::infinity());
}

TEST(GateTest, SamplesOfNanAreRefused) {
  RuntimeGraph graph = Scaling("abs(@0)");
  try {
    RunSample(graph, SampleOf({1, 2, std::nanf(""), 4, 5, 6}), 0);
    FAIL() << "a NaN runs";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "the sample: input 'pnnx_input_0' holds nan at element 2 of 6, expected numbers");
  }
}

TEST(GateTest, IntegersAreAnswersThemselves) {
  RuntimeGraph wanted = Scaling("gt(@0,0.0)");
  RuntimeGraph found = Scaling("gt(@0,1.5)");
  EXPECT_EQ(*CompareOutputs(wanted, found, SampleOf({-5, 1, 2, 1, 2, 3}), std::nullopt, kSilent).kept, 4.0 / 6);
}

TEST(GateTest, ErrorsNameTheSample) {
  RuntimeGraph graph = Scaling("abs(@0)");
  Samples samples = SampleOf({});
  samples.read = [](std::size_t) { return std::vector<NdArray>{NdArray(RuntimeDataType::kTypeFloat32, {3, 3, 3})}; };
  try {
    RunSample(graph, samples, 0);
    FAIL() << "a sample of another rank runs";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("the sample: "));
  }
}

TEST(GateTest, AnOutputOfOneElementHasNoAnswers) {
  pnnx::Graph graph;
  AddOutput(graph, 0, AddLinear(graph, "fc", AddInput(graph, 0, {1, 4}), 1));
  const SavedModel saved(graph);
  const Samples samples = RandomSamples({1, 4}, 2);
  RuntimeGraph built = saved.model.Build(saved.model.Load());
  EXPECT_FALSE(CompareOutputs(built, built, samples, std::nullopt, kSilent).kept);
  const Gate gate = KeepGate(saved.model, samples, 0.5, std::nullopt, kSilent);
  EXPECT_THROW(gate.measure(saved.model.Load()), Error);
  const Gate decibels = DecibelGate(saved.model, samples, 20, kSilent);
  EXPECT_EQ(decibels.measure(saved.model.Load()), std::numeric_limits<double>::infinity());
}

TEST(SamplesTest, SomeAreEvenlySpread) {
  const Samples all{10, {}, [](std::size_t index) { return std::to_string(index); }};
  const Samples some = SomeOf(all, 4);
  ASSERT_EQ(some.count, 4U);
  EXPECT_EQ(some.name(0), "0");
  EXPECT_EQ(some.name(1), "2");
  EXPECT_EQ(some.name(3), "7");
  EXPECT_EQ(SomeOf(all, 0).count, 10U);
  EXPECT_EQ(SomeOf(all, 11).count, 10U);
}

}  // namespace
}  // namespace kuiper_infer::quantization
