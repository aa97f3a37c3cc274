// SPDX-License-Identifier: MIT
// Arithmetic on Python numbers; the expected values are Python's.
#include "operators/elementwise/scalar_math.hpp"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "utils/error_text.hpp"

namespace kuiper_infer {
namespace {

using testing::HasSubstr;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::string Apply(const char* name, const Value& number) {
  return ValueString(ApplyToNumber(*kernel::FindUnary(name), number));
}

std::string Apply(const char* name, const Value& left, const Value& right) {
  return ValueString(ApplyToNumbers(*kernel::FindBinary(name), left, right));
}

std::string Cast(const char* type, const Value& number) { return ValueString(CastNumber(type, number)); }

TEST(ScalarMathTest, IntegersStayExact) {
  constexpr int64_t kBeyondDouble = (int64_t{1} << 53) + 1;
  EXPECT_EQ(Apply("add", kBeyondDouble, 1), "9007199254740994");
  EXPECT_EQ(Apply("mul", kBeyondDouble, -1), "-9007199254740993");
  EXPECT_EQ(Apply("neg", kBeyondDouble), "-9007199254740993");
  EXPECT_EQ(Apply("abs", -3), "3");
  EXPECT_EQ(Apply("floor_divide", -7, 2), "-4");
  EXPECT_EQ(Apply("remainder", -7, 2), "1");
  EXPECT_EQ(Apply("pow", 3, 4), "81");
  EXPECT_EQ(Apply("add", true, true), "2");
}

TEST(ScalarMathTest, DivisionAndFunctionsGiveFloats) {
  EXPECT_EQ(Apply("div", 7, 2), "3.5");
  EXPECT_EQ(Apply("sqrt", 9), ValueString(3.0));
  EXPECT_EQ(Apply("pow", 2, -1), "0.5");
  EXPECT_EQ(Apply("pow", 2.0, 3), ValueString(8.0));
  EXPECT_EQ(Apply("mul", 0.5, 3), "1.5");
}

TEST(ScalarMathTest, ComparisonsGiveBools) {
  EXPECT_EQ(Apply("lt", 1, 2), "True");
  EXPECT_EQ(Apply("ge", 1.5, 2), "False");
  EXPECT_EQ(Apply("eq", kNan, kNan), "False");
  EXPECT_EQ(Apply("isnan", kNan), "True");
  EXPECT_EQ(Apply("logical_not", 2), "False");
}

TEST(ScalarMathTest, FunctionsTakeParameters) {
  EXPECT_EQ(ValueString(ApplyToNumber(*kernel::FindUnary("nan_to_num"), kNan, {1, 2, 3})), ValueString(1.0));
  EXPECT_EQ(ValueString(ApplyToNumber(*kernel::FindUnary("clamp"), 9, {0, 6})), "6");
}

TEST(ScalarMathTest, CastsTruncateTowardsZero) {
  EXPECT_EQ(Cast("int", -2.7), "-2");
  EXPECT_EQ(Cast("int", true), "1");
  EXPECT_EQ(Cast("torch.float", 3), ValueString(3.0));
  EXPECT_EQ(Cast("torch.long", 9e18), "9000000000000000000");
  EXPECT_EQ(Cast("torch.bool", 0.5), "True");
  EXPECT_EQ(Cast("torch.bool", 0), "False");
}

TEST(ScalarMathTest, IntegersAreNotDividedByZero) {
  for (const char* name : {"div", "floor_divide", "remainder", "fmod"}) {
    EXPECT_THAT(ErrorText(ErrorCode::kArgument, [&] { Apply(name, 1, 0); }), HasSubstr(std::string(name) + "(1,0)"));
    EXPECT_THAT(ErrorText(ErrorCode::kArgument, [&] { Apply(name, 0, false); }), HasSubstr("by zero"));
  }
  EXPECT_THAT(ErrorText(ErrorCode::kArgument, [] { Apply("pow", 0, -1); }), HasSubstr("pow(0,-1)"));
  EXPECT_EQ(Apply("pow", 0, 0), "1");
  // Division of floats follows PyTorch, which gives infinities instead of errors.
  EXPECT_EQ(Apply("div", 1.0, 0), ValueString(std::numeric_limits<double>::infinity()));
  EXPECT_EQ(Apply("pow", 0.0, -1), ValueString(std::numeric_limits<double>::infinity()));
}

TEST(ScalarMathTest, WhatHasNoAnswerIsAnError) {
  for (const double number : {1e19, -1e19, kNan, std::numeric_limits<double>::infinity()}) {
    EXPECT_THAT(ErrorText(ErrorCode::kArgument, [&] { CastNumber("int", number); }), HasSubstr("int does not take"));
  }
  EXPECT_THAT(ErrorText(ErrorCode::kArgument, [] { Apply("bitwise_not", 1.5); }), HasSubstr("bitwise_not"));
  EXPECT_THAT(ErrorText(ErrorCode::kArgument, [] { Apply("and", 1, 0.5); }), HasSubstr("0.5"));
  constexpr std::complex<double> kComplex(1, 2);
  EXPECT_THAT(ErrorText(ErrorCode::kArgument, [&] { Apply("floor", kComplex); }), HasSubstr("floor does not take"));
  EXPECT_THAT(ErrorText(ErrorCode::kArgument, [&] { Apply("maximum", 1, kComplex); }), HasSubstr("maximum"));
  EXPECT_THAT(ErrorText(ErrorCode::kUnsupported, [&] { CastNumber("int", kComplex); }), HasSubstr("constant"));
}

TEST(ScalarMathTest, ComplexNumbersAreComputedAsPythonDoes) {
  using Complex = std::complex<double>;
  EXPECT_EQ(Apply("neg", Complex(1, 2)), ValueString(Complex(-1, -2)));
  EXPECT_EQ(Apply("abs", Complex(3, 4)), ValueString(5.0));
  EXPECT_EQ(Apply("sub", 1, Complex(0, 4)), ValueString(Complex(1, -4)));
  EXPECT_EQ(Apply("mul", Complex(1, 2), Complex(3, -1)), ValueString(Complex(5, 5)));
  EXPECT_EQ(Apply("eq", Complex(2, 0), 2), "True");
}

}  // namespace
}  // namespace kuiper_infer
