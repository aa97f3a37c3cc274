// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>

#include "cli/commands.hpp"
#include "kuiper_infer/text/tokenizer.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "utils/shorten.hpp"

namespace kuiper_infer::cli {
namespace {

struct TokenizeOptions {
  std::string tokenizer;
  bool decode = false;
  bool special = false;
  bool bare = false;
};

std::string ReadStandardInput() { return {std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()}; }

std::vector<int64_t> ParseTokens(const std::string& text) {
  constexpr const char* kSpaces = " \t\r\n";
  std::vector<int64_t> tokens;
  for (std::size_t at = text.find_first_not_of(kSpaces); at != std::string::npos;
       at = text.find_first_not_of(kSpaces, at)) {
    const std::size_t end = std::min(text.find_first_of(kSpaces, at), text.size());
    int64_t token = 0;
    const auto [rest, fault] = std::from_chars(text.data() + at, text.data() + end, token);
    if (fault != std::errc() || rest != text.data() + end) {
      throw Error(ErrorCode::kInput, "standard input: number " + std::to_string(tokens.size() + 1) + " is '" +
                                         Shorten(text.substr(at, end - at)) + "', expected a token");
    }
    tokens.push_back(token);
    at = end;
  }
  return tokens;
}

int Tokenize(const TokenizeOptions& options) {
  const auto tokenizer = text::Tokenizer::Load(options.tokenizer);
  const std::string input = ReadStandardInput();
  if (options.decode) {
    std::cout << tokenizer.Decode(ParseTokens(input), options.special);
    return 0;
  }
  text::EncodeOptions encode;
  encode.add_special_tokens = !options.bare;
  encode.parse_special_tokens = options.special;
  const char* separator = "";
  for (const int64_t token : tokenizer.Encode(input, encode)) {
    std::cout << separator << token;
    separator = " ";
  }
  std::cout << "\n";
  return 0;
}

}  // namespace

void AddTokenizeCommand(CLI::App& app, Action& action) {
  const auto options = std::make_shared<TokenizeOptions>();
  const Command command(app, "tokenize",
                        "Turns a text from standard input into the numbers of its tokens, in one line, and back");
  command.Add("--tokenizer", options->tokenizer, "tokenizer.json, a GGUF file or BERT's vocab.txt").Required();
  command.AddFlag("--decode", options->decode, "Turn numbers into the text, to which no line end is added");
  command.AddFlag("--special", options->special,
                  "Names of special tokens in the text are these tokens; with --decode, their names are in the text");
  command.AddFlag("--bare", options->bare, "Add no tokens at the text's start and end");
  command.SetFooter(
      "Examples:\n"
      "  printf 'Hello, world!' | kuiper tokenize --tokenizer tokenizer.json\n"
      "  echo 9906 11 1917 0 | kuiper tokenize --tokenizer tokenizer.json --decode");
  command.SetAction(action, [options] { return Tokenize(*options); });
}

}  // namespace kuiper_infer::cli
