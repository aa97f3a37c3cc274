// SPDX-License-Identifier: MIT
#pragma once

// Prints how long a piece of a program took, as the original's benchmarks do: TICK(forward) before it and TOCK(forward)
// after it, in the same scope, print "forward: 0.0123s" to standard output. Both are whole statements: programs write
// them with and without a semicolon.
#include <chrono>
#include <iostream>

#define TICK(name) const auto kuiper_tick_##name = std::chrono::steady_clock::now();

#define TOCK(name)                                                                                                 \
  std::cout << #name ": "                                                                                          \
            << std::chrono::duration<double>(std::chrono::steady_clock::now() - kuiper_tick_##name).count() << "s" \
            << std::endl;
