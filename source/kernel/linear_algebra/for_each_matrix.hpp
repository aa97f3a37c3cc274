// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "utils/parallel.hpp"

namespace kuiper_infer::kernel {

/// Calls body(worker, i) for each matrix i of a batch, in at most `workers` threads at once. Each matrix is one
/// thread's work, of about `cost` simple operations.
template <class Body>
void ForEachMatrix(int64_t count, int64_t cost, int64_t workers, const Body& body) {
  ParallelWorkers(count, GrainFor(cost), workers, [&](int64_t worker, WorkerPieces pieces) {
    int64_t first = 0;
    int64_t last = 0;
    while (pieces.Take(first, last)) {
      for (int64_t i = first; i < last; ++i) body(worker, i);
    }
  });
}

}  // namespace kuiper_infer::kernel
