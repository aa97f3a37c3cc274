// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "kernel/convolution/convolution_choices.hpp"
#include "kernel/convolution/convolution_problem.hpp"
#include "kernel/convolution/method_measurement.hpp"
#include "kernel/product/product_kernels.hpp"
#include "utils/system/cpu_info.hpp"

namespace kuiper_infer::kernel {
namespace {

/// Returns the geometry of a 3x3 convolution with a padding of one pixel.
ConvolutionGeometry ThreeByThree(int64_t in, int64_t out, int64_t extent) {
  return SquareProblem(1, in, out, extent, {3, 1, 1, 1, 1}).geometry;
}

std::string Chosen(const ConvolutionGeometry& geometry, bool channels_last, const MethodChoice& choice) {
  const ConvolutionChoice chosen = ChooseMethod(geometry, channels_last, choice);
  return chosen.method != nullptr ? chosen.Name() : "none";
}

/// Returns a choice among the methods of float32.
MethodChoice OfFloats(int threads = 1, MethodMeasurements* measurements = nullptr, std::string_view forced = {}) {
  return ChoiceAmong(Floats(), threads, measurements, forced);
}

/// Returns the methods with these names.
std::vector<ConvolutionChoice> Choices(const ConvolutionGeometry& geometry, const std::vector<std::string>& names) {
  std::vector<ConvolutionChoice> choices;
  for (const std::string& name : names) {
    choices.push_back(ChoiceOf(name, geometry));
    EXPECT_NE(choices.back().method, nullptr) << name;
  }
  return choices;
}

TEST(MethodTable, RowsAreComplete) {
  for (const ConvolutionMethod& method : ConvolutionMethods()) {
    SCOPED_TRACE(method.name);
    EXPECT_STRNE(method.name, "");
    EXPECT_NE(method.layout, nullptr);
    EXPECT_NE(method.suits, nullptr);
    EXPECT_NE(method.run, nullptr);
  }
}

TEST(MethodTable, NamesWithTheirKernelsDiffer) {
  for (uint32_t seed = 0; seed < 100; ++seed) {
    const ConvolutionProblem problem = GenerateProblem(seed);
    std::set<std::string> names;
    for (const ConvolutionChoice& choice : ChoicesFor(problem.geometry)) {
      EXPECT_TRUE(names.insert(choice.Name()).second) << choice.Name() << " for " << problem.Name();
    }
  }
}

TEST(MethodTable, EachGeometryHasAMethodThatSuitsIt) {
  for (uint32_t seed = 0; seed < 400; ++seed) {
    const ConvolutionProblem problem = GenerateProblem(seed);
    SCOPED_TRACE(problem.Name() + " seed " + std::to_string(seed));
    for (const bool channels_last : {false, true}) {
      const ConvolutionChoice chosen = ChooseMethod(problem.geometry, channels_last, OfFloats(2));
      ASSERT_NE(chosen.method, nullptr);
      EXPECT_TRUE(chosen.method->suits(problem.geometry, *chosen.product)) << chosen.Name();
    }
  }
}

TEST(ChooseMethod, TakesWhatTheGeometryIsMadeFor) {
  ConvolutionGeometry point = SquareProblem(1, 16, 24, 30, {1, 1, 0, 0, 1}).geometry;
  EXPECT_EQ(Chosen(point, true, OfFloats()), "direct");
  EXPECT_EQ(Chosen(point, false, OfFloats()), "segments") << "long rows are read where they are";
  point.grid.image[2] = point.grid.positions[2] = 20;
  EXPECT_EQ(Chosen(point, false, OfFloats()), "direct") << "after a copy";
  ConvolutionGeometry groups = ThreeByThree(64, 64, 30);
  groups.groups = 64;
  EXPECT_EQ(Chosen(groups, true, OfFloats()), "depthwise");
  EXPECT_EQ(Chosen(groups, false, OfFloats()), "depthwise");
  groups.groups = 16;
  EXPECT_EQ(Chosen(groups, true, OfFloats()), ChoiceOf("grouped", groups).method != nullptr ? "grouped" : "rows");
  groups.groups = 3;
  groups.channels_in = groups.channels_out = 3 * 40;
  EXPECT_EQ(Chosen(groups, true, OfFloats()), "rows");
  EXPECT_EQ(Chosen(SquareProblem(1, 3, 32, 224, {3, 2, 1, 1, 1}).geometry, false, OfFloats()), "segments");
  EXPECT_EQ(Chosen(SquareProblem(1, 3, 32, 224, {3, 2, 1, 1, 1}).geometry, true, OfFloats()), "rows") << "padded";
  EXPECT_EQ(Chosen(ThreeByThree(64, 64, 56), true, OfFloats()), "winograd4");
}

TEST(ChooseMethod, TheLeastExactIsNeverEstimated) {
  for (const int64_t channels : {3, 16, 64, 256, 1024}) {
    for (const int64_t extent : {7, 14, 56, 200}) {
      EXPECT_NE(Chosen(ThreeByThree(channels, channels, extent), true, OfFloats(2)), "winograd6");
    }
  }
}

TEST(ChooseMethod, AForcedOneIsTakenWhereItSuitsAndOthersAreCompared) {
  const ConvolutionGeometry small = ThreeByThree(16, 16, 30);
  const ConvolutionGeometry wide = SquareProblem(1, 16, 16, 30, {5, 1, 2, 2, 1}).geometry;
  const ConvolutionGeometry point = SquareProblem(1, 16, 16, 30, {1, 1, 0, 0, 1}).geometry;
  for (const char* name : {"rows", "segments", "winograd2", "winograd4", "winograd6"}) {
    const MethodChoice choice = OfFloats(2, nullptr, name);
    EXPECT_EQ(Chosen(small, true, choice), name);
    EXPECT_EQ(Chosen(wide, true, choice), ChoiceOf(name, wide).method != nullptr ? name : "rows");
    EXPECT_EQ(Chosen(point, true, choice), "direct") << name;
  }
  EXPECT_EQ(Chosen(wide, true, OfFloats(2, nullptr, "no method")), "rows");
}

TEST(ChooseMethod, WithoutAKernelThereIsNoMethod) {
  EXPECT_NE(ChooseMethod(ThreeByThree(16, 16, 30), true, OfFloats()).method, nullptr);
  for (const bool channels_last : {false, true}) {
    EXPECT_EQ(ChooseMethod(ThreeByThree(16, 16, 30), channels_last, {}).method, nullptr);
  }
}

TEST(ChooseMethod, ConvolutionsOfFewChannelsAreNotComputedInIntegers) {
  EXPECT_NE(Chosen(ThreeByThree(16, kLeastInt8Channels, 30), true, ChoiceAmong(Bytes())), "none");
  EXPECT_EQ(Chosen(ThreeByThree(16, kLeastInt8Channels - 1, 30), true, ChoiceAmong(Bytes())), "none");
}

TEST(ChooseMethod, BytesAreTransformedWhereWordsPay) {
  const MethodChoice choice = ChoiceAmong(Bytes());
  const Int8Unit unit = UsedInt8Unit();
  const bool words = unit == Int8Unit::kAvx2 || unit == Int8Unit::kAvxVnni || unit == Int8Unit::kAvx512Vnni;
  EXPECT_EQ(Chosen(ThreeByThree(64, 64, 56), true, choice), words ? "winograd4, int8" : "segments, int8");
  EXPECT_EQ(Chosen(ThreeByThree(16, 16, 56), true, choice),
            unit == Int8Unit::kAvx2 ? "winograd4, int8" : "segments, int8");
  const std::string few_positions = Chosen(ThreeByThree(512, 512, 7), true, choice);
  EXPECT_EQ(few_positions, unit == Int8Unit::kAvx2 ? "winograd2, int8" : "rows, int8")
      << "the weight is large for them";
  EXPECT_EQ(Chosen(SquareProblem(1, 64, 64, 56, {3, 2, 1, 1, 1}).geometry, true, choice), "segments, int8");
}

class MeasurementTest : public testing::Test {
 protected:
  MethodMeasurements measurements_;

