// SPDX-License-Identifier: MIT
#include "kernel/convolution/choose_method.hpp"

#include <algorithm>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "kernel/convolution/convolution_method.hpp"
#include "kernel/convolution/convolution_problem.hpp"
#include "kernel/convolution/method_measurement.hpp"
#include "kernel/product/weight_product.hpp"
#include "utils/cpu_info.hpp"

namespace kuiper_infer::kernel {
namespace {

/// Plane images without padding beyond one pixel, as 3x3 convolutions have them.
ConvolutionGeometry ThreeByThree(int64_t in, int64_t out, int64_t extent) {
  return SquareProblem(1, in, out, extent, {3, 1, 1, 1, 1}).geometry;
}

std::string Chosen(const ConvolutionGeometry& geometry, bool channels_last, const MethodChoice& choice) {
  const ConvolutionMethod* method = ChooseMethod(geometry, channels_last, choice);
  return method != nullptr ? method->name : "none";
}

/// Of the methods with these names.
std::vector<const ConvolutionMethod*> Methods(const std::vector<std::string>& names) {
  std::vector<const ConvolutionMethod*> methods;
  for (const std::string& name : names) methods.push_back(FindMethod(name));
  EXPECT_EQ(std::count(methods.begin(), methods.end(), nullptr), 0);
  return methods;
}

TEST(MethodTable, RowsAreCompleteAndNamesDiffer) {
  std::set<std::string> names;
  for (const ConvolutionMethod& method : ConvolutionMethods()) {
    SCOPED_TRACE(method.name);
    EXPECT_TRUE(names.insert(method.name).second);
    EXPECT_EQ(FindMethod(method.name), &method);
    ASSERT_NE(method.weight_order, nullptr);
    EXPECT_NE(method.weight_order->bytes, nullptr);
    EXPECT_NE(method.weight_order->pack, nullptr);
    EXPECT_NE(method.suits, nullptr);
    EXPECT_NE(method.run, nullptr);
  }
  EXPECT_EQ(FindMethod(""), nullptr);
  EXPECT_EQ(FindMethod("row"), nullptr);
}

TEST(MethodTable, EachGeometryHasAMethodThatSuitsIt) {
  for (uint32_t seed = 0; seed < 400; ++seed) {
    const ConvolutionProblem problem = GenerateProblem(seed);
    SCOPED_TRACE(problem.Name() + " seed " + std::to_string(seed));
    for (const bool channels_last : {false, true}) {
      const ConvolutionMethod* method = ChooseMethod(problem.geometry, channels_last, {2});
      ASSERT_NE(method, nullptr);
      EXPECT_TRUE(method->suits(problem.geometry)) << method->name;
    }
  }
}

TEST(ChooseMethod, TakesWhatTheGeometryIsMadeFor) {
  ConvolutionGeometry point = SquareProblem(1, 16, 24, 30, {1, 1, 0, 0, 1}).geometry;
  EXPECT_EQ(Chosen(point, true, {1}), "direct");
  EXPECT_EQ(Chosen(point, false, {1}), "segments") << "long rows are read where they are";
  point.grid.image[2] = point.grid.positions[2] = 20;
  EXPECT_EQ(Chosen(point, false, {1}), "direct") << "after a copy";
  ConvolutionGeometry groups = ThreeByThree(64, 64, 30);
  groups.groups = 64;
  EXPECT_EQ(Chosen(groups, true, {1}), "depthwise");
  EXPECT_EQ(Chosen(groups, false, {1}), "depthwise");
  groups.groups = 16;
  EXPECT_EQ(Chosen(groups, true, {1}), FindMethod("grouped")->suits(groups) ? "grouped" : "rows");
  groups.groups = 3;
  groups.channels_in = groups.channels_out = 3 * 40;
  EXPECT_EQ(Chosen(groups, true, {1}), "rows");
  EXPECT_EQ(Chosen(SquareProblem(1, 3, 32, 224, {3, 2, 1, 1, 1}).geometry, false, {1}), "segments");
  EXPECT_EQ(Chosen(SquareProblem(1, 3, 32, 224, {3, 2, 1, 1, 1}).geometry, true, {1}), "rows") << "padded";
  EXPECT_EQ(Chosen(ThreeByThree(64, 64, 56), true, {1}), "winograd4");
}

TEST(ChooseMethod, TheLeastExactIsNeverEstimated) {
  for (const int64_t channels : {3, 16, 64, 256, 1024}) {
    for (const int64_t extent : {7, 14, 56, 200}) {
      EXPECT_NE(Chosen(ThreeByThree(channels, channels, extent), true, {2}), "winograd6");
    }
  }
}

TEST(ChooseMethod, AForcedOneIsTakenWhereItSuitsAndOthersAreCompared) {
  const ConvolutionGeometry small = ThreeByThree(16, 16, 30);
  const ConvolutionGeometry wide = SquareProblem(1, 16, 16, 30, {5, 1, 2, 2, 1}).geometry;
  const ConvolutionGeometry point = SquareProblem(1, 16, 16, 30, {1, 1, 0, 0, 1}).geometry;
  for (const char* name : {"rows", "segments", "winograd2", "winograd4", "winograd6"}) {
    const MethodChoice choice{2, nullptr, name};
    EXPECT_EQ(Chosen(small, true, choice), name);
    EXPECT_EQ(Chosen(wide, true, choice), FindMethod(name)->suits(wide) ? name : "rows");
    EXPECT_EQ(Chosen(point, true, choice), "direct") << name;
  }
  EXPECT_EQ(Chosen(wide, true, {2, nullptr, "no method"}), "rows");
}

TEST(ChooseMethod, FormatsWithoutARowHaveNoMethod) {
  MethodChoice choice;
  EXPECT_NE(ChooseMethod(ThreeByThree(16, 16, 30), true, choice), nullptr);
  choice.formats = {NumberFormats{RuntimeDataType::kTypeInt8}};
  for (const bool channels_last : {false, true}) {
    EXPECT_EQ(ChooseMethod(ThreeByThree(16, 16, 30), channels_last, choice), nullptr);
  }
}

TEST(ChooseMethod, BytesAreTransformedWhereWordsPay) {
  MethodChoice choice{1};
  choice.formats = {kInt8};
  const Int8Unit unit = UsedInt8Unit();
  const bool words = unit == Int8Unit::kAvx2 || unit == Int8Unit::kAvxVnni || unit == Int8Unit::kAvx512Vnni;
  EXPECT_EQ(Chosen(ThreeByThree(64, 64, 56), true, choice), words ? "winograd4_int8" : "segments_int8");
  EXPECT_EQ(Chosen(ThreeByThree(16, 16, 56), true, choice),
            unit == Int8Unit::kAvx2 ? "winograd4_int8" : "segments_int8");
  const std::string few_positions = Chosen(ThreeByThree(512, 512, 7), true, choice);
  EXPECT_EQ(few_positions, unit == Int8Unit::kAvx2 ? "winograd2_int8" : "rows_int8") << "the weight is large for them";
  EXPECT_EQ(Chosen(SquareProblem(1, 64, 64, 56, {3, 2, 1, 1, 1}).geometry, true, choice), "segments_int8");
}

class MeasurementTest : public testing::Test {
 protected:
  MethodMeasurements measurements_;

