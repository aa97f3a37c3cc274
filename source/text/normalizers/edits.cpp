// SPDX-License-Identifier: MIT
// Normalizers that add, drop or replace parts of a text.
#include <algorithm>

#include "text/characters.hpp"
#include "text/normalizers/normalizers.hpp"
#include "text/utf8.hpp"

namespace kuiper_infer::text {
namespace {

class Sequence : public Normalizer {
 public:
  explicit Sequence(std::vector<NormalizerPtr> steps) : steps_(std::move(steps)) {}
  void Apply(std::string& text) const override {
    for (const NormalizerPtr& step : steps_) step->Apply(text);
  }

 private:
  std::vector<NormalizerPtr> steps_;
};

class Strip : public Normalizer {
 public:
  Strip(bool left, bool right) : left_(left), right_(right) {}
  void Apply(std::string& text) const override {
    std::size_t begin = text.size();  // where the first character begins that is no white space
    std::size_t end = 0;              // where the last one ends
    ForEachCharacter(text, [&](char32_t code, std::size_t start, std::size_t size) {
      if (IsWhiteSpace(code)) return;
      begin = std::min(begin, start);
      end = start + size;
    });
    if (right_) text.resize(end);
    if (left_) text.erase(0, std::min(begin, text.size()));
  }

 private:
  bool left_;
  bool right_;
};

class Prepend : public Normalizer {
 public:
  explicit Prepend(std::string content) : content_(std::move(content)) {}
  void Apply(std::string& text) const override {
    if (!text.empty()) text.insert(0, content_);
  }

 private:
  std::string content_;
};

class Replace : public Normalizer {
 public:
  Replace(std::unique_ptr<const Pattern> pattern, std::string content)
      : pattern_(std::move(pattern)), content_(std::move(content)) {}
  void Apply(std::string& text) const override { ReplaceMatches(*pattern_, content_, text); }

 private:
  std::unique_ptr<const Pattern> pattern_;
  std::string content_;
};

}  // namespace

NormalizerPtr NormalizerSequence(std::vector<NormalizerPtr> steps) {
  return std::make_unique<Sequence>(std::move(steps));
}
NormalizerPtr StripNormalizer(bool left, bool right) { return std::make_unique<Strip>(left, right); }
NormalizerPtr PrependNormalizer(std::string content) { return std::make_unique<Prepend>(std::move(content)); }
NormalizerPtr ReplaceNormalizer(std::unique_ptr<const Pattern> pattern, std::string content) {
  return std::make_unique<Replace>(std::move(pattern), std::move(content));
}

}  // namespace kuiper_infer::text
