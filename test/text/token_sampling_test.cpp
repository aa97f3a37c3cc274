// SPDX-License-Identifier: MIT
// Distributions of tokens, compared with transformers' LogitsProcessors (tools/make_sampling_cases.py).
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "data/npy.hpp"
#include "kuiper_infer/runtime/store_zip.hpp"
#include "kuiper_infer/text/sampling.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "text/sampling/random_numbers.hpp"

namespace kuiper_infer::text {
namespace {

using testing::HasSubstr;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// The archive of cases.
class Cases {
 public:
  Cases() {
    if (archive_.open(KUIPER_SOURCE_DIR "/test/text/sampling_cases.zip") != 0)
      throw std::runtime_error(archive_.error());
  }
  std::string Bytes(const std::string& name) {
    std::string bytes(archive_.get_file_size(name), '\0');
    if (archive_.read_file(name, bytes.data()) != 0) throw std::runtime_error(archive_.error());
    return bytes;
  }
  NdArray Array(const std::string& name) {
    const std::string bytes = Bytes(name + ".npy");
    return ParseNpy(bytes.data(), bytes.size(), name);
  }

 private:
  StoreZipReader archive_;
};

SamplingOptions OptionsOf(const nlohmann::json& given) {
  SamplingOptions options;
  options.temperature = given.value("temperature", 0.0);
  options.top_k = given.value("top_k", 0);
  options.top_p = given.value("top_p", 1.0);
  options.min_p = given.value("min_p", 0.0);
  options.typical_p = given.value("typical_p", 1.0);
  options.repetition_penalty = given.value("repetition_penalty", 1.0);
  options.frequency_penalty = given.value("frequency_penalty", 0.0);
  options.presence_penalty = given.value("presence_penalty", 0.0);
  if (!given.contains("logit_bias")) return options;
  for (const auto& [token, bias] : given.at("logit_bias").items()) options.logit_bias[std::stoll(token)] = bias;
  return options;
}

TEST(SamplingTest, DistributionsAreThoseOfTransformers) {
  Cases cases;
  const NdArray logits = cases.Array("logits");
  const int64_t vocabulary = logits.shape()[1];
  const auto list = nlohmann::json::parse(cases.Bytes("cases.json"));
  ASSERT_GT(list.size(), 100U);
  for (std::size_t number = 0; number < list.size(); ++number) {
    const auto& each = list[number];
    SCOPED_TRACE("case " + std::to_string(number) + " " + each.at("options").dump());
    Sampler sampler(OptionsOf(each.at("options")), vocabulary);
    sampler.AddPrompt(each.at("prompt").get<std::vector<int64_t>>());
    for (const int64_t token : each.at("answer")) sampler.Add(token);
    std::vector<double> found(static_cast<std::size_t>(vocabulary));
    for (const auto& [token, probability] :
         sampler.Distribution(logits.data<float>() + each.at("row").get<int64_t>() * vocabulary)) {
      found[static_cast<std::size_t>(token)] = probability;
    }
    const NdArray expected = cases.Array(std::to_string(number));
    for (int64_t token = 0; token < vocabulary; ++token) {
      const auto probability = static_cast<double>(expected.data<float>()[token]);
      ASSERT_NEAR(found[static_cast<std::size_t>(token)], probability, 1e-9 + 5e-6 * probability) << "token " << token;
    }
  }
}

std::vector<float> RandomLogits(std::size_t count) {
  std::mt19937_64 generator(1);
  std::normal_distribution<float> normal(0, 3);
  std::vector<float> logits(count);
  for (float& logit : logits) logit = normal(generator);
  return logits;
}

/// How often each token is chosen in an answer of `draws` tokens.
std::map<int64_t, int> Count(SamplingOptions options, const std::vector<float>& logits, int draws) {
  Sampler sampler(options, static_cast<int64_t>(logits.size()));
  std::map<int64_t, int> counts;
  for (int i = 0; i < draws; ++i) {
    const int64_t token = sampler.Sample(logits.data());
    sampler.Add(token);
    ++counts[token];
  }
  return counts;
}

TEST(SamplingTest, TokensComeAsOftenAsTheirProbabilitySays) {
  const std::vector<float> logits = RandomLogits(333);
  constexpr int kDraws = 40000;
  for (const double top_p : {1.0, 0.9}) {
    SamplingOptions options;
    options.temperature = 1;
    options.top_p = top_p;
    options.seed = 17;
    const std::map<int64_t, int> counts = Count(options, logits, kDraws);
    int drawn = 0;
    for (const auto& [token, probability] : Sampler(options, 333).Distribution(logits.data())) {
      const auto found = counts.find(token);
      const int count = found == counts.end() ? 0 : found->second;
      const double deviation = std::sqrt(kDraws * probability * (1 - probability));
      EXPECT_NEAR(count, kDraws * probability, 5 * deviation + 1) << "token " << token << ", top_p " << top_p;
      drawn += count;
    }
    EXPECT_EQ(drawn, kDraws) << "other tokens were drawn, too";
  }
}

TEST(SamplingTest, TheSeedDecides) {
  const std::vector<float> logits = RandomLogits(1000);
  SamplingOptions options;
  options.temperature = 1;
  const auto counts = Count(options, logits, 200);
  EXPECT_EQ(Count(options, logits, 200), counts);
  options.seed = 1;
  EXPECT_NE(Count(options, logits, 200), counts);
}

TEST(SamplingTest, RandomNumbersAreTheSameEverywhere) {
  EXPECT_EQ(RandomNumber(0, 0), 0x1.4e0dba5e9a32fp-1);
  EXPECT_EQ(RandomNumber(42, 7), 0x1.782d47a99890cp-1);
  double sum = 0;
  for (uint64_t i = 0; i < 10000; ++i) sum += RandomNumber(3, i);
  EXPECT_NEAR(sum / 10000, 0.5, 0.01);
  sum = 0;
  for (uint64_t seed = 0; seed < 10000; ++seed) sum += RandomNumber(seed, 0);
  EXPECT_NEAR(sum / 10000, 0.5, 0.01) << "of neighbouring seeds";
}

TEST(SamplingTest, GreedyTakesTheFirstOfTheMostProbable) {
  std::vector<float> logits(200, -1.0F);
  logits[70] = logits[150] = 2;
  Sampler sampler({}, 200);
  EXPECT_EQ(sampler.Sample(logits.data()), 70);
  SamplingOptions forbidden;
  forbidden.logit_bias = {{70, -kInfinity}};
  EXPECT_EQ(Sampler(forbidden, 200).Sample(logits.data()), 150);
  ASSERT_EQ(sampler.Distribution(logits.data()).size(), 1U);
  SamplingOptions cold;
  cold.temperature = 1e-30;
  EXPECT_EQ(Sampler(cold, 200).Sample(logits.data()), 70);
}

TEST(SamplingTest, ForbiddenTokensAreNeverChosen) {
  std::vector<float> logits(100, -kInfinity);
  logits[3] = -1000;
  logits[99] = -1000;
  SamplingOptions options;
  options.temperature = 1;
  for (const double typical_p : {1.0, 0.9}) {
    options.typical_p = typical_p;
    for (const auto& [token, count] : Count(options, logits, 100)) EXPECT_TRUE(token == 3 || token == 99) << token;
  }
}

std::string ErrorOf(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInput);
    return error.what();
  }
  return "no error";
}

