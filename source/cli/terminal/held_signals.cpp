// SPDX-License-Identifier: MIT
#include "cli/terminal/held_signals.hpp"

#include <atomic>

namespace kuiper_infer::cli {
namespace {

std::atomic<int> noted_signal{0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may use lock-free atomics only");

extern "C" void NoteSignal(int signal) { noted_signal = signal; }

}  // namespace

HeldSignals::HeldSignals() {
  noted_signal = 0;
  struct sigaction action {};
  action.sa_handler = NoteSignal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    sigaction(kSignals[i], nullptr, &former_[i]);
    if (former_[i].sa_handler != SIG_IGN) sigaction(kSignals[i], &action, nullptr);
  }
}

HeldSignals::~HeldSignals() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &former_[i], nullptr);
  if (const int signal = noted_signal.exchange(0); signal != 0) raise(signal);
}

int HeldSignals::noted() const { return noted_signal; }

}  // namespace kuiper_infer::cli
