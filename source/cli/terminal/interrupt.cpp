// SPDX-License-Identifier: MIT
#include "cli/terminal/interrupt.hpp"

#include <atomic>

namespace kuiper_infer::cli {
namespace {

std::atomic<const CancelToken*> active{nullptr};
static_assert(std::atomic<const CancelToken*>::is_always_lock_free && std::atomic<bool>::is_always_lock_free,
              "a signal handler may use lock-free atomics only");

extern "C" void RequestStop(int /*signal*/) {
  if (const CancelToken* const token = active) token->Cancel();
}

}  // namespace

InterruptScope::InterruptScope() {
  active = &token_;
  sigaction(SIGINT, nullptr, &former_);
  if (former_.sa_handler == SIG_IGN) return;
  struct sigaction action {};
  action.sa_handler = RequestStop;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
}

InterruptScope::~InterruptScope() {
  sigaction(SIGINT, &former_, nullptr);
  active = nullptr;
}

}  // namespace kuiper_infer::cli
