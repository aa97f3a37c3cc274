// SPDX-License-Identifier: MIT
#include <memory>

#include "cli/bench/bench.hpp"
#include "cli/commands.hpp"

namespace kuiper_infer::cli {

void AddBenchCommand(CLI::App& app, Action& action) {
  const Command command(app, "bench", "Time a model");
  auto options = std::make_shared<BenchOptions>();
  options->model.AddTo(command, true);
  command.Add("--seconds", options->seconds, "How long to measure; with --clients, how long each way of serving them")
      .InRange(0.0, 3600.0)
      .ShowsDefault();
  command
      .Add("--clients", options->clients,
           "Measure the requests per second of this number of clients of one model, each with a session. Without "
           "--threads, two ways are measured: streams (runs at once, each on one thread) and in turn (one run after "
           "the other, each on all threads)")
      .InRange(1, 1024);
  command
      .Add("--decode", options->decode,
           "Measure runs of one token, or one frame, behind this number of former ones; for models with a state that "
           "grows")
      .InRange(int64_t{0}, int64_t{1} << 30);
  command.Add("--prompt", options->prompt, "With --decode, also measure a run of this number of tokens")
      .InRange(int64_t{1}, int64_t{1} << 30);
  command
      .Add("--sequences", options->sequences,
           "With --decode, also measure runs of one token of this number of sequences together; with --prompt, also "
           "with the prompt beside them")
      .InRange(1, 1024);
  command.AddFlag("--json", options->json, "Print one JSON object in one line");
  command.SetFooter(
      "Examples:\n"
      "  kuiper bench --param m.pnnx.param --bin m.pnnx.bin --threads 2\n"
      "  kuiper bench --param m.pnnx.param --bin m.pnnx.bin --shape pnnx_input_0=8,3,224,224 --json\n"
      "  kuiper bench --param m.pnnx.param --bin m.pnnx.bin --clients 4\n"
      "  kuiper bench --param m.pnnx.param --bin m.pnnx.bin --decode 1024 --prompt 512");
  command.SetAction(action, [options] {
    if (options->decode >= 0) return BenchDecoding(*options);
    return options->clients > 0 ? BenchClients(*options) : BenchRuns(*options);
  });
}

}  // namespace kuiper_infer::cli
