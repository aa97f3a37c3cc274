// SPDX-License-Identifier: MIT
#include "cli/class_scores.hpp"

#include <cmath>
#include <fstream>
#include <limits>

#include <gmock/gmock.h>

#include "cli/program.hpp"
#include "cli/terminal/human_numbers.hpp"
#include "utils/error_text.hpp"

namespace kuiper_infer::cli {
namespace {

using testing::HasSubstr;

NdArray Row(const std::vector<float>& numbers) {
  const NdArray array(RuntimeDataType::kTypeFloat32, {1, static_cast<int64_t>(numbers.size())});
  std::copy(numbers.begin(), numbers.end(), array.data<float>());
  return array;
}

std::vector<int64_t> Indices(const std::vector<ClassScore>& scores) {
  std::vector<int64_t> indices;
  for (const ClassScore& score : scores) indices.push_back(score.index);
  return indices;
}

TEST(ClassScoresTest, ScoresBecomeProbabilities) {
  const auto scores = MostProbable(Row({1, 3, -2, 3, 0, 2}), 5);
  ASSERT_TRUE(scores);
  EXPECT_EQ(Indices(*scores), (std::vector<int64_t>{1, 3, 5, 0, 4}));
  const double sum = std::exp(-2.0) + 2 + std::exp(-5.0) + std::exp(-3.0) + std::exp(-1.0);
  EXPECT_NEAR(scores->front().probability, 1 / sum, 1e-9);
  EXPECT_NEAR(scores->back().probability, std::exp(-3.0) / sum, 1e-9);
  EXPECT_NEAR(MostProbable(Row({3e38F, -3e38F}), 5)->front().probability, 1, 1e-9) << "nothing overflows";
}

TEST(ClassScoresTest, ProbabilitiesStayAsTheyAre) {
  const auto scores = MostProbable(Row({0.125F, 0.5F, 0.375F}), 2);
  ASSERT_TRUE(scores);
  EXPECT_EQ(Indices(*scores), (std::vector<int64_t>{1, 2}));
  EXPECT_EQ((*scores)[0].probability, 0.5);
  EXPECT_EQ((*scores)[1].probability, 0.375);
}

TEST(ClassScoresTest, OtherArraysHaveNoClasses) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_FALSE(MostProbable(Row({1, nan}), 5));
  EXPECT_FALSE(MostProbable(Row({1, infinity}), 5));
  EXPECT_FALSE(MostProbable(Row({1}), 5));
  EXPECT_FALSE(MostProbable(Row({}), 5));
  EXPECT_FALSE(MostProbable(Row({1, 2, 3, 4}).Reshape({2, 2}), 5)) << "a batch";
  EXPECT_FALSE(MostProbable(Row({1, 2, 3, 4}).Reshape({1, 4, 1}), 5));
  EXPECT_FALSE(MostProbable(Row({1, 2}).To(RuntimeDataType::kTypeInt64), 5)) << "numbers of classes, no scores";
  EXPECT_FALSE(MostProbable(Row({1, 2}).To(RuntimeDataType::kTypeComplex64), 5));
  EXPECT_TRUE(MostProbable(Row({1, 2}).To(RuntimeDataType::kTypeFloat16), 5));
}

TEST(ClassScoresTest, LabelsAreLines) {
  const test::TemporaryFolder folder;
  const std::string path = folder / "labels.txt";
  std::ofstream(path) << "cat\r\nkl\xF6tze, blue\n\nlast without an end";
  const std::vector<std::string> labels = ReadLabels(path);
  EXPECT_EQ(labels, (std::vector<std::string>{"cat", "kl\xF6tze, blue", "", "last without an end"}));
  EXPECT_EQ(ClassLines({{1, 0.75}, {0, 0.25}}, 4, labels, path),
            "   0.7500      1  kl\xF6tze, blue\n   0.2500      0  cat\n");
  EXPECT_EQ(ClassLines({{1, 0.75}}, 4, {}, ""), "   0.7500      1\n");
  EXPECT_EQ(ErrorText(ErrorCode::kInput,
                      [&] {
                        ClassLines({{1, 0.75}}, 1000, labels, path);
                      }),
            path + ": has 4 lines, expected 1000, one for each class");
}

TEST(HumanNumbersTest, LargeNumbersGetUnits) {
  EXPECT_EQ(CountText(0), "0");
  EXPECT_EQ(CountText(9999), "9999");
  EXPECT_EQ(CountText(10000), "10.0 k (10000)");
  EXPECT_EQ(CountText(11689512), "11.7 M (11689512)");
  EXPECT_EQ(CountText(1814073344), "1.81 G (1814073344)");
  EXPECT_EQ(CountText(2.5e15), "2500 T (2500000000000000)");
  EXPECT_EQ(BytesText(512), "512 bytes");
  EXPECT_EQ(BytesText(46758048), "44.6 MiB (46758048 bytes)");
  EXPECT_EQ(BytesText(int64_t{3} << 30), "3.00 GiB (3221225472 bytes)");
  EXPECT_EQ(BytesText(20480), "20.0 KiB (20480 bytes)");
}

}  // namespace
}  // namespace kuiper_infer::cli
