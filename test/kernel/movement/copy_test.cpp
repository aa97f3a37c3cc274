// SPDX-License-Identifier: MIT
#include "kernel/movement/copy.hpp"

#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include "kernel/random_data.hpp"
#include "utils/dispatch.hpp"
#include "utils/half.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer {
namespace {

constexpr RuntimeDataType kFloat = RuntimeDataType::kTypeFloat32;

struct CopyProblem {
  const char* name;
  Shape shape;
  Strides from;
  Strides to;
};

std::ostream& operator<<(std::ostream& stream, const CopyProblem& problem) { return stream << problem.name; }

/// The memory of an array with these strides, with sentinels on both sides, and the place of its first element.
struct Block {
  Block(const Shape& shape, const Strides& strides) {
    int64_t below = 0;
    int64_t above = 0;
    for (std::size_t i = 0; i < shape.size(); ++i) {
      const int64_t reach = std::max<int64_t>(shape[i] - 1, 0) * strides[i];
      (reach < 0 ? below : above) += reach;
    }
    origin = kMargin - below;
    size = origin + above + 1 + kMargin;
  }

  static constexpr int64_t kMargin = 5;
  int64_t origin = 0;
  int64_t size = 0;
};

/// Calls body(source offset, target offset) for every element in turn.
template <class Body>
void ForEachElement(const CopyProblem& problem, const Body& body) {
  const std::size_t rank = problem.shape.size();
  std::vector<int64_t> position(rank, 0);
  for (int64_t i = 0; i < ElementCount(problem.shape); ++i) {
    int64_t from = 0;
    int64_t to = 0;
    for (std::size_t axis = 0; axis < rank; ++axis) {
      from += position[axis] * problem.from[axis];
      to += position[axis] * problem.to[axis];
    }
    body(from, to);
    for (std::size_t axis = rank; axis-- > 0;) {
      if (++position[axis] < problem.shape[axis]) break;
      position[axis] = 0;
    }
  }
}

/// Compares with copies element by element, including the gaps of the target.
template <class From, class To>
void Check(const CopyProblem& problem, RuntimeDataType from_type, RuntimeDataType to_type) {
  constexpr uint32_t kSeed = 17;
  SCOPED_TRACE(testing::Message() << problem.name << ", seed " << kSeed);
  const Block source(problem.shape, problem.from);
  const Block target(problem.shape, problem.to);
  const std::vector<From> from = RandomVector<From>(source.size, kSeed);
  std::vector<To> expected(static_cast<std::size_t>(target.size), To(77));
  std::vector<To> found = expected;
  ForEachElement(problem, [&](int64_t offset, int64_t place) {
    expected[static_cast<std::size_t>(target.origin + place)] =
        static_cast<To>(from[static_cast<std::size_t>(source.origin + offset)]);
  });
  kernel::Copy({from.data() + source.origin, TensorSpec(from_type, problem.shape, problem.from)},
               {found.data() + target.origin, TensorSpec(to_type, problem.shape, problem.to)});
  EXPECT_EQ(found, expected);
}

class CopyTest : public testing::TestWithParam<CopyProblem> {};

TEST_P(CopyTest, MovesEveryElementAndNothingElse) {
  for (const int threads : {1, 3}) {
    const ThreadScope scope(threads);
    Check<float, float>(GetParam(), kFloat, kFloat);
    Check<int8_t, int8_t>(GetParam(), RuntimeDataType::kTypeInt8, RuntimeDataType::kTypeInt8);
    Check<int16_t, int16_t>(GetParam(), RuntimeDataType::kTypeInt16, RuntimeDataType::kTypeInt16);
    Check<int64_t, int64_t>(GetParam(), RuntimeDataType::kTypeInt64, RuntimeDataType::kTypeInt64);
    Check<float, double>(GetParam(), kFloat, RuntimeDataType::kTypeFloat64);
    Check<int32_t, float>(GetParam(), RuntimeDataType::kTypeInt32, kFloat);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Geometries, CopyTest,
    testing::Values(
        CopyProblem{"Scalar", {}, {}, {}}, CopyProblem{"OneElement", {1, 1}, {9, 9}, {4, 4}},
        CopyProblem{"Empty", {3, 0, 2}, {0, 2, 1}, {0, 2, 1}},
        CopyProblem{"Contiguous", {2, 3, 5}, {15, 5, 1}, {15, 5, 1}}, CopyProblem{"LongContiguous", {70001}, {1}, {1}},
        CopyProblem{"FromEverySecond", {33}, {2}, {1}}, CopyProblem{"ToEverySecond", {33}, {1}, {2}},
        CopyProblem{"Reversed", {17}, {-1}, {1}}, CopyProblem{"ReversedTarget", {3, 17}, {17, 1}, {17, -1}},
        CopyProblem{"ReversedRows", {7, 9}, {-9, 1}, {9, 1}}, CopyProblem{"RepeatedRow", {6, 31}, {0, 1}, {31, 1}},
        CopyProblem{"RepeatedColumn", {31, 6}, {1, 0}, {6, 1}}, CopyProblem{"RepeatedElement", {4, 5}, {0, 0}, {5, 1}},
        CopyProblem{"WindowOfRows", {15, 8}, {20, 1}, {8, 1}}, CopyProblem{"NarrowRows", {9000, 3}, {6, 1}, {3, 1}},
        CopyProblem{"IntoWindow", {15, 8}, {8, 1}, {20, 1}}, CopyProblem{"Transposed1x33", {1, 33}, {1, 1}, {33, 1}},
        CopyProblem{"Transposed3x7", {3, 7}, {1, 3}, {7, 1}},
        CopyProblem{"Transposed31x33", {31, 33}, {1, 31}, {33, 1}},
        CopyProblem{"Transposed33x65", {33, 65}, {1, 33}, {65, 1}},
        CopyProblem{"Transposed200x300", {200, 300}, {1, 200}, {300, 1}},
        CopyProblem{"BatchOfTransposed", {3, 35, 34}, {1190, 1, 35}, {1190, 34, 1}},
        CopyProblem{"TransposedTarget", {35, 34}, {34, 1}, {1, 35}},
        CopyProblem{"ChannelsLast", {2, 16, 5, 7}, {560, 1, 112, 16}, {560, 35, 7, 1}},
        CopyProblem{"AxesInReverse", {33, 9, 35}, {1, 33, 297}, {315, 35, 1}},
        CopyProblem{"AxesInReverseLarge", {40, 50, 60}, {1, 40, 2000}, {3000, 60, 1}},
        CopyProblem{"RotatedWithRepeat", {34, 4, 3, 33}, {1, 0, 34, 102}, {396, 99, 33, 1}},
        CopyProblem{"CubeOrder", {3, 4, 5}, {20, 5, 1}, {20, 1, 4}},
        CopyProblem{"SixAxes", {2, 3, 2, 3, 2, 3}, {1, 2, 6, 12, 36, 72}, {108, 36, 18, 6, 3, 1}}),
    [](const testing::TestParamInfo<CopyProblem>& info) { return std::string(info.param.name); });

template <class From, class To>
std::vector<To> Converted(const std::vector<From>& values, RuntimeDataType from_type, RuntimeDataType to_type) {
  const Shape shape = {static_cast<int64_t>(values.size())};
  std::vector<To> results(values.size());
  kernel::Copy({values.data(), TensorSpec(from_type, shape)}, {results.data(), TensorSpec(to_type, shape)});
  return results;
}

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

TEST(CopyConversionTest, FloatingToIntegerTruncates) {
  EXPECT_EQ((Converted<float, int32_t>({-1.7F, -0.5F, 0.0F, 2.9F}, kFloat, RuntimeDataType::kTypeInt32)),
            (std::vector<int32_t>{-1, 0, 0, 2}));
  EXPECT_EQ((Converted<double, int64_t>({-2251799813685249.5, 9007199254740993.0}, RuntimeDataType::kTypeFloat64,
                                        RuntimeDataType::kTypeInt64)),
            (std::vector<int64_t>{-2251799813685249, 9007199254740992}));
}

TEST(CopyConversionTest, SignedIntegersSaturate) {
  using Limits = std::numeric_limits<int64_t>;
  EXPECT_EQ((Converted<float, int8_t>({127.9F, 128, -129, kInfinity, kNaN}, kFloat, RuntimeDataType::kTypeInt8)),
            (std::vector<int8_t>{127, 127, -128, 127, 0}));
  EXPECT_EQ((Converted<float, int64_t>({9.2e18F, 9.3e18F, -1e30F, kInfinity, -kInfinity, kNaN}, kFloat,
                                       RuntimeDataType::kTypeInt64)),
            (std::vector<int64_t>{9200000267938955264, Limits::max(), Limits::min(), Limits::max(), Limits::min(), 0}));
}

TEST(CopyConversionTest, UnsignedBytesKeepTheLowBits) {
  EXPECT_EQ((Converted<float, uint8_t>({-1, -1.7F, 255.9F, 300, kNaN}, kFloat, RuntimeDataType::kTypeUInt8)),
            (std::vector<uint8_t>{255, 255, 255, 44, 0}));
  EXPECT_EQ((Converted<int32_t, uint8_t>({-1, 256}, RuntimeDataType::kTypeInt32, RuntimeDataType::kTypeUInt8)),
            (std::vector<uint8_t>{255, 0}));
}

TEST(CopyConversionTest, AnythingButZeroIsTrue) {
  const std::vector<float> numbers = {0.0F, -0.0F, 0.25F, kNaN};
  const Shape shape = {4};
  bool flags[4] = {};
  kernel::Copy({numbers.data(), TensorSpec(kFloat, shape)}, {flags, TensorSpec(RuntimeDataType::kTypeBool, shape)});
  EXPECT_FALSE(flags[0] || flags[1]);
  EXPECT_TRUE(flags[2] && flags[3]);
  float back[4] = {};
  kernel::Copy({flags, TensorSpec(RuntimeDataType::kTypeBool, shape)}, {back, TensorSpec(kFloat, shape)});
  EXPECT_EQ(std::vector<float>(back, back + 4), (std::vector<float>{0, 0, 1, 1}));
}

TEST(CopyConversionTest, ComplexLosesItsImaginaryPart) {
  using Complex = std::complex<float>;
  const std::vector<Complex> numbers = {{1.5F, 9}, {0, 2}};
  EXPECT_EQ((Converted<Complex, double>(numbers, RuntimeDataType::kTypeComplex64, RuntimeDataType::kTypeFloat64)),
            (std::vector<double>{1.5, 0}));
  EXPECT_EQ((Converted<Complex, uint8_t>(numbers, RuntimeDataType::kTypeComplex64, RuntimeDataType::kTypeBool)),
            (std::vector<uint8_t>{1, 1}));
  EXPECT_EQ((Converted<Complex, std::complex<double>>(numbers, RuntimeDataType::kTypeComplex64,
                                                      RuntimeDataType::kTypeComplex128)),
            (std::vector<std::complex<double>>{{1.5, 9}, {0, 2}}));
  EXPECT_EQ((Converted<int32_t, Complex>({3}, RuntimeDataType::kTypeInt32, RuntimeDataType::kTypeComplex64)),
            (std::vector<Complex>{{3, 0}}));
}

TEST(CopyConversionTest, HalvesRoundToNearestEven) {
  const std::vector<Float16> halves =
      Converted<float, Float16>({1.0F, 2049.0F, 70000.0F}, kFloat, RuntimeDataType::kTypeFloat16);
  EXPECT_EQ(halves[0].bits, 0x3C00);
  EXPECT_EQ(static_cast<float>(halves[1]), 2048);
  EXPECT_EQ(static_cast<float>(halves[2]), kInfinity);
  EXPECT_EQ(
      (Converted<Float16, int32_t>({Float16(-3.75F)}, RuntimeDataType::kTypeFloat16, RuntimeDataType::kTypeInt32)),
      std::vector<int32_t>{-3});
  const std::vector<BFloat16> brains = Converted<Float16, BFloat16>(
      {Float16(1.00390625F)}, RuntimeDataType::kTypeFloat16, RuntimeDataType::kTypeBFloat16);
  EXPECT_EQ(brains[0].bits, 0x3F80);
}

TEST(CopyConversionTest, ATypeWithoutElementsIsRefused) {
  const float number = 1;
  float result = 0;
  const ArrayView unknown{&result, TensorSpec(RuntimeDataType::kTypeUnknown, {1})};
  EXPECT_THROW(kernel::Copy({&number, TensorSpec(kFloat, {1})}, unknown), Error);
}

}  // namespace
}  // namespace kuiper_infer
