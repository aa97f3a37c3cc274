// SPDX-License-Identifier: MIT
#include "text/post_processor.hpp"

#include <limits>

namespace kuiper_infer::text {
namespace {

constexpr int64_t kMostTokens = std::numeric_limits<int32_t>::max();

/// A template is a list of special tokens and, once, the text.
PostProcessor ReadTemplate(const JsonPart& part) {
  std::vector<int64_t> before;
  std::vector<int64_t> behind;
  bool text_seen = false;
  for (const JsonPart& item : part.At("single").Elements()) {
    if (item.Has("Sequence")) {
      if (text_seen || item.At("Sequence").Text("id", "A") != "A") item.Unsupported("a second text");
      text_seen = true;
      continue;
    }
    const std::string& name = item.At("SpecialToken").At("id").Text();
    const JsonPart token = part.At("special_tokens").At(name.c_str());
    for (const JsonPart& id : token.At("ids").Elements()) {
      (text_seen ? behind : before).push_back(id.Number(0, kMostTokens));
    }
  }
  if (!text_seen) part.At("single").Expected("a template with a text");
  return {std::move(before), std::move(behind)};
}

/// ["[CLS]", 101]
int64_t ReadNamedToken(const JsonPart& part) {
  const std::vector<JsonPart> elements = part.Elements();
  if (elements.size() != 2) part.Expected("a token's name and number");
  return elements[1].Number(0, kMostTokens);
}

}  // namespace

PostProcessor ReadPostProcessor(const JsonPart& part) {
  const std::string& type = part.At("type").Text();
  if (type == "ByteLevel") return {};  // it moves offsets only
  if (type == "TemplateProcessing") return ReadTemplate(part);
  if (type == "BertProcessing" || type == "RobertaProcessing") {
    return {{ReadNamedToken(part.At("cls"))}, {ReadNamedToken(part.At("sep"))}};
  }
  if (type != "Sequence") part.Unsupported("the post-processor '" + type + "'");
  PostProcessor all;
  for (const JsonPart& step : part.At("processors").Elements()) all.Enclose(ReadPostProcessor(step));
  return all;
}

}  // namespace kuiper_infer::text
