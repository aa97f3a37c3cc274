// SPDX-License-Identifier: MIT
// Encodes or decodes many records from standard input with one tokenizer, or measures its speed:
//   tokenize_records FILE encode|parse|decode|decode-special|stream|speed
// A record is a number of 4 bytes, little-endian, and so many bytes (a text) or numbers of 4 bytes (tokens).
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "kuiper_infer/text/tokenizer.hpp"

namespace {

using kuiper_infer::text::EncodeOptions;
using kuiper_infer::text::StreamDecoder;
using kuiper_infer::text::Tokenizer;
using Tokens = std::vector<int64_t>;

constexpr std::size_t kDocument = 4096;  // bytes of the texts whose speed is measured

bool ReadNumber(uint32_t& number) { return std::fread(&number, sizeof(number), 1, stdin) == 1; }

void WriteNumber(std::size_t number) {
  const auto word = static_cast<uint32_t>(number);
  std::fwrite(&word, sizeof(word), 1, stdout);
}

std::string ReadText(uint32_t size) {
  std::string text(size, '\0');
  text.resize(std::fread(text.data(), 1, size, stdin));
  return text;
}

Tokens ReadTokens(uint32_t count) {
  Tokens tokens;
  for (uint32_t token = 0; tokens.size() < count && ReadNumber(token);) tokens.push_back(token);
  return tokens;
}

std::string Stream(const Tokenizer& tokenizer, const Tokens& tokens) {
  StreamDecoder decoder(tokenizer);
  std::string text;
  for (const int64_t token : tokens) text += decoder.Push(token);
  return text + decoder.Finish();
}

void ConvertRecords(const Tokenizer& tokenizer, const std::string& mode) {
  for (uint32_t size = 0; ReadNumber(size);) {
    if (mode == "encode" || mode == "parse") {
      const Tokens tokens = tokenizer.Encode(ReadText(size), {true, mode == "parse"});
      WriteNumber(tokens.size());
      for (const int64_t token : tokens) WriteNumber(static_cast<std::size_t>(token));
    } else {
      const Tokens tokens = ReadTokens(size);
      const std::string text =
          mode == "stream" ? Stream(tokenizer, tokens) : tokenizer.Decode(tokens, mode == "decode-special");
      WriteNumber(text.size());
      std::fwrite(text.data(), 1, text.size(), stdout);
    }
  }
}

double Seconds(std::chrono::steady_clock::time_point since) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - since).count();
}

/// Prints the best of five times, in MB/s, and the number of tokens.
void MeasureSpeed(const Tokenizer& tokenizer) {
  const std::string text{std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
  double best = 1e9;
  std::size_t tokens = 0;
  for (int run = 0; run < 5; ++run) {
    tokens = 0;
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t at = 0; at < text.size(); at += kDocument) {
      tokens += tokenizer.Encode(std::string_view(text).substr(at, kDocument), {false, false}).size();
    }
    best = std::min(best, Seconds(start));
  }
  std::printf("%.2f %zu\n", static_cast<double>(text.size()) / best / 1e6, tokens);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  try {
    const Tokenizer tokenizer = Tokenizer::Load(argv[1]);
    if (std::strcmp(argv[2], "speed") == 0) {
      MeasureSpeed(tokenizer);
    } else {
      ConvertRecords(tokenizer, argv[2]);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
  return 0;
}
