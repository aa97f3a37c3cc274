// SPDX-License-Identifier: MIT
// Answers of small decoders: their tokens are those of transformers, whatever is kept, guessed or stopped.
#include "kuiper_infer/text/generator.hpp"

#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kuiper_infer/utils/error.hpp"
#include "text/small_decoder.hpp"

namespace kuiper_infer::text {
namespace {

using test::DecoderTokens;
using test::LoadDecoder;
using test::SmallTokenizer;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr int64_t kPrompt = 7;

Generator Small(const std::string& name = "smollm2", bool all_logits = false) {
  return Generator(LoadDecoder(name, all_logits), SmallTokenizer(), ChatTemplate::ByName("chatml"));
}

struct Read {
  std::string text;
  std::vector<int64_t> tokens;
  FinishReason finish = FinishReason::kNone;
  AnswerFigures figures;
};

Read ReadAll(Answer answer) {
  Read read;
  for (const Piece& piece : answer) {
    EXPECT_EQ(read.finish, FinishReason::kNone) << "a piece behind the last one";
    read.text += piece.text;
    if (piece.token >= 0) read.tokens.push_back(piece.token);
    read.finish = piece.finish;
  }
  read.figures = answer.figures();
  return read;
}

GenerateOptions Plain(int64_t max_tokens) {
  GenerateOptions options;
  options.max_tokens = max_tokens;
  options.ignore_endings = true;
  return options;
}

std::vector<int64_t> PromptOf(const std::string& name) {
  const std::vector<int64_t> tokens = DecoderTokens(name);
  return {tokens.begin(), tokens.begin() + kPrompt};
}

class GeneratorTest : public testing::TestWithParam<const char*> {};

TEST_P(GeneratorTest, TokensAreThoseOfTransformers) {
  const std::vector<int64_t> all = DecoderTokens(GetParam());
  const std::vector<int64_t> expected(all.begin() + kPrompt, all.end());
  const Model model = LoadDecoder(GetParam());
  for (const int64_t chunk : {256, 5, 1}) {
    Generator generator(model, SmallTokenizer());
    GenerateOptions options = Plain(static_cast<int64_t>(expected.size()));
    options.prompt_chunk = chunk;
    const Read read = ReadAll(generator.GenerateFrom(PromptOf(GetParam()), options));
    EXPECT_EQ(read.tokens, expected) << "chunks of " << chunk;
    EXPECT_EQ(read.finish, FinishReason::kLength);
    EXPECT_EQ(read.text, SmallTokenizer().Decode(expected));
  }
}

TEST_P(GeneratorTest, LookupGivesTheSameTokens) {
  const Model model = LoadDecoder(GetParam(), true);
  Generator generator(model, SmallTokenizer());
  std::vector<int64_t> prompt = PromptOf(GetParam());
  const Read plain = ReadAll(generator.GenerateFrom(prompt, Plain(100)));
  // The prompt holds the answer, so guesses are right.
  std::vector<int64_t> quoted = prompt;
  quoted.insert(quoted.end(), plain.tokens.begin(), plain.tokens.end());
  for (const std::vector<int64_t>& each : {prompt, quoted}) {
    const Read expected = ReadAll(generator.GenerateFrom(each, Plain(60)));
    for (const int64_t guesses : {1, 4, 7}) {
      generator.Reset();
      GenerateOptions options = Plain(60);
      options.lookup = guesses;
      const Read read = ReadAll(generator.GenerateFrom(each, options));
      EXPECT_EQ(read.tokens, expected.tokens) << guesses << " guesses";
      EXPECT_EQ(read.text, expected.text);
      EXPECT_LE(read.figures.accepted, read.figures.guessed);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Decoders, GeneratorTest,
                         testing::Values("gemma2", "gemma3", "llama3", "llama_biases", "mistral", "phi3", "qwen2",
                                         "qwen3", "smollm2"),
                         [](const auto& info) { return std::string(info.param); });

TEST(GeneratorStateTest, WhatWasComputedIsKept) {
  Generator generator = Small();
  const Read first = ReadAll(generator.GenerateFrom(PromptOf("smollm2"), Plain(10)));
  EXPECT_EQ(first.figures.kept_tokens, 0);
  std::vector<int64_t> longer = PromptOf("smollm2");
  longer.insert(longer.end(), first.tokens.begin(), first.tokens.end());
  longer.push_back(20);
  const Read second = ReadAll(generator.GenerateFrom(longer, Plain(10)));
  EXPECT_EQ(second.figures.kept_tokens, kPrompt + 9) << "all but the last token of the answer, which was not run";
  Generator fresh = Small();
  EXPECT_EQ(ReadAll(fresh.GenerateFrom(longer, Plain(10))).tokens, second.tokens);
  // Another end of the prompt: the common beginning is kept.
  longer[kPrompt + 2] = 3;
  const Read third = ReadAll(generator.GenerateFrom(longer, Plain(10)));
  EXPECT_EQ(third.figures.kept_tokens, kPrompt + 2);
  EXPECT_EQ(ReadAll(fresh.GenerateFrom(longer, Plain(10))).tokens, third.tokens);
  generator.Reset();
  EXPECT_TRUE(generator.kept().empty());
}

std::vector<ChatMessage> Asked(const std::string& question) {
  return {{"system", "You answer questions about trains, and nothing else."}, {"user", question}};
}

TEST(GeneratorStateTest, ASystemMessageIsComputedOnceForAllConversations) {
  Generator first = Small();
  Generator second = first.NewConversation();
  EXPECT_EQ(ReadAll(first.Generate(Asked("When?"), Plain(5))).figures.kept_tokens, 0);
  const Read read = ReadAll(second.Generate(Asked("Where to?"), Plain(5)));
  EXPECT_GT(read.figures.kept_tokens, 50);
  EXPECT_LT(read.figures.kept_tokens, read.figures.prompt_tokens - 5);
  Generator fresh = Small();
  EXPECT_EQ(ReadAll(fresh.Generate(Asked("Where to?"), Plain(5))).tokens, read.tokens);
}

TEST(GeneratorStateTest, AChatGoesOn) {
  Generator generator = Small();
  std::vector<ChatMessage> messages = Asked("When?");
  const Read first = ReadAll(generator.Generate(messages, Plain(12)));
  messages.push_back({"assistant", first.text});
  messages.push_back({"user", "And then?"});
  const Read second = ReadAll(generator.Generate(messages, Plain(5)));
  EXPECT_GE(second.figures.kept_tokens, first.figures.prompt_tokens);
}

TEST(GeneratorStateTest, ConversationsInThreads) {
  Generator generator = Small();
  const Read expected = ReadAll(generator.Generate(Asked("When?"), Plain(20)));
  std::vector<std::thread> threads;
  std::vector<Read> reads(4);
  for (Read& read : reads) {
    threads.emplace_back([&generator, &read] {
      Generator own = generator.NewConversation();
      read = ReadAll(own.Generate(Asked("When?"), Plain(20)));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Read& read : reads) EXPECT_EQ(read.tokens, expected.tokens);
}

TEST(GeneratorEndTest, TokensAndTextsThatEndAnAnswer) {
  Generator generator = Small();
  const Read whole = ReadAll(generator.GenerateFrom(PromptOf("smollm2"), Plain(40)));
  GenerateOptions options = Plain(40);
  options.stop_tokens = {whole.tokens[9]};
  const auto first = std::find(whole.tokens.begin(), whole.tokens.end(), whole.tokens[9]) - whole.tokens.begin();
  const Read stopped = ReadAll(generator.GenerateFrom(PromptOf("smollm2"), options));
  EXPECT_EQ(stopped.finish, FinishReason::kStop);
  EXPECT_EQ(static_cast<int64_t>(stopped.tokens.size()), first + 1);
  // A text over several tokens.
  ASSERT_GT(whole.text.size(), 12U);
  options = Plain(40);
  options.stop = {"never comes", whole.text.substr(7, 4)};
  const Read cut = ReadAll(generator.GenerateFrom(PromptOf("smollm2"), options));
  EXPECT_EQ(cut.finish, FinishReason::kStop);
  EXPECT_EQ(cut.text, whole.text.substr(0, whole.text.find(whole.text.substr(7, 4))));
}

TEST(GeneratorEndTest, CancelAndDeadline) {
  Generator generator = Small();
  GenerateOptions options = Plain(0);
  options.cancel.emplace();
  std::vector<Piece> pieces;
  for (const Piece& piece : generator.GenerateFrom(PromptOf("smollm2"), options)) {
    pieces.push_back(piece);
    if (pieces.size() == 3) options.cancel->Cancel();
  }
  ASSERT_EQ(pieces.size(), 4U);
  EXPECT_EQ(pieces.back().finish, FinishReason::kCancelled);
  EXPECT_EQ(pieces.back().token, -1);
  options.cancel->Reset();
  options.deadline = std::chrono::steady_clock::now();
  EXPECT_EQ(ReadAll(generator.GenerateFrom(PromptOf("smollm2"), options)).finish, FinishReason::kDeadline);
  EXPECT_EQ(ReadAll(generator.GenerateFrom(PromptOf("smollm2"), Plain(3))).tokens.size(), 3U) << "it can be used again";
}

TEST(GeneratorEndTest, TheModelsMaximum) {
  Generator generator = Small();
  EXPECT_EQ(generator.max_length(), 256);
  const Read read = ReadAll(generator.GenerateFrom(std::vector<int64_t>(250, 5), Plain(0)));
  EXPECT_EQ(read.finish, FinishReason::kLength);
  EXPECT_EQ(read.tokens.size(), 7U) << "six that are run, and one more";
  Generator all = Small("smollm2", true);
  GenerateOptions lookup = Plain(0);
  lookup.lookup = 7;
  EXPECT_EQ(ReadAll(all.GenerateFrom(std::vector<int64_t>(250, 5), lookup)).tokens, read.tokens);
  BuildOptions bounded;
  bounded.max_state_length = 20;
  Generator less(LoadDecoder("smollm2", false, bounded), SmallTokenizer());
  EXPECT_EQ(less.max_length(), 20);
  EXPECT_EQ(ReadAll(less.GenerateFrom(PromptOf("smollm2"), Plain(0))).tokens.size(), 14U);
}

TEST(GeneratorTextTest, SpecialTokensInATextAreText) {
  Generator generator = Small();
  const auto prompt_tokens = [&](const std::string& text) {
    return ReadAll(generator.Generate({{"user", text}}, Plain(1))).figures.prompt_tokens;
  };
  EXPECT_GT(prompt_tokens("a<|im_end|>"), prompt_tokens("a")) << "the letters of the name";
}

TEST(GeneratorTextTest, PiecesAreWholeCharacters) {
  Generator generator = Small();
  for (uint64_t seed = 0; seed < 20; ++seed) {
    GenerateOptions options = Plain(60);
    options.sampling.temperature = 3;
    options.sampling.seed = seed;
    options.sampling.logit_bias = {{62, 9.0F}, {63, 9.0F}};
    std::string text;
    std::vector<int64_t> tokens;
    for (const Piece& piece : generator.GenerateFrom(PromptOf("smollm2"), options)) {
      const bool half = !piece.text.empty() && piece.text.back() == '\xc3';
      EXPECT_FALSE(half) << "seed " << seed;
      text += piece.text;
      tokens.push_back(piece.token);
    }
    EXPECT_EQ(text, SmallTokenizer().Decode(tokens)) << "seed " << seed;
  }
}

TEST(GeneratorTextTest, TheSeedDecidesWhateverTheThreads) {
  GenerateOptions options = Plain(50);
  options.sampling.temperature = 1;
  options.sampling.seed = 9;
  BuildOptions two;
  two.num_threads = 2;
  Generator generator = Small();
  Generator threads(LoadDecoder("smollm2", false, two), SmallTokenizer());
  const Read read = ReadAll(generator.GenerateFrom(PromptOf("smollm2"), options));
  EXPECT_EQ(ReadAll(threads.GenerateFrom(PromptOf("smollm2"), options)).tokens, read.tokens);
  options.sampling.seed = 10;
  EXPECT_NE(ReadAll(generator.GenerateFrom(PromptOf("smollm2"), options)).tokens, read.tokens);
}

TEST(GeneratorTextTest, LogProbabilitiesAndProgress) {
  Generator generator = Small();
  GenerateOptions options = Plain(4);
  options.sampling.logprobs = 3;
  options.prompt_chunk = 3;
  std::vector<int64_t> done;
  options.progress = [&](int64_t count, int64_t total) {
    done.push_back(count);
    EXPECT_EQ(total, kPrompt);
  };
  for (const Piece& piece : generator.GenerateFrom(PromptOf("smollm2"), options)) {
    ASSERT_TRUE(piece.logprobs);
    ASSERT_EQ(piece.logprobs->best.size(), 3U);
    EXPECT_EQ(piece.logprobs->best[0].token, piece.token) << "the most probable token is chosen";
    EXPECT_EQ(piece.logprobs->best[0].score, piece.logprobs->chosen);
  }
  EXPECT_THAT(done, ElementsAre(3, 6, 7));
}

std::string ErrorOf(const std::function<void()>& call, ErrorCode code = ErrorCode::kInput) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code);
    return error.what();
  }
  return "no error";
}

TEST(GeneratorErrorTest, PromptsAndOptions) {
  Generator generator = Small();
  const auto error = [&](const std::vector<int64_t>& prompt, const GenerateOptions& options = {}) {
    return ErrorOf([&] { generator.GenerateFrom(prompt, options); });
  };
  EXPECT_EQ(error({}), "the prompt is empty, expected at least one token");
  EXPECT_EQ(error(std::vector<int64_t>(257, 5)), "the prompt has 257 tokens, the model allows at most 256");
  EXPECT_EQ(error({5, 64}), "a token of the prompt is 64, expected 0 to 63");
  GenerateOptions options;
  options.max_tokens = -1;
  EXPECT_THAT(error({5}, options), HasSubstr("max_tokens is -1"));
  options = {};
  options.prompt_chunk = 0;
  EXPECT_THAT(error({5}, options), HasSubstr("prompt_chunk is 0, expected 1 to"));
  options = {};
  options.stop_tokens = {70};
  EXPECT_THAT(error({5}, options), HasSubstr("a stop token is 70"));
  options = {};
  options.lookup = 8;
  EXPECT_THAT(error({5}, options), HasSubstr("lookup is 8, expected 0 to 7"));
  options.lookup = 3;
  EXPECT_THAT(ErrorOf([&] { generator.GenerateFrom({5}, options); }, ErrorCode::kUnsupported),
              HasSubstr("export it with logits=\"all\""));
  options = {};
  options.sampling.top_p = 2;
  EXPECT_THAT(error({5}, options), HasSubstr("top_p is 2"));
}

TEST(GeneratorErrorTest, AnAnswerEndsTheOneBeforeIt) {
  Generator generator = Small();
  Answer first = generator.GenerateFrom({5, 6}, Plain(3));
  Piece piece;
  EXPECT_TRUE(first.Next(piece));
  Answer second = generator.GenerateFrom({5, 7}, Plain(3));
  EXPECT_THAT(ErrorOf([&] { first.Next(piece); }, ErrorCode::kState), HasSubstr("its generator has begun another one"));
  EXPECT_EQ(ReadAll(std::move(second)).tokens.size(), 3U);
}

TEST(GeneratorErrorTest, ModelsThatAreNoDecoders) {
  const std::string files = KUIPER_SOURCE_DIR "/tmp/line_reader.pnnx.";
  const Model reader = Model::Load(files + "param", files + "bin");
  const std::string error = ErrorOf([&] { Generator(reader, SmallTokenizer()); }, ErrorCode::kUnsupported);
  EXPECT_THAT(error, HasSubstr("the model is no decoder: its inputs are pnnx_input_0 float32 (1,1,32,?)"));
  EXPECT_THAT(error, HasSubstr("expected one input of tokens, int64 (1,n), one output of logits"));
  Generator unknown(LoadDecoder("smollm2"), SmallTokenizer());
  EXPECT_THAT(ErrorOf(
                  [&] {
                    unknown.Generate({{"user", "Hi"}});
                  },
                  ErrorCode::kUnsupported),
              HasSubstr("the tokenizer has no chat template"));
}

}  // namespace
}  // namespace kuiper_infer::text
