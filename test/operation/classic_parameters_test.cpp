// SPDX-License-Identifier: MIT
// Parameters as values, as programs see them, and back.
#include "operation/classic_parameters.hpp"

#include <cmath>
#include <limits>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "operation/binder.hpp"

namespace kuiper_infer {
namespace {

constexpr int64_t kWide = int64_t{1} << 40;

/// An operator of a file with one parameter `p`.
RuntimeOperator OfFile(const Value& value) {
  OperatorCall call;
  call.params["p"] = value;
  RuntimeOperator op;
  op.call = std::make_shared<const OperatorCall>(call);
  return op;
}

/// An operator of a program with one parameter `p`.
RuntimeOperator OfProgram(std::shared_ptr<RuntimeParameter> parameter) {
  RuntimeOperator op;
  op.params["p"] = std::move(parameter);
  return op;
}

/// The parameter's classic form; null if it is no Parameter.
template <class Parameter>
std::shared_ptr<Parameter> Shown(const Value& value) {
  RuntimeOperator op = OfFile(value);
  ShowParameters(op);
  EXPECT_EQ(op.params.size(), 1U);
  EXPECT_EQ(op.params.at("p")->type, Parameter().type);
  return std::dynamic_pointer_cast<Parameter>(op.params.at("p"));
}

std::string ReadBack(const RuntimeOperator& op) {
  const auto values = ParameterValues(op);
  EXPECT_EQ(values.size(), 1U);
  return std::string(KindName(values.at("p"))) + " " + ValueString(values.at("p"));
}

TEST(ClassicParametersTest, EachKindIsShownInItsForm) {
  EXPECT_TRUE(Shown<RuntimeParameterBool>(true)->value);
  EXPECT_EQ(Shown<RuntimeParameterInt>(-3)->value, -3);
  EXPECT_EQ(Shown<RuntimeParameterFloat>(0.1)->value, 0.1F);
  EXPECT_EQ(Shown<RuntimeParameterString>("same")->value, "same");
  EXPECT_EQ(Shown<RuntimeParameterIntArray>(Value::List{1, 2})->value, (std::vector<int>{1, 2}));
  EXPECT_EQ(Shown<RuntimeParameterFloatArray>(Value::List{0.5, 2.0})->value, (std::vector<float>{0.5F, 2.0F}));
  EXPECT_EQ(Shown<RuntimeParameterFloatArray>(Value::List{1, 2.5})->value, (std::vector<float>{1.0F, 2.5F}));
  EXPECT_EQ(Shown<RuntimeParameterStringArray>(Value::List{"a", "b"})->value, (std::vector<std::string>{"a", "b"}));
  EXPECT_NE(Shown<RuntimeParameter>(Value()), nullptr);
}

TEST(ClassicParametersTest, WhatHasNoFormIsTheNearestOne) {
  EXPECT_EQ(Shown<RuntimeParameterInt>(kWide)->value, std::numeric_limits<int>::max());
  EXPECT_EQ(Shown<RuntimeParameterInt>(-kWide)->value, std::numeric_limits<int>::min());
  EXPECT_EQ(Shown<RuntimeParameterIntArray>(Value::List{0, kWide})->value,
            (std::vector<int>{0, std::numeric_limits<int>::max()}));
  const std::complex<double> number(1, -2);
  EXPECT_EQ(Shown<RuntimeParameterString>(number)->value, "1.000000e+00+-2.000000e+00j");
  EXPECT_EQ(Shown<RuntimeParameterString>(Value::List{number})->value, "(1.000000e+00+-2.000000e+00j)");
}

TEST(ClassicParametersTest, WhatAProgramLeavesAloneKeepsAllDigits) {
  const std::complex<double> number(0.1, -2);
  for (const Value& value : {Value(), Value(true), Value(kWide), Value(0.1), Value(NAN), Value("word"), Value(number),
                             Value(Value::List{0, kWide}), Value(Value::List{0.1, 1}), Value(Value::List{number}),
                             Value(Value::List{"a"})}) {
    RuntimeOperator op = OfFile(value);
    const std::string exact = std::string(KindName(value)) + " " + ValueString(value);
    EXPECT_EQ(ReadBack(op), exact);
    EXPECT_TRUE(op.params.empty()) << "nobody has looked";
    ShowParameters(op);
    EXPECT_EQ(ReadBack(op), exact);
  }
}

TEST(ClassicParametersTest, WhatAProgramGivesIsRead) {
  EXPECT_EQ(ReadBack(OfProgram(std::make_shared<RuntimeParameter>())), "None None");
  EXPECT_EQ(ReadBack(OfProgram(std::make_shared<RuntimeParameterBool>(true))), "bool True");
  EXPECT_EQ(ReadBack(OfProgram(std::make_shared<RuntimeParameterInt>(7))), "int 7");
  EXPECT_EQ(ReadBack(OfProgram(std::make_shared<RuntimeParameterFloat>(0.5F))), "float 0.5");
  EXPECT_EQ(ReadBack(OfProgram(std::make_shared<RuntimeParameterString>("same"))), "str 'same'");
  EXPECT_EQ(ReadBack(OfProgram(std::make_shared<RuntimeParameterIntArray>(std::vector<int>{1, 2}))), "list [1,2]");
  EXPECT_EQ(ReadBack(OfProgram(std::make_shared<RuntimeParameterFloatArray>(std::vector<float>{0.5F}))), "list [0.5]");
  EXPECT_EQ(ReadBack(OfProgram(std::make_shared<RuntimeParameterStringArray>(std::vector<std::string>{"a", "b"}))),
            "list ['a','b']");
  EXPECT_TRUE(ParameterValues(OfProgram(nullptr)).empty());
  EXPECT_TRUE(ParameterValues(RuntimeOperator()).empty());
}

TEST(ClassicParametersTest, WhatAProgramChangesCounts) {
  RuntimeOperator op = OfFile(kWide);
  ShowParameters(op);
  std::dynamic_pointer_cast<RuntimeParameterInt>(op.params["p"])->value = 4;
  EXPECT_EQ(ReadBack(op), "int 4");
  op.params["p"] = std::make_shared<RuntimeParameterFloat>(4.0F);
  EXPECT_EQ(ReadBack(op), "float 4");
  op.params["p"] = nullptr;
  EXPECT_TRUE(ParameterValues(op).empty());
  op.params.clear();
  EXPECT_TRUE(ParameterValues(op).empty()) << "erased, and not read from the file again";
  ShowParameters(op);
  EXPECT_TRUE(op.params.empty()) << "shown once";
}

TEST(ClassicParametersTest, TheKindOfANumberCounts) {
  RuntimeOperator op = OfFile(4);
  ShowParameters(op);
  op.params["p"] = std::make_shared<RuntimeParameterFloat>(4.0F);
  EXPECT_EQ(ReadBack(op), "float 4");
}

TEST(ClassicParametersTest, WhatAProgramGaveBeforeItLookedStays) {
  RuntimeOperator op = OfFile(4);
  op.params["p"] = std::make_shared<RuntimeParameterInt>(5);
  EXPECT_EQ(ReadBack(op), "int 5");
  ShowParameters(op);
  EXPECT_EQ(ReadBack(op), "int 5");
}

}  // namespace
}  // namespace kuiper_infer