 private:
  void SetUp() override {
    if (!HasWeightProduct()) GTEST_SKIP() << "these kernels are not made for this CPU";
  }
};

TEST_F(MeasurementTest, ChoosesOneOfTheCandidatesAndKeepsIt) {
  const ConvolutionGeometry geometry = ThreeByThree(16, 16, 30);
  const auto all = Methods({"rows", "winograd2", "winograd4", "winograd6"});
  const ConvolutionMethod* fastest = measurements_.Fastest(geometry, all, 2);
  EXPECT_NE(std::find(all.begin(), all.end(), fastest), all.end());
  for (int i = 0; i < 20; ++i) EXPECT_EQ(measurements_.Fastest(geometry, all, 2), fastest);
  EXPECT_EQ(measurements_.Fastest(geometry, Methods({"winograd6"}), 2), FindMethod("winograd6"));
}

TEST_F(MeasurementTest, MeasuresIntegersBesideFloats) {
  const ConvolutionGeometry geometry = ThreeByThree(16, 24, 30);
  const auto all = Methods({"rows_int8", "segments_int8", "rows"});
  const ConvolutionMethod* fastest = measurements_.Fastest(geometry, all, 2);
  EXPECT_NE(std::find(all.begin(), all.end(), fastest), all.end());
}

TEST_F(MeasurementTest, TooLargeForItIsTheFirstCandidate) {
  ConvolutionGeometry geometry = ThreeByThree(16, 16, 30);
  geometry.batch = int64_t{1} << 30;
  EXPECT_EQ(measurements_.Fastest(geometry, Methods({"winograd2", "rows"}), 2), FindMethod("winograd2"));
}

TEST_F(MeasurementTest, AnswersPassToOthersAsText) {
  const ConvolutionGeometry geometry = ThreeByThree(16, 16, 30);
  const auto all = Methods({"rows", "winograd2", "winograd4"});
  measurements_.Fastest(geometry, all, 2);
  std::string text = measurements_.Text();
  ASSERT_FALSE(text.empty());
  for (const std::string answer : {"rows", "winograd4"}) {
    const std::string told = text.substr(0, text.find(": ") + 2) + answer + "\n";
    MethodMeasurements later;
    later.Read(told);
    EXPECT_EQ(later.Text(), told);
    EXPECT_EQ(later.Fastest(geometry, all, 2), FindMethod(answer));
  }
  MethodMeasurements later;
  const std::string question = text.substr(0, text.find(": ") + 2);
  for (const std::string wrong : {"winograd6", "no method", "", "16"}) later.Read(question + wrong + "\n");
  later.Read("\n: \n:\nrows");
  EXPECT_EQ(later.Text(), "") << "answers that are no candidates";
}

TEST_F(MeasurementTest, DecidesOnlyWhenAsked) {
  const ConvolutionGeometry geometry = ThreeByThree(24, 40, 33);
  EXPECT_NE(Chosen(geometry, true, {1, nullptr}), "winograd6");
  const auto all = Methods({"rows", "winograd2", "winograd4", "winograd6"});
  EXPECT_EQ(ChooseMethod(geometry, true, {1, &measurements_}), measurements_.Fastest(geometry, all, 1));
  EXPECT_EQ(Chosen(geometry, true, {1, &measurements_, "winograd2"}), "winograd2") << "force goes first";
}

}  // namespace
}  // namespace kuiper_infer::kernel
