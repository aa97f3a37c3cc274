// SPDX-License-Identifier: MIT
#include "kuiper_infer/parser/parse_expression.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer {
namespace {

using testing::HasSubstr;

/// Returns the statement in reverse Polish order, with blanks between tokens; "[n" is a list of n.
std::string Postfix(const std::string& statement) {
  std::string text;
  for (const auto& node : ExpressionParser(statement).Generate()) {
    text += (text.empty() ? "" : " ") + node->text;
    if (node->num_index == static_cast<int32_t>(TokenType::TokenLeftSquare)) text += std::to_string(node->items.size());
  }
  return text;
}

std::string ErrorOf(const std::string& statement) {
  try {
    ExpressionParser(statement).Generate();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kArgument);
    return error.what();
  }
  return "";
}

TEST(ExpressionParserTest, TokensOfTheClassicStatement) {
  ExpressionParser parser("add(@0,mul(@1,@2))");
  parser.Tokenizer();
  EXPECT_EQ(parser.token_strs(),
            (std::vector<std::string>{"add", "(", "@0", ",", "mul", "(", "@1", ",", "@2", ")", ")"}));
  ASSERT_EQ(parser.tokens().size(), 11U);
  EXPECT_EQ(parser.tokens()[0].token_type, TokenType::TokenAdd);
  EXPECT_EQ(parser.tokens()[1].token_type, TokenType::TokenLeftBracket);
  EXPECT_EQ(parser.tokens()[2].token_type, TokenType::TokenInputNumber);
  EXPECT_EQ(parser.tokens()[3].token_type, TokenType::TokenComma);
  EXPECT_EQ(parser.tokens()[4].token_type, TokenType::TokenMul);
  EXPECT_EQ(parser.tokens()[4].start_pos, 7);
  EXPECT_EQ(parser.tokens()[4].end_pos, 10);
  EXPECT_EQ(static_cast<int>(TokenType::TokenUnknown), -9);
  EXPECT_EQ(static_cast<int>(TokenType::TokenRightBracket), -3);
}

TEST(ExpressionParserTest, TreeAndReversePolishOrder) {
  ExpressionParser parser("add(@0,mul(@1,@2))");
  int32_t index = 0;
  const auto root = parser.Generate_(index);
  EXPECT_EQ(index, 11);
  EXPECT_EQ(root->num_index, static_cast<int>(TokenType::TokenAdd));
  EXPECT_EQ(root->left->num_index, 0);
  EXPECT_EQ(root->right->num_index, static_cast<int>(TokenType::TokenMul));
  EXPECT_EQ(root->right->right->num_index, 2);
  const auto order = ExpressionParser("add(@0,mul(@1,@2))").Generate();
  ASSERT_EQ(order.size(), 5U);
  EXPECT_EQ(order[2]->num_index, 2);
  EXPECT_EQ(order[3]->num_index, static_cast<int>(TokenType::TokenMul));
  EXPECT_EQ(order[4]->num_index, static_cast<int>(TokenType::TokenAdd));
}

TEST(ExpressionParserTest, SinUsesLeftOnly) {
  const auto order = ExpressionParser("sin(add(@0,@1))").Generate();
  EXPECT_EQ(order.back()->num_index, static_cast<int>(TokenType::TokenSin));
  EXPECT_NE(order.back()->left, nullptr);
  EXPECT_EQ(order.back()->right, nullptr);
}

TEST(ExpressionParserTest, EveryFunctionOfTheFormat) {
  for (const char* name :
       {"abs",        "acos",  "acosh", "asin",       "asinh",       "atan",      "atanh",  "ceil",  "cos",
        "cosh",       "erf",   "exp",   "expm1",      "floor",       "log",       "log10",  "log1p", "neg",
        "reciprocal", "rsqrt", "sign",  "sin",        "sinh",        "sqrt",      "square", "tan",   "tanh",
        "trunc",      "round", "int",   "torch.bool", "torch.float", "torch.long"}) {
    EXPECT_EQ(Postfix(std::string(name) + "(@0)"), std::string("@0 ") + name);
  }
  for (const char* name :
       {"add", "sub", "mul",     "div",     "floor_divide", "remainder", "fmod", "pow",    "atan2",  "logaddexp",
        "max", "min", "maximum", "minimum", "and",          "or",        "xor",  "lshift", "rshift", "size"}) {
    EXPECT_EQ(Postfix(std::string(name) + "(@0,1)"), std::string("@0 1 ") + name);
  }
}

