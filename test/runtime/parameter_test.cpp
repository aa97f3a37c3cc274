// SPDX-License-Identifier: MIT
// Reading and writing of values in .param files.
#include <climits>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "kuiper_infer/runtime/ir.h"
#include "runtime/pnnx/parameter_value.hpp"
#include "utils/error_text.hpp"

namespace pnnx {
namespace {

Parameter Parse(const std::string& text) {
  Parameter parameter = Parameter::parse_from_string(text);
  EXPECT_EQ(parameter.text, text);
  EXPECT_EQ(parameter.encode_to_string(), text) << "what was read is written again as it was";
  return parameter;
}

enum Kind { kNull, kBool, kInt, kFloat, kString, kInts, kFloats, kStrings, kComplex = 10, kComplexes = 11 };

TEST(ParameterTest, Null) {
  EXPECT_EQ(Parse("None").type, kNull);
  EXPECT_EQ(Parse("()").type, kNull);
  EXPECT_EQ(Parse("[]").type, kNull);
}

TEST(ParameterTest, Bools) {
  EXPECT_EQ(Parse("True").type, kBool);
  EXPECT_TRUE(Parse("True").b);
  EXPECT_EQ(Parse("False").type, kBool);
  EXPECT_FALSE(Parse("False").b);
  EXPECT_EQ(Parse("true").type, kString);
}

TEST(ParameterTest, Integers) {
  const std::pair<const char*, int> cases[] = {{"0", 0},
                                               {"3", 3},
                                               {"-7", -7},
                                               {"+1", 1},
                                               {"007", 7},
                                               {"2147483647", INT_MAX},
                                               {"-2147483648", INT_MIN},
                                               {"2147483648", INT_MAX},
                                               {"-2147483649", INT_MIN},
                                               {"9223372036854775808000", INT_MAX},
                                               {"-9223372036854775808000", INT_MIN}};
  for (const auto& [text, value] : cases) {
    EXPECT_EQ(Parse(text).type, kInt) << text;
    EXPECT_EQ(Parse(text).i, value) << text;
  }
}

TEST(ParameterTest, Floats) {
  const std::pair<const char*, float> cases[] = {{"1.000000e-05", 1e-5F},
                                                 {"1.000000e-5", 1e-5F},
                                                 {"5.000000e+00", 5.0F},
                                                 {"6.0", 6.0F},
                                                 {"-0.5", -0.5F},
                                                 {"1.", 1.0F},
                                                 {".5", 0.5F},
                                                 {"-.5", -0.5F},
                                                 {"1e5", 1e5F},
                                                 {"1E5", 1e5F},
                                                 {"3.40282347e38", std::numeric_limits<float>::max()},
                                                 {"1e-42", 1e-42F},
                                                 {"1e-400", 0.0F},
                                                 {"1e400", INFINITY},
                                                 {"inf", INFINITY},
                                                 {"-inf", -INFINITY}};
  for (const auto& [text, value] : cases) {
    EXPECT_EQ(Parse(text).type, kFloat) << text;
    EXPECT_EQ(Parse(text).f, value) << text;
  }
  for (const char* text : {"nan.0", "-nan.0"}) {
    EXPECT_EQ(Parse(text).type, kFloat) << text;
    EXPECT_TRUE(std::isnan(Parse(text).f)) << text;
  }
}

TEST(ParameterTest, Strings) {
  for (const char* text : {"",
                           "same",
                           "torch.float",
                           "nearest-exact",
                           "3x3",
                           "0x10",
                           "1conj",
                           "-",
                           "+",
                           ".",
                           "-.",
                           "(",
                           "[",
                           "e5",
                           "infinity",
                           "nan",
                           "%value",
                           "3%",
                           "1+2",
                           "1.2.3",
                           "a,b",
                           "ij,jk->ik",
                           "--3",
                           "=",
                           "a=b",
                           "@0",
                           "j"}) {
    EXPECT_EQ(Parse(text).type, kString) << text;
    EXPECT_EQ(Parse(text).s, text);
  }
}

TEST(ParameterTest, ComplexNumbers) {
  const std::pair<const char*, std::complex<float>> cases[] = {{"1.200000e+00+-9.000000e-01j", {1.2F, -0.9F}},
                                                               {"1.200000e+00-9.000000e-01j", {1.2F, -0.9F}},
                                                               {"1.0e+00+2.0e+00j", {1.0F, 2.0F}},
                                                               {"-1.0e-05+2.0e-05j", {-1e-5F, 2e-5F}},
                                                               {"-1.0e-05+-2.0e-05j", {-1e-5F, -2e-5F}},
                                                               {"1.0j", {0.0F, 1.0F}},
                                                               {"-1.0j", {0.0F, -1.0F}},
                                                               {"1E+00-2E-00j", {1.0F, -2.0F}}};
  for (const auto& [text, value] : cases) {
    EXPECT_EQ(Parse(text).type, kComplex) << text;
    EXPECT_EQ(Parse(text).c, value) << text;
  }
}

TEST(ParameterTest, IntegerLists) {
  const std::pair<const char*, std::vector<int>> cases[] = {{"(1,2,3)", {1, 2, 3}},
                                                            {"[1,2,3]", {1, 2, 3}},
                                                            {"(-1)", {-1}},
                                                            {"(1,)", {1}},
                                                            {"(2147483648,-99999999999)", {INT_MAX, INT_MIN}}};
  for (const auto& [text, value] : cases) {
    EXPECT_EQ(Parse(text).type, kInts) << text;
    EXPECT_EQ(Parse(text).ai, value) << text;
  }
}

TEST(ParameterTest, FloatLists) {
  const std::pair<const char*, std::vector<float>> cases[] = {{"(0.5,2.0)", {0.5F, 2.0F}},
                                                              {"(1,2.0)", {1.0F, 2.0F}},
                                                              {"(2.0,1)", {2.0F, 1.0F}},
                                                              {"[1e-3]", {1e-3F}},
                                                              {"(inf,1,-inf)", {INFINITY, 1.0F, -INFINITY}}};
  for (const auto& [text, value] : cases) {
    EXPECT_EQ(Parse(text).type, kFloats) << text;
    EXPECT_EQ(Parse(text).af, value) << text;
  }
}

TEST(ParameterTest, StringLists) {
  const std::pair<const char*, std::vector<std::string>> cases[] = {{"(a,b)", {"a", "b"}},
                                                                    {"(@0,5)", {"@0", "5"}},
                                                                    {"(5,@0)", {"5", "@0"}},
                                                                    {"(None,1)", {"None", "1"}},
                                                                    {"(True,False)", {"True", "False"}}};
  for (const auto& [text, value] : cases) {
    EXPECT_EQ(Parse(text).type, kStrings) << text;
    EXPECT_EQ(Parse(text).as, value) << text;
  }
}

TEST(ParameterTest, ComplexLists) {
  const Parameter parameter = Parse("(1.0e+00+2.0e+00j,3.0,4)");
  EXPECT_EQ(parameter.type, kComplexes);
  EXPECT_EQ(parameter.ac, (std::vector<std::complex<float>>{{1, 2}, {3, 0}, {4, 0}}));
}

TEST(ParameterTest, ValuesMadeInCodeAreWrittenAsTheConverterDoes) {
  const std::pair<Parameter, const char*> cases[] = {
      {Parameter(), "None"},
      {true, "True"},
      {false, "False"},
      {-3, "-3"},
      {0.0F, "0.0"},
      {-0.0F, "0.0"},
      {6.0F, "6.0"},
      {0.1, "0.1"},
      {0.7F, "0.7"},
      {1e-5, "1.000000e-5"},
      {1e6F, "1.000000e6"},
      {123456.0F, "123456.0"},
      {std::numeric_limits<float>::max(), "3.40282347e38"},
      {INFINITY, "inf"},
      {-INFINITY, "-inf"},
      {NAN, "nan.0"},
      {"zeros", "zeros"},
      {std::vector<int>{1, 2}, "(1,2)"},
      {std::vector<int>{}, "()"},
      {std::vector<float>{0.5F, 2.0F}, "(0.5,2.0)"},
      {std::vector<std::string>{"a", "b"}, "(a,b)"},
      {std::complex<float>(1.2F, -0.9F), "1.200000e+00+-9.000000e-01j"},
  };
  for (const auto& [parameter, text] : cases) EXPECT_EQ(parameter.encode_to_string(), text);
}

TEST(ParameterTest, EveryFloatReadsBack) {
  std::mt19937 generator(20260721);
  for (int k = 0; k < 100000; ++k) {
    const auto bits = static_cast<uint32_t>(generator());
    float value = 0;
    std::memcpy(&value, &bits, sizeof(value));
    if (!std::isfinite(value)) continue;
    const std::string text = Parameter(value).encode_to_string();
    ASSERT_EQ(Parameter::parse_from_string(text).type, kFloat) << text;
    ASSERT_EQ(Parameter::parse_from_string(text).f, value) << text;
  }
}

/// The value's kind and text.
std::string ExactText(const Parameter& parameter) {
  const kuiper_infer::Value value = ValueOf(parameter);
  return std::string(KindName(value)) + " " + ValueString(value);
}

TEST(ParameterTest, ValuesHaveAllDigitsOfTheFile) {
  const std::pair<const char*, const char*> cases[] = {
      {"None", "None None"},
      {"()", "None None"},
      {"True", "bool True"},
      {"-7", "int -7"},
      {"3000000000", "int 3000000000"},
      {"-9223372036854775807", "int -9223372036854775807"},
      {"0.1", "float 0.10000000000000001"},
      {"0.5", "float 0.5"},
      {"1e300", "float 1.0000000000000001e+300"},
      {"-inf", "float -inf"},
      {"same", "str 'same'"},
      {"(1,3000000000)", "list [1,3000000000]"},
      {"(0.1,2)", "list [0.10000000000000001,2]"},
      {"(16777217,0.5)", "list [16777217,0.5]"},
      {"(100000000000000000000,0.5)", "list [1e+20,0.5]"},
      {"(a,1)", "list ['a','1']"},
      {"0.1+2.0j", "complex 0.10000000000000001+2j"},
      {"(0.1+2.0j,1)", "list [0.10000000000000001+2j,1+0j]"},
  };
  for (const auto& [text, exact] : cases) EXPECT_EQ(ExactText(Parameter::parse_from_string(text)), exact) << text;
}

TEST(ParameterTest, TheLimitsOf64BitsAreNumbersLikeOthers) {
  EXPECT_EQ(ExactText(Parse("9223372036854775807")), "int 9223372036854775807");
  EXPECT_EQ(ExactText(Parse("-9223372036854775808")), "int -9223372036854775808");
  EXPECT_EQ(ExactText(Parse("(0,9223372036854775807)")), "list [0,9223372036854775807]");
}

TEST(ParameterTest, IntegersBeyond64BitsHaveNoValue) {
  for (const char* text : {"9223372036854775808", "-99999999999999999999", "(0,99999999999999999999)"}) {
    const Parameter parameter = Parse(text);
    const std::string error = kuiper_infer::ErrorText(kuiper_infer::ErrorCode::kArgument, [&] { ValueOf(parameter); });
    EXPECT_NE(error.find("expected integers of 64 bits"), std::string::npos) << error;
  }
}

TEST(ParameterTest, ValuesMadeInCodeAreThoseOfTheirMembers) {
  EXPECT_EQ(ExactText(Parameter()), "None None");
  EXPECT_EQ(ExactText(3), "int 3");
  EXPECT_EQ(ExactText(0.5F), "float 0.5");
  EXPECT_EQ(ExactText("word"), "str 'word'");
  EXPECT_EQ(ExactText(std::vector<int>{1, 2}), "list [1,2]");
  EXPECT_EQ(ExactText(std::vector<float>{0.5F}), "list [0.5]");
  EXPECT_EQ(ExactText(std::vector<std::string>{"a"}), "list ['a']");
  EXPECT_EQ(ExactText(std::complex<float>(1, -2)), "complex 1-2j");
}

TEST(ParameterTest, Equality) {
  EXPECT_TRUE(Parameter(3) == Parameter::parse_from_string("3"));
  EXPECT_FALSE(Parameter(3) == Parameter(4));
  EXPECT_FALSE(Parameter(3) == Parameter("3"));
  EXPECT_FALSE(Parameter(1) == Parameter(true));
}

}  // namespace
}  // namespace pnnx
