// SPDX-License-Identifier: MIT
#include "cli/terminal/signal_handler.hpp"

#include <csignal>

namespace kuiper_infer::cli {

struct SignalHandler::Former {
  int signal;
  struct sigaction action;
};

SignalHandler::SignalHandler(int signal, void (*handler)(int), Calls calls) : former_(new Former{signal, {}}) {
  sigaction(signal, nullptr, &former_->action);
  if (former_->action.sa_handler == SIG_IGN) return;
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART | (calls == Calls::kFirst ? static_cast<int>(SA_RESETHAND) : 0);
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

SignalHandler::SignalHandler(SignalHandler&& other) noexcept = default;

SignalHandler::~SignalHandler() {
  if (former_ != nullptr) sigaction(former_->signal, &former_->action, nullptr);
}

}  // namespace kuiper_infer::cli
