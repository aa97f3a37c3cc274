// SPDX-License-Identifier: MIT
#include "word_piece.hpp"

#include <fstream>
#include <stdexcept>

#include "basic_words.hpp"

namespace demos {
namespace {

constexpr std::size_t kLongestWord = 100;

bool IsInsideCharacter(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

}  // namespace

WordPiece WordPiece::Read(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> vocabulary;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    vocabulary.push_back(line);
  }
  if (vocabulary.empty()) throw std::runtime_error(path + ": cannot be opened, or is empty");
  try {
    return WordPiece(vocabulary);
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(path + ": " + error.what());
  }
}

WordPiece::WordPiece(const std::vector<std::string>& vocabulary) {
  for (std::size_t i = 0; i < vocabulary.size(); ++i) numbers_[vocabulary[i]] = static_cast<int64_t>(i);
  unknown_ = Number("[UNK]");
  start_ = Number("[CLS]");
  end_ = Number("[SEP]");
}

int64_t WordPiece::Number(const std::string& piece) const {
  const auto found = numbers_.find(piece);
  if (found == numbers_.end()) throw std::runtime_error("the vocabulary lacks " + piece);
  return found->second;
}

void WordPiece::AppendPieces(std::string_view word, std::vector<int64_t>& numbers) const {
  const std::size_t before = numbers.size();
  std::size_t characters = 0;
  for (const char byte : word) characters += IsInsideCharacter(byte) ? 0 : 1;
  bool is_known = characters <= kLongestWord;
  for (std::size_t start = 0; is_known && start < word.size();) {
    is_known = false;
    for (std::size_t end = word.size(); end > start && !is_known; --end) {
      if (end < word.size() && IsInsideCharacter(word[end])) continue;
      const auto found = numbers_.find((start > 0 ? "##" : "") + std::string(word.substr(start, end - start)));
      if (found == numbers_.end()) continue;
      numbers.push_back(found->second);
      is_known = true;
      start = end;
      break;
    }
  }
  if (is_known) return;
  numbers.resize(before);
  numbers.push_back(unknown_);
}

std::vector<int64_t> WordPiece::Encode(std::string_view text) const {
  std::vector<int64_t> numbers{start_};
  for (const std::string& word : BasicWords(text)) AppendPieces(word, numbers);
  numbers.push_back(end_);
  return numbers;
}

}  // namespace demos
