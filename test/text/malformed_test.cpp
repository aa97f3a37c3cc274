// SPDX-License-Identifier: MIT
// Broken files are refused with one line that names what is wrong, and nothing else happens.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kuiper_infer/text/tokenizer.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "text/cases.hpp"

namespace kuiper_infer::text::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// The error that a file gives; empty if it is accepted.
std::string Fault(const std::string& bytes, ErrorCode expected = ErrorCode::kFile) {
  try {
    Tokenizer::LoadFromMemory(bytes, "file").Encode("Some text 12, \xF0\x9F\x98\x80");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), expected) << error.what();
    EXPECT_THAT(error.what(), Not(HasSubstr("\n")));
    return error.what();
  }
  return {};
}

json Read(const std::string& name) { return json::parse(ReadBytes(TokenizerFile(name))); }

/// The error after a change of one place in a good file.
std::string FaultWith(const std::string& name, const char* pointer, const json& value,
                      ErrorCode expected = ErrorCode::kFile) {
  json file = Read(name);
  file[json::json_pointer(pointer)] = value;
  return Fault(file.dump(), expected);
}

TEST(MalformedTest, FilesOfNoFormat) {
  EXPECT_THAT(Fault(""), HasSubstr("file: is no tokenizer, expected"));
  EXPECT_THAT(Fault("hello\nworld\n"), HasSubstr("expected a tokenizer.json"));
  EXPECT_THAT(Fault("[UNK]\n[CLS]\n"), HasSubstr("lacks [SEP]"));
  EXPECT_THAT(Fault("{}"), HasSubstr("model"));
  EXPECT_THAT(Fault("{\"model\": 3}"), AllOf(HasSubstr("model is 3"), HasSubstr("expected an object")));
}

TEST(MalformedTest, TruncatedJson) {
  for (const char* const name : {"llama3", "bert", "unigram"}) {
    const std::string bytes = ReadBytes(TokenizerFile(name));
    for (std::size_t size = 0; size < bytes.size(); size += 1 + size / 50) {
      EXPECT_NE(Fault(bytes.substr(0, size)), "") << name << " cut to " << size;
    }
  }
}

TEST(MalformedTest, TruncatedGguf) {
  for (const char* const name : {"smollm.gguf", "sentencepiece.gguf"}) {
    const std::string bytes = ReadBytes(DataPath(name));
    ASSERT_EQ(Fault(bytes), "");
    for (std::size_t size = 4; size + 4 < bytes.size(); size += size < 500 ? 1 : 13) {
      EXPECT_NE(Fault(bytes.substr(0, size)), "") << name << " cut to " << size;
    }
  }
}

TEST(MalformedTest, DeepNesting) {
  for (const char* const pair : {"[]", "{}"}) {
    std::string bytes = "{\"a\":";
    for (int i = 0; i < 1'000'000; ++i) bytes += pair[0] == '[' ? "[" : "{\"a\":";
    EXPECT_THAT(Fault(bytes), HasSubstr("nested deeper than 64"));
  }
  json normalizer = {{"type", "NFC"}};
  for (int i = 0; i < 40; ++i) normalizer = {{"type", "Sequence"}, {"normalizers", {normalizer}}};
  EXPECT_THAT(FaultWith("gpt2", "/normalizer", normalizer), HasSubstr("nested deeper"));
}

TEST(MalformedTest, WrongTypes) {
  for (const char* const pointer :
       {"/model/vocab", "/model/merges", "/model/merges/3", "/model/byte_fallback", "/added_tokens", "/added_tokens/0",
        "/added_tokens/0/content", "/added_tokens/0/special", "/pre_tokenizer", "/pre_tokenizer/pretokenizers",
        "/pre_tokenizer/pretokenizers/0/pattern/Regex", "/pre_tokenizer/pretokenizers/0/behavior",
        "/post_processor/processors", "/decoder/type", "/model/type"}) {
    EXPECT_THAT(FaultWith("llama3", pointer, 17), AllOf(HasSubstr("17"), HasSubstr("expected"))) << pointer;
  }
  for (const json& score : {json("1"), json(), json::array()}) {
    EXPECT_THAT(FaultWith("unigram", "/model/vocab/7/1", score), HasSubstr("expected a number"));
  }
}

