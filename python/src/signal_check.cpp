// SPDX-License-Identifier: MIT
#include "signal_check.hpp"

#include <ctime>
#include <unistd.h>

#include <nanobind/nanobind.h>

namespace kuiper_infer::python {
namespace {

namespace nb = nanobind;

constexpr int64_t kPeriod = 50;

/// The coarse clock takes a tenth of the exact clock's time, and its resolution of some milliseconds is enough.
int64_t Milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

/// Whether this is the process's first thread or, in a forked child, the thread that forked. That is Python's main
/// thread, unless another program embeds Python.
bool OnMainThread() { return gettid() == getpid(); }

}  // namespace

SignalCheck::SignalCheck() : next_(Milliseconds() + kPeriod) {}

void SignalCheck::Look() {
  const int64_t now = Milliseconds();
  if (now < next_) return;
  next_ = now + kPeriod;
  if (!OnMainThread()) return;
  const nb::gil_scoped_acquire acquire;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

}  // namespace kuiper_infer::python
