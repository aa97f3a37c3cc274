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
  handler_.emplace(SIGINT, RequestStop, SignalHandler::Calls::kFirst);
}

InterruptScope::~InterruptScope() {
  handler_.reset();
  active = nullptr;
}

}  // namespace kuiper_infer::cli
