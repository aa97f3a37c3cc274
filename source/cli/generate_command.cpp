// SPDX-License-Identifier: MIT
#include <iostream>
#include <iterator>
#include <memory>
#include <string>

#include <nlohmann/json.hpp>

#include "cli/build_option_flags.hpp"
#include "cli/commands.hpp"
#include "cli/model_session.hpp"
#include "cli/sampling_flags.hpp"
#include "cli/terminal/interrupt.hpp"
#include "kuiper_infer/text/generator.hpp"
#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer::cli {
namespace {

struct Options {
  std::string param;
  std::string bin;
  std::string tokenizer;
  std::string prompt;
  std::string system;
  std::string chat_template;
  bool chat = false;
  bool json = false;
  BuildOptions build;
  text::GenerateOptions generate;
};

std::string ReadStandardInput() { return {std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()}; }

text::Answer Begin(text::Generator& generator, const Options& options) {
  const std::string prompt = options.prompt.empty() ? ReadStandardInput() : options.prompt;
  if (!options.chat) return generator.Generate(prompt, options.generate);
  std::vector<text::ChatMessage> messages;
  if (!options.system.empty()) messages.push_back({"system", options.system});
  messages.push_back({"user", prompt});
  return generator.Generate(messages, options.generate);
}

nlohmann::json LogProbabilitiesOf(const text::Tokenizer& tokenizer, const text::Piece& piece) {
  nlohmann::json best = nlohmann::json::array();
  for (const auto& [token, score] : piece.logprobs->best) {
    best.push_back({{"token", token}, {"name", tokenizer.Name(token)}, {"logprob", score}});
  }
  return {{"token", piece.token}, {"logprob", piece.logprobs->chosen}, {"best", best}};
}

void PrintJson(const nlohmann::json& report) {
  // A token's name may be bytes that are no text.
  std::cout << report.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
}

int Generate(Options options) {
  CheckCacheFolder(options.build.cache_directory);
  const auto tokenizer = text::Tokenizer::Load(options.tokenizer);
  std::optional<text::ChatTemplate> chat;
  if (!options.chat_template.empty()) chat = text::ChatTemplate::ByName(options.chat_template);
  text::Generator generator(Model::Load(options.param, options.bin, options.build), tokenizer, chat);
  const InterruptScope interrupt;
  options.generate.cancel = interrupt.token();
  text::Answer answer = Begin(generator, options);
  nlohmann::json report = {{"text", ""}, {"tokens", nlohmann::json::array()}};
  for (const text::Piece& piece : answer) {
    if (piece.token >= 0) report["tokens"].push_back(piece.token);
    if (piece.logprobs) report["logprobs"].push_back(LogProbabilitiesOf(tokenizer, piece));
    if (piece.finish != text::FinishReason::kNone) report["finish_reason"] = text::FinishReasonName(piece.finish);
    if (options.json) {
      report["text"].get_ref<std::string&>() += piece.text;
    } else if (!piece.text.empty()) {
      std::cout << piece.text << std::flush;
    }
  }
  if (options.json) {
    const text::AnswerFigures figures = answer.figures();
    report["prompt_tokens"] = figures.prompt_tokens;
    report["time_to_first_token_ms"] = figures.prompt_seconds * 1e3;
    report["tokens_per_s"] = figures.tokens_per_second();
    if (options.generate.lookup > 0) report["lookup"] = {{"guessed", figures.guessed}, {"accepted", figures.accepted}};
    PrintJson(report);
  } else {
    std::cout << "\n";
  }
  return interrupt.requested() ? kInterruptedCode : 0;
}

}  // namespace

void AddGenerateCommand(CLI::App& app, Action& action) {
  const Command command(app, "generate", "Continue a text, or answer a message, by a decoder");
  auto options = std::make_shared<Options>();
  command.Add("--param,param", options->param, "The decoder's .pnnx.param file").Required();
  command.Add("--bin,bin", options->bin, "The decoder's .pnnx.bin file").Required();
  command.Add("--tokenizer", options->tokenizer, "tokenizer.json, or a GGUF file").Required();
  command.Add("--prompt", options->prompt, "The text to continue, or the message; without it, standard input");
  command.AddFlag("--chat", options->chat, "The prompt is a message, which the model's chat template writes down");
  command.Add("--system", options->system, "The system message of --chat");
  command.Add("--template", options->chat_template,
              "The chat template by its name, if the tokenizer's file has none that is known");
  AddSamplingOptions(command, options->generate);
  command.AddFlag("--json", options->json, "Print one JSON object at the end: text, tokens, times");
  AddBuildOptions(command, options->build);
  command.SetUsageCheck([options]() -> std::string {
    if (options->chat) return "";
    if (!options->system.empty()) return "--system needs --chat";
    return options->chat_template.empty() ? "" : "--template needs --chat";
  });
  command.SetFooter(
      "Examples:\n"
      "  kuiper generate --param m.pnnx.param --bin m.pnnx.bin --tokenizer tokenizer.json --prompt 'Once upon a time' "
      "--max-tokens 64\n"
      "  kuiper generate --param m.pnnx.param --bin m.pnnx.bin --tokenizer tokenizer.json --chat --temperature 0.7 "
      "--top-p 0.9 --seed 1 < question.txt");
  command.SetAction(action, [options] { return Generate(*options); });
}

}  // namespace kuiper_infer::cli
