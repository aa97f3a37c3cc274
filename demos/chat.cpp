// SPDX-License-Identifier: MIT
// A conversation in the terminal with a decoder, for example SmolLM2-135M-Instruct:
//   tools/get_model.py smollm2
//   chat --template smollm2
// /save FILE writes the conversation, /load FILE reads one, /quit ends; Ctrl-C ends an answer.
#include <atomic>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "kuiper_infer/text/generator.hpp"

namespace {

using kuiper_infer::CancelToken;
using kuiper_infer::Model;
using namespace kuiper_infer::text;

const CancelToken cancel;
std::atomic<bool> answering{false};

extern "C" void Interrupt(int /*signal*/) {
  if (!answering) _exit(128 + SIGINT);
  cancel.Cancel();  // stores an atomic bool, as a signal handler may
}

class Chat {
 public:
  Chat(Generator generator, GenerateOptions options, const std::string& system)
      : generator_(std::move(generator)), options_(std::move(options)) {
    if (!system.empty()) messages_.push_back({"system", system});
  }

  /// Answers a line of the user, or does what it says. Returns false at /quit.
  bool Take(const std::string& line) {
    if (line == "/quit") return false;
    if (line.rfind("/save ", 0) == 0) {
      Save(line.substr(6));
    } else if (line.rfind("/load ", 0) == 0) {
      Load(line.substr(6));
    } else if (line.rfind('/', 0) == 0) {
      throw std::runtime_error("unknown command " + line + ", expected /save FILE, /load FILE or /quit");
    } else if (!line.empty()) {
      Reply(line);
    }
    return true;
  }

 private:
  void Reply(const std::string& question) {
    cancel.Reset();
    options_.cancel = cancel;
    std::vector<ChatMessage> messages = messages_;
    messages.push_back({"user", question});
    Answer answer = generator_.Generate(messages, options_);
    std::string text;
    answering = true;
    for (const Piece& piece : answer) {
      std::cout << piece.text << std::flush;
      text += piece.text;
    }
    answering = false;
    const AnswerFigures figures = answer.figures();
    std::printf("\n[%lld tokens, %.1f tokens/s; first after %.2f s, %lld of %lld tokens of the prompt were kept%s]\n",
                static_cast<long long>(figures.tokens), figures.tokens_per_second(), figures.prompt_seconds,
                static_cast<long long>(figures.kept_tokens), static_cast<long long>(figures.prompt_tokens),
                cancel.cancelled() ? "; interrupted" : "");
    messages.push_back({"assistant", text});
    messages_ = std::move(messages);
  }

  void Save(const std::string& path) const {
    nlohmann::json list = nlohmann::json::array();
    for (const ChatMessage& message : messages_) list.push_back({{"role", message.role}, {"content", message.content}});
    std::ofstream file(path);
    file << list.dump(1) << "\n";
    file.close();
    if (!file) throw std::runtime_error(path + ": cannot be written");
    std::printf("[%zu messages saved]\n", messages_.size());
  }

  /// The next answer computes the state anew.
  void Load(const std::string& path) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error(path + ": cannot be read");
    std::vector<ChatMessage> messages;
    for (const nlohmann::json& each : nlohmann::json::parse(file)) {
      messages.push_back({each.at("role").get<std::string>(), each.at("content").get<std::string>()});
    }
    messages_ = std::move(messages);
    std::printf("[%zu messages loaded]\n", messages_.size());
  }

  Generator generator_;
  GenerateOptions options_;
  std::vector<ChatMessage> messages_;
};

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"A conversation with a decoder. /save FILE, /load FILE and /quit are commands; Ctrl-C ends an answer."};
  std::string model = "tmp/models/smollm2";
  std::string tokenizer;
  std::string chat_template;
  std::string system;
  GenerateOptions options;
  app.add_option("--model", model, "The decoder's files without .pnnx.param and .pnnx.bin")->capture_default_str();
  app.add_option("--tokenizer", tokenizer, "tokenizer.json or a GGUF file (default: MODEL.tokenizer.json)");
  app.add_option("--template", chat_template, "The chat template, if the tokenizer's file has none that is known");
  app.add_option("--system", system, "The system message");
  app.add_option("--max-tokens", options.max_tokens, "The most tokens of an answer")->default_val(512);
  app.add_option("--temperature", options.sampling.temperature, "0: always the most probable token")->default_val(0.7);
  app.add_option("--top-p", options.sampling.top_p)->default_val(0.9);
  app.add_option("--seed", options.sampling.seed);
  CLI11_PARSE(app, argc, argv);
  std::signal(SIGINT, Interrupt);
  try {
    std::optional<ChatTemplate> chat;
    if (!chat_template.empty()) chat = ChatTemplate::ByName(chat_template);
    const Tokenizer words = Tokenizer::Load(tokenizer.empty() ? model + ".tokenizer.json" : tokenizer);
    Chat conversation(Generator(Model::Load(model + ".pnnx.param", model + ".pnnx.bin"), words, chat), options, system);
    std::string line;
    while (std::cout << "> " << std::flush && std::getline(std::cin, line)) {
      try {
        if (!conversation.Take(line)) return 0;
      } catch (const std::exception& error) {
        answering = false;
        std::cout << "error: " << error.what() << "\n";
      }
    }
    std::cout << "\n";
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << "\n";
    return 1;
  }
  return 0;
}
