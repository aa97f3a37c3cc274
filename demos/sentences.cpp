// SPDX-License-Identifier: MIT
// Tells how much sentences mean the same, with the weights of all-MiniLM-L6-v2:
//   tools/get_model.py minilm
//   sentences "A cat sits on the mat." "A kitten rests on a rug." "The stock market fell."
#include <cstdio>
#include <iostream>

#include <CLI/CLI.hpp>

#include "kuiper_infer/model.hpp"
#include "kuiper_infer/text/tokenizer.hpp"

namespace {

using kuiper_infer::NdArray;

constexpr std::size_t kMostTokens = 512;  // the model's number of positions

/// The sentence's embedding, of length 1: the model takes the mean over the tokens and divides it by its length.
std::vector<float> Embed(const kuiper_infer::Model& model, std::vector<int64_t>& tokens) {
  const NdArray input = NdArray::View(tokens.data(), {1, static_cast<int64_t>(tokens.size())});
  const NdArray embedding = model.Run(input).front();
  return {embedding.data<float>(), embedding.data<float>() + embedding.size()};
}

double Dot(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return sum;
}

void Compare(const std::string& model_files, const std::vector<std::string>& sentences, bool show_tokens) {
  const auto tokenizer = kuiper_infer::text::Tokenizer::Load(model_files + ".vocab.txt");
  const auto model = kuiper_infer::Model::Load(model_files + ".pnnx.param", model_files + ".pnnx.bin");
  std::vector<std::vector<float>> embeddings;
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    std::vector<int64_t> tokens = tokenizer.Encode(sentences[i]);
    const std::string name = "sentence " + std::to_string(i + 1);
    if (tokens.size() <= 2) throw std::runtime_error(name + " has no words");
    if (tokens.size() > kMostTokens) {
      throw std::runtime_error(name + " has " + std::to_string(tokens.size()) + " tokens; the model takes " +
                               std::to_string(kMostTokens));
    }
    if (show_tokens) {
      for (const int64_t token : tokens) std::printf("%lld ", static_cast<long long>(token));
      std::printf("\n");
    }
    embeddings.push_back(Embed(model, tokens));
  }
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    for (const std::vector<float>& other : embeddings) std::printf("%6.3f ", Dot(embeddings[i], other));
    std::printf("  %s\n", sentences[i].c_str());
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Prints the cosines between the meanings of sentences: 1 for the same, about 0 for unrelated ones."};
  app.footer(
      "Example:\n  sentences \"A cat sits on the mat.\" \"A kitten rests on a rug.\" \"The stock market fell.\"");
  std::string model = "tmp/models/minilm";
  std::vector<std::string> sentences;
  bool show_tokens = false;
  app.add_option("--model", model, "The model's files without .pnnx.param, .pnnx.bin and .vocab.txt")
      ->capture_default_str();
  app.add_flag("--tokens", show_tokens, "Also print the numbers of each sentence's tokens");
  app.add_option("sentences", sentences, "Two or more sentences, in English: the model learnt little else")
      ->required()
      ->expected(2, -1);
  CLI11_PARSE(app, argc, argv);
  try {
    Compare(model, sentences, show_tokens);
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << "\n";
    return 1;
  }
  return 0;
}
