// SPDX-License-Identifier: MIT
// Small decoders of the Llama family, and those of encoder-decoders (tools/make_decoder_cases.py), step by step,
// compared with transformers.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "data/npy.hpp"
#include "kernel/product/product_kernels.hpp"
#include "kuiper_infer/runtime/runtime_graph.hpp"
#include "kuiper_infer/runtime/store_zip.hpp"

namespace kuiper_infer::test {
namespace {

const std::string kFolder = KUIPER_SOURCE_DIR "/test/data/decoders";

/// A decoder and a session with its caches.
class Decoder {
 public:
  explicit Decoder(const std::string& name) {
    StoreZipReader archive;
    const std::string path = kFolder + "/" + name + ".zip";
    if (archive.open(path) != 0) throw std::runtime_error(archive.error());
    tokens_ = Array(archive, "tokens.npy");
    logits_ = Array(archive, "logits.npy");
    graph_ = Graph(archive, name, "model");
    if (archive.has_file("encoder.param")) {
      const std::unique_ptr<RuntimeGraph> encoder = Graph(archive, name, "encoder");
      const std::string source = encoder->input_names().front();
      const std::vector<NdArray> made = encoder->NewSession().Run({{source, Array(archive, "source.npy")}});
      for (std::size_t i = 0; i < made.size(); ++i) encoded_[encoder->output_names().at(i)] = made[i];
    }
    session_ = std::make_unique<Session>(graph_->NewSession());
  }

  int64_t count() const { return tokens_.size(); }
  int64_t length() const { return session_->Length(); }
  int64_t plans() const { return graph_->report().plans; }

  /// The linear layers' steps in a run of one token.
  int64_t CountLinearSteps() {
    for (const auto& [name, array] : Given(0, 1)) graph_->set_input(name, array);
    int64_t count = 0;
    for (const RuntimeGraph::StepProfile& step : graph_->Profile()) count += step.type == "aten::linear" ? 1 : 0;
    return count;
  }

  /// Makes the caches empty.
  void Reset() { session_->Reset(); }

  /// Another sequence of the same model.
  Session NewSession() const { return graph_->NewSession(); }

  /// The `count` tokens from `first` on.
  std::map<std::string, NdArray> Given(int64_t first, int64_t count) const {
    NdArray given(RuntimeDataType::kTypeInt64, {1, count});
    std::copy_n(tokens_.data<int64_t>() + first, count, given.data<int64_t>());
    std::map<std::string, NdArray> inputs = encoded_;
    inputs["tokens"] = given;
    return inputs;
  }

  /// Runs the next `count` tokens and expects the logits that transformers gives behind the last of them.
  void Run(int64_t count) {
    const std::vector<NdArray> results = session_->Run(Given(length(), count));
    ASSERT_EQ(results.size(), 1U);
    ExpectLogits(results.front(), length());
  }

  /// Builds the archive's files `which`.param and `which`.bin.
  static std::unique_ptr<RuntimeGraph> Graph(StoreZipReader& archive, const std::string& name,
                                             const std::string& which) {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("kuiper_decoder_" + std::to_string(getpid()) + "_" + name);
    std::filesystem::create_directories(folder);
    for (const char* part : {".param", ".bin"}) {
      const std::vector<char> bytes = BytesOf(archive, which + part);
      std::ofstream file(folder / (which + part), std::ios::binary);
      file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    }
    auto graph =
        std::make_unique<RuntimeGraph>((folder / (which + ".param")).string(), (folder / (which + ".bin")).string());
    graph->Build();
    std::filesystem::remove_all(folder);
    return graph;
  }

  static std::vector<char> BytesOf(StoreZipReader& archive, const std::string& part) {
    std::vector<char> bytes(archive.get_file_size(part));
    if (archive.read_file(part, bytes.data()) != 0) throw std::runtime_error(archive.error());
    return bytes;
  }

  static NdArray Array(StoreZipReader& archive, const std::string& part) {
    const std::vector<char> bytes = BytesOf(archive, part);
    return ParseNpy(bytes.data(), bytes.size(), part);
  }

