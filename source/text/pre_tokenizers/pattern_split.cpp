// SPDX-License-Identifier: MIT
#include "text/pre_tokenizers/pre_tokenizers.hpp"

namespace kuiper_infer::text {
namespace {

class Sequence : public PreTokenizer {
 public:
  explicit Sequence(std::vector<PreTokenizerPtr> steps) : steps_(std::move(steps)) {}
  void Apply(Pieces& pieces) const override {
    for (const PreTokenizerPtr& step : steps_) step->Apply(pieces);
  }

 private:
  std::vector<PreTokenizerPtr> steps_;
};

class Split : public PreTokenizer {
 public:
  Split(std::unique_ptr<const Pattern> pattern, Division division, bool inverted)
      : pattern_(std::move(pattern)), division_(division), inverted_(inverted) {}
  void Apply(Pieces& pieces) const override { Divide(*pattern_, division_, inverted_, pieces); }

 private:
  std::unique_ptr<const Pattern> pattern_;
  Division division_;
  bool inverted_;
};

}  // namespace

PreTokenizerPtr PreTokenizerSequence(std::vector<PreTokenizerPtr> steps) {
  return std::make_unique<Sequence>(std::move(steps));
}

PreTokenizerPtr PatternSplit(std::unique_ptr<const Pattern> pattern, Division division, bool inverted) {
  return std::make_unique<Split>(std::move(pattern), division, inverted);
}

}  // namespace kuiper_infer::text
