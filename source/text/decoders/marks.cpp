// SPDX-License-Identifier: MIT
// Decoders that change tokens one by one: the marks of words become spaces.
#include <array>

#include "text/decoders/decoders.hpp"
#include "text/utf8.hpp"

namespace kuiper_infer::text {
namespace {

class ReplaceRun : public WholeTokenRun {
 public:
  ReplaceRun(std::shared_ptr<const Pattern> pattern, std::string content)
      : pattern_(std::move(pattern)), content_(std::move(content)) {}

 protected:
  void Change(std::string& text, bool /*is_first*/) override { ReplaceMatches(*pattern_, content_, text); }

 private:
  std::shared_ptr<const Pattern> pattern_;
  std::string content_;
};

class WordPieceRun : public WholeTokenRun {
 public:
  WordPieceRun(std::string prefix, bool cleanup) : prefix_(std::move(prefix)), cleanup_(cleanup) {}

 protected:
  void Change(std::string& text, bool is_first) override {
    if (!is_first) {
      if (text.compare(0, prefix_.size(), prefix_) == 0) {
        text.erase(0, prefix_.size());
      } else {
        text.insert(0, 1, ' ');
      }
    }
    if (cleanup_) CleanUp(text);
  }

 private:
  std::string prefix_;
  bool cleanup_;
};

class MetaspaceRun : public WholeTokenRun {
 public:
  MetaspaceRun(std::string mark, bool drops_first) : mark_(std::move(mark)), drops_first_(drops_first) {}

 protected:
  void Change(std::string& text, bool is_first) override {
    ReplaceAll(text, mark_, is_first && drops_first_ ? "" : " ");
  }

 private:
  std::string mark_;
  bool drops_first_;
};

class SpacesRun : public WholeTokenRun {
 protected:
  void Change(std::string& text, bool is_first) override {
    if (!is_first) text.insert(0, 1, ' ');
  }
};

class CtcRun : public WholeTokenRun {
 public:
  CtcRun(std::string padding, std::string space, bool cleanup)
      : padding_(std::move(padding)), space_(std::move(space)), cleanup_(cleanup) {}

 protected:
  void Change(std::string& text, bool is_first) override {
    if (!is_first && text == before_) {
      text.clear();
      return;
    }
    before_ = text;
    ReplaceAll(text, padding_, "");
    if (!cleanup_) return;
    CleanUp(text);
    ReplaceAll(text, space_, " ");
  }

 private:
  std::string padding_;
  std::string space_;
  bool cleanup_;
  std::string before_;
};

}  // namespace

void ReplaceAll(std::string& text, std::string_view what, std::string_view with) {
  if (what.empty()) return;
  std::string result;
  std::size_t done = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, done)) {
    result.append(text, done, at - done).append(with);
    done = at + what.size();
  }
  if (done > 0) text = result.append(text, done, std::string::npos);
}

void CleanUp(std::string& text) {
  constexpr std::array<std::array<const char*, 2>, 11> kReplaced{{{" .", "."},
                                                                  {" ?", "?"},
                                                                  {" !", "!"},
                                                                  {" ,", ","},
                                                                  {" ' ", "'"},
                                                                  {" n't", "n't"},
                                                                  {" 'm", "'m"},
                                                                  {" do not", " don't"},
                                                                  {" 's", "'s"},
                                                                  {" 've", "'ve"},
                                                                  {" 're", "'re"}}};
  for (const auto& [what, with] : kReplaced) ReplaceAll(text, what, with);
}

DecoderPtr ReplaceDecoder(std::shared_ptr<const Pattern> pattern, std::string content) {
  return DecoderOf<ReplaceRun>(std::move(pattern), std::move(content));
}
DecoderPtr WordPieceDecoder(std::string prefix, bool cleanup) {
  return DecoderOf<WordPieceRun>(std::move(prefix), cleanup);
}
DecoderPtr MetaspaceDecoder(std::string mark, bool drops_first) {
  return DecoderOf<MetaspaceRun>(std::move(mark), drops_first);
}
DecoderPtr CtcDecoder(std::string padding, std::string space, bool cleanup) {
  return DecoderOf<CtcRun>(std::move(padding), std::move(space), cleanup);
}
DecoderPtr SpacesBetween() { return DecoderOf<SpacesRun>(); }

}  // namespace kuiper_infer::text
