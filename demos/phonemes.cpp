// SPDX-License-Identifier: MIT
// Says how English words are pronounced, in the phonemes of ARPAbet, by the weights of g2p-en:
//   tools/get_model.py g2p
//   phonemes knowledge inference
// A session reads a word letter by letter into the state of its network, and then speaks it phoneme by phoneme.
#include <algorithm>
#include <fstream>
#include <iostream>

#include <CLI/CLI.hpp>

#include "kuiper_infer/model.hpp"

namespace {

using kuiper_infer::NdArray;

constexpr int64_t kMostPhonemes = 20;  // in a word, as in the original

using Names = std::vector<std::string>;

/// What the network reads and speaks, in the order of its numbers: phonemes come behind the letters.
struct Symbols {
  Names letters;
  Names phonemes;
};

Symbols ReadSymbols(const std::string& path) {
  Symbols symbols;
  std::ifstream file(path);
  int lists = 0;  // each begins with the name of padding
  for (std::string line; std::getline(file, line);) {
    if (line == "<pad>") ++lists;
    (lists < 2 ? symbols.letters : symbols.phonemes).push_back(line);
  }
  if (lists != 2) throw std::runtime_error(path + ": should have the names of letters and of phonemes");
  return symbols;
}

int64_t NumberOf(const Names& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return found - names.begin();
  if (name.size() == 1) return NumberOf(names, "<unk>");
  throw std::runtime_error("the symbols have no " + name);
}

/// Gives the network the next symbol of a word. Returns the logits of the phonemes.
NdArray Step(kuiper_infer::Session& session, int64_t symbol) {
  NdArray input(kuiper_infer::RuntimeDataType::kTypeInt64, {1, 1});
  *input.data<int64_t>() = symbol;
  return session.Run({{"symbol", input}}).front();
}

std::string Spoken(kuiper_infer::Session& session, const Symbols& symbols, const std::string& word) {
  const auto letters = static_cast<int64_t>(symbols.letters.size());
  session.Reset();
  for (const char letter : word) {
    const bool capital = letter >= 'A' && letter <= 'Z';
    Step(session, NumberOf(symbols.letters, {capital ? static_cast<char>(letter - 'A' + 'a') : letter}));
  }
  Step(session, NumberOf(symbols.letters, "</s>"));
  std::string spoken;
  int64_t phoneme = NumberOf(symbols.phonemes, "<s>");
  for (int64_t i = 0; i < kMostPhonemes; ++i) {
    const NdArray logits = Step(session, letters + phoneme);
    const float* first = logits.data<float>();
    phoneme = std::max_element(first, first + logits.size()) - first;
    const std::string& name = symbols.phonemes.at(static_cast<std::size_t>(phoneme));
    if (name == "</s>") break;
    spoken += " " + name;
  }
  return spoken;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Prints each English word with its phonemes."};
  app.footer("Example:\n  phonemes knowledge inference");
  std::string model = "tmp/models/g2p";
  std::vector<std::string> words;
  app.add_option("--model", model, "The model's files without .pnnx.param, .pnnx.bin and .symbols.txt")
      ->capture_default_str();
  app.add_option("words", words, "English words")->required();
  CLI11_PARSE(app, argc, argv);
  try {
    kuiper_infer::BuildOptions options;
    options.num_threads = 1;  // a step is too little work to share
    const auto loaded = kuiper_infer::Model::Load(model + ".pnnx.param", model + ".pnnx.bin", options);
    const Symbols symbols = ReadSymbols(model + ".symbols.txt");
    kuiper_infer::Session session = loaded.NewSession();
    for (const std::string& word : words) std::cout << word << ":" << Spoken(session, symbols, word) << "\n";
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << "\n";
    return 1;
  }
  return 0;
}
