// SPDX-License-Identifier: MIT
#include <csignal>

#include "cli/terminal/signal_handler.hpp"

namespace kuiper_infer::cli {

struct SignalHandler::Former {
  int signal;
  void (*handler)(int);
};

// Windows resets a handler with each call, so that with kAll, too, a second signal ends the program.
SignalHandler::SignalHandler(int signal, void (*handler)(int), Calls /*calls*/)
    : former_(new Former{signal, std::signal(signal, handler)}) {
  if (former_->handler == SIG_IGN) std::signal(signal, SIG_IGN);
}

SignalHandler::SignalHandler(SignalHandler&& other) noexcept = default;

SignalHandler::~SignalHandler() {
  if (former_ != nullptr && former_->handler != SIG_ERR) std::signal(former_->signal, former_->handler);
}

}  // namespace kuiper_infer::cli
