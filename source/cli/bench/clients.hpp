// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <vector>

#include "kuiper_infer/data/ndarray.hpp"
#include "kuiper_infer/runtime/runtime_graph.hpp"

namespace kuiper_infer::cli {

/// Clients of one model. Each has a session and a thread of its own, and begins the next run as soon as one ends.
class Clients {
 public:
  /// If `in_turn`, the clients' runs come one after the other in the order of the requests, each with all threads of
  /// the graph, and the time of a request includes its waiting. Otherwise all runs go on at once. Throws Error.
  Clients(const RuntimeGraph& graph, const std::map<std::string, NdArray>& inputs, int clients, bool in_turn,
          const CancelToken& cancel);

  /// Lets all clients send requests for `seconds`. Each sends at least one, unless `cancel` was requested. Throws what
  /// a run throws.
  void Measure(double seconds);

  struct Result {
    std::vector<double> times;  ///< milliseconds of each request, sorted
    double requests_per_s = 0;  ///< the median of the calls of Measure
    double spread = 0;          ///< difference between the best and the worst call of Measure, as a share of the worst
  };
  Result Results() const;

 private:
  std::vector<Session> sessions_;
  const bool in_turn_;
  const CancelToken cancel_;
  std::vector<double> times_;
  std::vector<double> rates_;  ///< requests per second, for each call of Measure
};

}  // namespace kuiper_infer::cli