TEST(SamplingTest, LogitsThatAreNoNumbers) {
  const auto error = [](std::size_t at, float value) {
    std::vector<float> logits(130, 0.0F);
    logits[at] = value;
    return ErrorOf([&] { Sampler({}, 130).Sample(logits.data()); });
  };
  EXPECT_EQ(error(17, NAN), "the logit of token 17 is not a number, expected finite numbers or minus infinity");
  EXPECT_THAT(error(129, NAN), HasSubstr("the logit of token 129 is not a number"));
  EXPECT_THAT(error(64, kInfinity), HasSubstr("the logit of token 64 is infinite"));
  const std::vector<float> none(5, -kInfinity);
  EXPECT_THAT(ErrorOf([&] { Sampler({}, 5).Sample(none.data()); }),
              HasSubstr("the logits of all 5 tokens are minus infinity"));
}

TEST(SamplingTest, OptionsThatAreNotPossible) {
  const auto error = [](const nlohmann::json& options) { return ErrorOf([&] { Sampler(OptionsOf(options), 100); }); };
  EXPECT_EQ(error({{"temperature", -1}}), "temperature is -1, expected a number of 0 or more");
  EXPECT_EQ(error({{"top_k", -5}}), "top_k is -5, expected a number of tokens, or 0 for all");
  EXPECT_EQ(error({{"top_p", 0}}), "top_p is 0, expected more than 0, at most 1");
  EXPECT_THAT(error({{"top_p", NAN}}), HasSubstr("top_p is nan"));
  EXPECT_THAT(error({{"min_p", 1.5}}), HasSubstr("min_p is 1.5, expected 0 to 1"));
  EXPECT_THAT(error({{"typical_p", 2}}), HasSubstr("typical_p is 2"));
  EXPECT_THAT(error({{"repetition_penalty", 0}}), HasSubstr("repetition_penalty is 0, expected a number above 0"));
  EXPECT_THAT(error({{"frequency_penalty", INFINITY}}), HasSubstr("frequency_penalty is inf"));
  EXPECT_THAT(error({{"presence_penalty", NAN}}), HasSubstr("presence_penalty is nan"));
  EXPECT_EQ(error({{"logit_bias", {{"100", 1}}}}), "a token of logit_bias is 100, expected 0 to 99");
  EXPECT_THAT(error({{"logit_bias", {{"7", INFINITY}}}}), HasSubstr("logit_bias of token 7 is inf"));
  EXPECT_THAT(ErrorOf([] { Sampler({}, 0); }), HasSubstr("the size of the vocabulary is 0"));
  EXPECT_EQ(ErrorOf([] { Sampler({}, 10).AddPrompt({3, 10}); }), "a token of the prompt is 10, expected 0 to 9");
}

TEST(SamplingTest, LogProbabilities) {
  const std::vector<float> logits = RandomLogits(500);
  const LogProbabilities found = LogProbabilitiesOf(logits.data(), 500, 20, 5);
  double sum = 0;
  for (const float logit : logits) sum += std::exp(static_cast<double>(logit));
  EXPECT_NEAR(found.chosen, static_cast<double>(logits[20]) - std::log(sum), 1e-6);
  ASSERT_EQ(found.best.size(), 5U);
  std::vector<float> sorted = logits;
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(logits[static_cast<std::size_t>(found.best[i].token)], sorted[i]);
    EXPECT_NEAR(found.best[i].score, static_cast<double>(sorted[i]) - std::log(sum), 1e-6);
  }
  EXPECT_EQ(LogProbabilitiesOf(logits.data(), 500, 20, 0).best.size(), 0U);
  EXPECT_EQ(LogProbabilitiesOf(logits.data(), 500, 20, 9999).best.size(), 500U);
}

}  // namespace
}  // namespace kuiper_infer::text