TEST(MalformedTest, NumbersOutOfRange) {
  for (const json& number : {json(-1), json(1e300), json(uint64_t{1} << 63), json(4'000'000'000U), json(1.5)}) {
    EXPECT_THAT(FaultWith("gpt2", "/model/vocab/a", number), HasSubstr("expected a whole number"));
    EXPECT_THAT(FaultWith("gpt2", "/added_tokens/0/id", number), HasSubstr("expected a whole number"));
    EXPECT_THAT(FaultWith("unigram", "/model/unk_id", number), HasSubstr("expected a whole number"));
  }
  EXPECT_THAT(FaultWith("bert", "/post_processor/cls/1", 600), HasSubstr("token 600, expected one below 600"));
  EXPECT_THAT(FaultWith("unigram", "/normalizer/normalizers/1/precompiled_charsmap", "AAAA"),
              HasSubstr("size of its trie"));
  EXPECT_THAT(FaultWith("unigram", "/normalizer/normalizers/1/precompiled_charsmap", "////////"),
              HasSubstr("whole words"));
  EXPECT_THAT(FaultWith("unigram", "/normalizer/normalizers/1/precompiled_charsmap", "A-A="), HasSubstr("Base64"));
}

TEST(MalformedTest, TokensThatAreNotThere) {
  EXPECT_THAT(FaultWith("gpt2", "/model/merges/3", json::array({"a", "nowhere"})),
              HasSubstr("merges[3] needs 'nowhere', expected a token of the vocabulary"));
  EXPECT_THAT(FaultWith("gpt2", "/model/merges/3", "a b c"), HasSubstr("expected two tokens"));
  EXPECT_THAT(FaultWith("bert", "/model/unk_token", "[NONE]", ErrorCode::kUnsupported), HasSubstr("'[NONE]'"));
  EXPECT_THAT(FaultWith("unigram", "/model/unk_id", nullptr, ErrorCode::kUnsupported), HasSubstr("unk_id"));
}

TEST(MalformedTest, UnknownKindsAreNamed) {
  for (const char* const part : {"normalizer", "pre_tokenizer", "model", "decoder", "post_processor"}) {
    const std::string fault =
        FaultWith("qwen2", (std::string("/") + part + "/type").c_str(), "Magic", ErrorCode::kUnsupported);
    EXPECT_THAT(fault, AllOf(HasSubstr(std::string("file: ") + part), HasSubstr("'Magic' is not supported")));
  }
  EXPECT_THAT(FaultWith("gpt2", "/model/dropout", 0.1, ErrorCode::kUnsupported), HasSubstr("dropout"));
  for (const char* const pattern :
       {"(", "[a-[b]]", "[\\p{L}&&\\p{Lu}]", "\\p{Nonsense}", "a\\", "[\\W]", "(?m:.)", "\\u00"}) {
    EXPECT_THAT(FaultWith("llama3", "/pre_tokenizer/pretokenizers/0/pattern/Regex", pattern, ErrorCode::kUnsupported),
                HasSubstr(pattern));
  }
}

/// A pattern that takes exponentially many steps is given up.
TEST(MalformedTest, PatternsThatNeverEnd) {
  json file = Read("llama3");
  file["pre_tokenizer"]["pretokenizers"][0]["pattern"]["Regex"] = "(?:a+)+$";
  const auto tokenizer = Tokenizer::LoadFromMemory(file.dump(), "file");
  try {
    tokenizer.Encode(std::string(100, 'a') + "b");
    FAIL() << "the search has ended";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
    EXPECT_THAT(error.what(), HasSubstr("(?:a+)+$"));
  }
}

TEST(MalformedTest, GgufFieldsAreChecked) {
  const std::string bytes = ReadBytes(DataPath("smollm.gguf"));
  const auto with = [&](std::size_t at, char byte) {
    std::string changed = bytes;
    changed[at] = byte;
    return changed;
  };
  EXPECT_THAT(Fault(with(4, 9), ErrorCode::kUnsupported), HasSubstr("version 9"));
  EXPECT_THAT(Fault(with(23, '\x7F')), HasSubstr("begins a field"));  // the number of values
  EXPECT_THAT(Fault(with(31, '\x7F')), HasSubstr("begins a field"));  // the size of a key
  const std::size_t model = bytes.find("gpt2");
  EXPECT_THAT(Fault(with(model, 'x'), ErrorCode::kUnsupported), HasSubstr("'xpt2'"));
  const std::size_t pre = bytes.find("smollm");
  EXPECT_THAT(Fault(with(pre, 'x'), ErrorCode::kUnsupported), HasSubstr("'xmollm'"));
  const std::size_t tokens = bytes.find("tokenizer.ggml.tokens") + 21;
  EXPECT_THAT(Fault(with(tokens - 1, 'z')), HasSubstr("tokenizer.ggml.tokens is missing, expected a list of texts"));
  EXPECT_THAT(Fault(with(tokens + 4, 9)), HasSubstr("type 9 in an array"));
  EXPECT_THAT(Fault(with(tokens + 14, '\x7F')), HasSubstr("begins a field"));  // the number of elements
}

/// Any byte of a file may be wrong: the file is refused, or is another tokenizer.
TEST(MalformedTest, ChangedBytes) {
  for (const char* const name : {"smollm.gguf", "sentencepiece.gguf", "divisions.json", "unigram.json"}) {
    const std::string bytes = ReadBytes(DataPath(name));
    for (std::size_t at = 0; at < bytes.size(); at += 1 + bytes.size() / 700) {
      std::string changed = bytes;
      changed[at] = static_cast<char>(changed[at] ^ (1 << (at % 8)));
      try {
        Tokenizer::LoadFromMemory(changed, "file").Encode("Some text 12, \xF0\x9F\x98\x80 12");
      } catch (const Error&) {
      }
    }
  }
}

TEST(MalformedTest, TokensOutsideOfTheVocabulary) {
  const auto tokenizer = Tokenizer::Load(DataPath("gpt2.json"));
  for (const int64_t token : {int64_t{-1}, tokenizer.size(), INT64_MAX, INT64_MIN}) {
    EXPECT_THROW(tokenizer.Decode({token}), Error);
    EXPECT_THROW(tokenizer.Name(token), Error);
    EXPECT_THROW(tokenizer.special(token), Error);
    EXPECT_THROW(StreamDecoder(tokenizer).Push(token), Error);
  }
  EXPECT_THROW(Tokenizer::Load("no/such/file"), Error);
  EXPECT_THROW(Tokenizer::Load("/dev/zero"), Error);
}

}  // namespace
}  // namespace kuiper_infer::text::test
