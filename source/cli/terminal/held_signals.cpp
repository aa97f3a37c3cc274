// SPDX-License-Identifier: MIT
#include "cli/terminal/held_signals.hpp"

#include <atomic>
#include <csignal>

namespace kuiper_infer::cli {
namespace {

std::atomic<int> noted_signal{0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may use lock-free atomics only");

constexpr int kSignals[] = {SIGINT, SIGTERM,
#ifdef SIGHUP
                            SIGHUP
#endif
};

extern "C" void NoteSignal(int signal) { noted_signal = signal; }

}  // namespace

HeldSignals::HeldSignals() {
  noted_signal = 0;
  for (const int signal : kSignals) handlers_.emplace_back(signal, NoteSignal, SignalHandler::Calls::kAll);
}

HeldSignals::~HeldSignals() {
  handlers_.clear();
  if (const int signal = noted_signal.exchange(0); signal != 0) raise(signal);
}

int HeldSignals::noted() const { return noted_signal; }

}  // namespace kuiper_infer::cli
