// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <vector>

#include "kuiper_infer/data/ndarray.hpp"
#include "kuiper_infer/runtime/runtime_graph.hpp"

namespace kuiper_infer::cli {

/// Clients of one model, each with a session and a thread of its own, that ask again as soon as they are answered.
class Clients {
 public:
  /// `in_turn`: the clients' runs come one after the other, in the order in which they were asked for, each by all
  /// threads of the graph; a client's time includes its waiting. Otherwise runs go on at once. Throws Error.
  Clients(const RuntimeGraph& graph, const std::map<std::string, NdArray>& inputs, int clients, bool in_turn,
          const CancelToken& cancel);

  /// Lets all clients ask for so many seconds, each once at least unless `cancel` was requested. Throws what a run
  /// throws.
  void Measure(double seconds);

  struct Result {
    std::vector<double> times;  ///< milliseconds of each request, sorted
    double requests_per_s = 0;  ///< the median of the calls of Measure
    double spread = 0;  ///< how much more requests the best call of Measure had than the worst, as a share of it
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