TEST(ExpressionParserTest, ParametersFollowTheArray) {
  EXPECT_EQ(Postfix("leaky_relu(neg(@0),0.1)"), "@0 neg 0.1 leaky_relu");
  EXPECT_EQ(Postfix("nan_to_num(@0,0,1,mul(2,3))"), "@0 0 1 2 3 mul nan_to_num");
  EXPECT_THAT(ErrorOf("softplus(@0,1)"), HasSubstr("expected ',' and argument 3 of softplus"));
}

TEST(ExpressionParserTest, BareFunctionsAreWordsOnRequest) {
  const auto order = ExpressionParser("clamp(x, min, mul(max, 2))", ExpressionParser::BareFunction::kWord).Generate();
  ASSERT_EQ(order.size(), 6U);
  EXPECT_EQ(order[1]->num_index, static_cast<int>(TokenType::TokenWord));
  EXPECT_EQ(order[2]->text, "max");
  EXPECT_EQ(order[5]->text, "clamp");
  EXPECT_EQ(order[5]->items.size(), 1U);
}

TEST(ExpressionParserTest, NumbersWordsAndLists) {
  for (const char* number : {"-1", "1e-05", "1.000000e-5", "3.40282347e38", "inf", "-inf", "nan.0", "2147483648",
                             "1.2e+00-9.0e-01j", "1.2e+00+-9.0e-01j"}) {
    const auto order = ExpressionParser(number).Generate();
    ASSERT_EQ(order.size(), 1U) << number;
    EXPECT_EQ(order[0]->num_index, static_cast<int>(TokenType::TokenNumber)) << number;
  }
  for (const char* word : {"None", "True", "bilinear", "ij", "max", "sum", "cross_entropy"}) {
    EXPECT_EQ(ExpressionParser(word).Generate()[0]->num_index, static_cast<int>(TokenType::TokenWord)) << word;
  }
  EXPECT_EQ(Postfix("[int(size(@0,0)),-1,int(mul(size(@0,2),0.5))]"), "@0 0 size int -1 @0 2 size 0.5 mul int [3");
  EXPECT_EQ(Postfix("[]"), "[0");
  EXPECT_EQ(Postfix("[None,@0]"), "None @0 [2");
  EXPECT_EQ(Postfix("size(@1)"), "@1 size");
  EXPECT_EQ(Postfix(" add( @0 , 2 ) "), "@0 2 add");
}

TEST(ExpressionParserTest, ToleratesWhatConvertersWrote) {
  EXPECT_EQ(Postfix("add(@0,,mul(@1,2))"), "@0 @1 2 mul add");
  EXPECT_EQ(Postfix("expm1,sub(@0,0.5)"), "@0 0.5 sub expm1");
  EXPECT_EQ(Postfix("add(expm1,@0),1"), "@0 expm1 1 add");
  EXPECT_EQ(Postfix("2,3"), "2 3 [2");
}

TEST(ExpressionParserTest, ErrorsPointAtTheColumn) {
  EXPECT_THAT(ErrorOf("add(@0,"), HasSubstr("column 8"));
  EXPECT_THAT(ErrorOf("add(@0)"), HasSubstr("column 7: expected ',' and argument 2 of add"));
  EXPECT_THAT(ErrorOf("add(@0,@1"), HasSubstr("expected ')'"));
  EXPECT_THAT(ErrorOf("add(@0,@1,@2)"), HasSubstr("column 10"));
  EXPECT_THAT(ErrorOf("frob(@0)"), HasSubstr("column 1: unknown function 'frob'"));
  EXPECT_THAT(ErrorOf("add(@0,@x)"), HasSubstr("column 8: found '@x'"));
  EXPECT_THAT(ErrorOf("@99999999999"), HasSubstr("column 1"));
  EXPECT_THAT(ErrorOf("[1,2"), HasSubstr("not closed"));
  EXPECT_THAT(ErrorOf("add(@0,@1))"), HasSubstr("column 11"));
  EXPECT_THAT(ErrorOf(")"), HasSubstr("column 1"));
  EXPECT_THAT(ErrorOf(""), HasSubstr("empty"));
}

TEST(ExpressionParserTest, DeepNestingIsAnErrorNotACrash) {
  std::string statement;
  for (int i = 0; i < 10000; ++i) statement += "neg(";
  statement += "@0" + std::string(10000, ')');
  EXPECT_THAT(ErrorOf(statement), HasSubstr("nested deeper"));
  std::string allowed;
  for (int i = 0; i < 900; ++i) allowed += "neg(";
  EXPECT_EQ(ErrorOf(allowed + "@0" + std::string(900, ')')), "");
}

}  // namespace
}  // namespace kuiper_infer