 private:
  void SetUp() override {
    if (!HasProductKernels(UsedUnits())) GTEST_SKIP() << "these kernels are not made for this CPU";
  }
};

TEST_F(MeasurementTest, ChoosesOneOfTheCandidatesAndKeepsIt) {
  const ConvolutionGeometry geometry = ThreeByThree(16, 16, 30);
  const auto all = Choices(geometry, {"rows", "winograd2", "winograd4", "winograd6"});
  const ConvolutionChoice fastest = measurements_.Fastest(geometry, all, 2);
  EXPECT_NE(std::find(all.begin(), all.end(), fastest), all.end());
  for (int i = 0; i < 20; ++i) EXPECT_EQ(measurements_.Fastest(geometry, all, 2), fastest);
  EXPECT_EQ(measurements_.Fastest(geometry, Choices(geometry, {"winograd6"}), 2), ChoiceOf("winograd6", geometry));
}

TEST_F(MeasurementTest, MeasuresIntegersBesideFloats) {
  const ConvolutionGeometry geometry = ThreeByThree(16, 24, 30);
  const auto all = Choices(geometry, {"rows, int8", "segments, int8", "rows"});
  const ConvolutionChoice fastest = measurements_.Fastest(geometry, all, 2);
  EXPECT_NE(std::find(all.begin(), all.end(), fastest), all.end());
}

TEST_F(MeasurementTest, TooLargeForItIsTheFirstCandidate) {
  ConvolutionGeometry geometry = ThreeByThree(16, 16, 30);
  geometry.batch = int64_t{1} << 30;
  EXPECT_EQ(measurements_.Fastest(geometry, Choices(geometry, {"winograd2", "rows"}), 2),
            ChoiceOf("winograd2", geometry));
}

TEST_F(MeasurementTest, AnswersPassToOthersAsText) {
  const ConvolutionGeometry geometry = ThreeByThree(16, 16, 30);
  const auto all = Choices(geometry, {"rows", "winograd2", "winograd4"});
  measurements_.Fastest(geometry, all, 2);
  std::string text = measurements_.Text();
  ASSERT_FALSE(text.empty());
  for (const std::string answer : {"rows", "winograd4"}) {
    const std::string told = text.substr(0, text.find(": ") + 2) + answer + "/float32\n";
    MethodMeasurements later;
    later.Read(told);
    EXPECT_EQ(later.Text(), told);
    EXPECT_EQ(later.Fastest(geometry, all, 2), ChoiceOf(answer, geometry));
  }
  MethodMeasurements later;
  const std::string question = text.substr(0, text.find(": ") + 2);
  for (const std::string wrong : {"winograd6/float32", "rows", "no method", "", "16"})
    later.Read(question + wrong + "\n");
  later.Read("\n: \n:\nrows");
  EXPECT_EQ(later.Text(), "") << "answers that are no candidates";
}

TEST_F(MeasurementTest, DecidesOnlyWhenAsked) {
  const ConvolutionGeometry geometry = ThreeByThree(24, 40, 33);
  EXPECT_NE(Chosen(geometry, true, OfFloats()), "winograd6");
  const auto all = Choices(geometry, {"rows", "winograd2", "winograd4", "winograd6"});
  EXPECT_EQ(ChooseMethod(geometry, true, OfFloats(1, &measurements_)), measurements_.Fastest(geometry, all, 1));
  EXPECT_EQ(Chosen(geometry, true, OfFloats(1, &measurements_, "winograd2")), "winograd2") << "force goes first";
}

}  // namespace
}  // namespace kuiper_infer::kernel
