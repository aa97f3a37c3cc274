// SPDX-License-Identifier: MIT
// Fuzzes the language of pnnx.Expression: tokens, syntax tree, reverse Polish order.
#include "kuiper_infer/parser/parse_expression.hpp"
#include "kuiper_infer/utils/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  try {
    kuiper_infer::ExpressionParser parser(std::string(reinterpret_cast<const char*>(data), size));
    parser.Tokenizer();
    parser.Generate();
  } catch (const kuiper_infer::Error&) {
  }
  return 0;
}