  /// Expects the logits behind `length` tokens. One may be off by a thousandth of the logits' standard deviation.
  void ExpectLogits(const NdArray& found, int64_t length) const {
    const int64_t vocabulary = logits_.shape()[1];
    const float* const expected = logits_.data<float>() + (length - 1) * vocabulary;
    ASSERT_EQ(found.shape(), (Shape{1, 1, vocabulary}));
    const double mean = std::accumulate(expected, expected + vocabulary, 0.0) / static_cast<double>(vocabulary);
    double squares = 0;
    for (int64_t i = 0; i < vocabulary; ++i) squares += (expected[i] - mean) * (expected[i] - mean);
    const double tolerance = 1e-3 * std::sqrt(squares / static_cast<double>(vocabulary));
    for (int64_t i = 0; i < vocabulary; ++i) {
      ASSERT_NEAR(found.data<float>()[i], expected[i], tolerance) << "logit " << i << " behind token " << length - 1;
    }
  }

 private:
  std::unique_ptr<RuntimeGraph> graph_;
  std::map<std::string, NdArray> encoded_;  ///< what an encoder gives, which every run reads
  NdArray tokens_;                          ///< int64 (1, count)
  NdArray logits_;                          ///< float32 (count, vocabulary): behind each token
  std::unique_ptr<Session> session_;
};

std::vector<std::string> Names() {
  std::vector<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(kFolder)) names.push_back(file.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

class DecoderCasesTest : public testing::TestWithParam<std::string> {};

TEST_P(DecoderCasesTest, APromptAndThenTokenByToken) {
  constexpr int64_t kPrompt = 7;
  Decoder decoder(GetParam());
  decoder.Run(kPrompt);
  while (!HasFatalFailure() && decoder.length() < decoder.count()) decoder.Run(1);
  EXPECT_EQ(decoder.plans(), 2) << "a plan for the prompt, and one for a token at any length";
}

TEST_P(DecoderCasesTest, TokenByTokenFromTheFirst) {
  Decoder decoder(GetParam());
  while (!HasFatalFailure() && decoder.length() < decoder.count()) decoder.Run(1);
}

TEST_P(DecoderCasesTest, PromptsInPiecesOfAnySize) {
  Decoder decoder(GetParam());
  for (const int64_t piece : {2, 3, 4, 8, 23}) {
    decoder.Reset();
    while (!HasFatalFailure() && decoder.length() < decoder.count()) {
      decoder.Run(std::min(piece, decoder.count() - decoder.length()));
    }
  }
}

TEST_P(DecoderCasesTest, SequencesOfDifferentLengthsTogether) {
  const Decoder decoder(GetParam());
  const std::vector<int64_t> prompts = {1, 7, 4, 2, 12};
  std::vector<Session> sessions;
  std::vector<Session*> all;
  std::vector<std::map<std::string, NdArray>> inputs;
  for (const int64_t prompt : prompts) {
    sessions.push_back(decoder.NewSession());
    inputs.push_back(decoder.Given(0, prompt));
  }
  for (Session& session : sessions) all.push_back(&session);
  while (!HasFatalFailure()) {
    const std::vector<std::vector<NdArray>> results = Session::RunTogether(all, inputs);
    for (std::size_t i = 0; i < all.size(); ++i) decoder.ExpectLogits(results[i].front(), all[i]->Length());
    const auto ended = [&](const Session* session) { return session->Length() >= decoder.count(); };
    all.erase(std::remove_if(all.begin(), all.end(), ended), all.end());  // it leaves, the others go on
    if (all.empty()) return;
    inputs.clear();
    for (const Session* session : all) inputs.push_back(decoder.Given(session->Length(), 1));
  }
}

/// Queries, keys and values are one step, and so are gate and up.
TEST(DecoderStepsTest, ALayerHasFourStepsOfProducts) {
  if (!kernel::HasProductKernels(UsedUnits())) GTEST_SKIP() << "this CPU has no kernels for packed weights";
  constexpr int64_t kLayers = 2;
  EXPECT_EQ(Decoder("smollm2").CountLinearSteps(), 4 * kLayers + 1) << "and the head";
}

INSTANTIATE_TEST_SUITE_P(Decoders, DecoderCasesTest, testing::ValuesIn(Names()),
                         [](const testing::TestParamInfo<std::string>& info) { return info.param; });

}  // namespace
}  // namespace kuiper_infer::test
