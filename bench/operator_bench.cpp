// SPDX-License-Identifier: MIT
// Element-wise, reducing and moving operators on arrays larger than the caches: bytes read and written per second,
// beside a plain copy of the same size. Plans come from the table of operations, as in a graph.
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "bench_util.hpp"
#include "operation/binder.hpp"
#include "operation/evaluate.hpp"

namespace kuiper_infer::bench {
namespace {

constexpr int64_t kBytes = int64_t{64} << 20;  // of the first input

/// Bytes per second, read and written, of a copy with all threads.
double MeasureCopy() {
  const Floats from = RandomFloats(kBytes / 4);
  std::vector<float> to(from.size());
  double best = 0;
  for (int attempt = 0; attempt < 5; ++attempt) {
    const auto start = std::chrono::steady_clock::now();
#pragma omp parallel
    {
      const auto threads = static_cast<std::size_t>(omp_get_num_threads());
      const std::size_t part = from.size() / threads;
      const std::size_t first = part * static_cast<std::size_t>(omp_get_thread_num());
      std::memcpy(to.data() + first, from.data() + first, part * sizeof(float));
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    benchmark::DoNotOptimize(to.data());
    best = std::max(best, 2.0 * kBytes / seconds.count());
  }
  return best;
}

struct Call {
  std::string type;
  std::map<std::string, Value> params;
  std::vector<Shape> shapes;
};

void RunOperator(benchmark::State& state, const Call& call, double copy_rate) {
  OperatorCall bound;
  bound.name = "bench";
  bound.type = call.type;
  bound.params = call.params;
  bound.input_count = static_cast<int>(call.shapes.size());
  std::vector<NdArray> arrays;
  std::vector<Argument> inputs;
  for (const Shape& shape : call.shapes) {
    const NdArray array(RuntimeDataType::kTypeFloat32, shape);
    const Floats numbers = RandomFloats(array.size());
    std::copy(numbers.begin(), numbers.end(), array.data<float>());
    inputs.push_back(Argument{TensorArgument{array.spec(), static_cast<int>(arrays.size()), {}}});
    arrays.push_back(array);
  }
  const PlanningContext planning = DefaultPlanningContext();
  const Binding binding = Bind(bound, inputs, bound.input_count, planning);
  const OperationPlan plan = MakePlan(binding);
  for (const TensorArgument& constant : binding.constants) arrays.push_back(constant.values());
  int64_t bytes = 0;
  std::vector<ConstArrayView> sources;
  for (const NdArray& array : arrays) {
    sources.push_back({array.data<std::byte>(), array.spec()});
    bytes += ByteCount(array.type(), array.shape());
  }
  std::vector<NdArray> results;
  std::vector<ArrayView> targets;
  for (const OutputPlan& output : plan.outputs) {
    results.emplace_back(output.spec.type, output.spec.shape);
    targets.push_back({results.back().data<std::byte>(), results.back().spec()});
    bytes += ByteCount(output.spec.type, output.spec.shape);
  }
  const NdArray workspace(RuntimeDataType::kTypeUInt8, {plan.workspace_bytes + 1});
  const RunContext context{sources.data(), targets.data(), workspace.data<std::byte>()};
  for (auto _ : state) {
    plan.run(context);
    benchmark::DoNotOptimize(targets.data());
  }
  ReportBytes(state, bytes);
  const double rate = static_cast<double>(bytes);
  state.counters["of_copy"] = benchmark::Counter(rate / copy_rate, benchmark::Counter::kIsIterationInvariantRate);
}

void RegisterAll(double /*ceiling*/) {
  const double copy_rate = MeasureCopy();
  const Shape image = {16, 64, 128, 128};  // 64 MiB
  const Shape rows = {16384, 1024};
  const Shape few_rows = {3, 1 << 22};
  const Shape heads = {1, 12, 197, 64};
  const Shape long_heads = {1, 8, 2048, 40};
  const auto list = [](std::vector<int64_t> numbers) { return Value(Value::List(numbers.begin(), numbers.end())); };
  const std::map<std::string, Call> calls = {
      {"Elementwise/Add", {"torch.add", {}, {rows, rows}}},
      {"Elementwise/AddRow", {"torch.add", {}, {rows, {1024}}}},
      {"Elementwise/AddChannel", {"torch.add", {}, {image, {64, 1, 1}}}},
      {"Elementwise/ReLU", {"F.relu", {}, {rows}}},
      {"Elementwise/Sigmoid", {"F.sigmoid", {}, {rows}}},
      {"Elementwise/GELU", {"F.gelu", {}, {rows}}},
      {"Elementwise/Hardswish", {"F.hardswish", {}, {rows}}},
      {"Elementwise/Clamp", {"torch.clamp", {{"min", 0.0}, {"max", 6.0}}, {rows}}},
      {"Elementwise/Where", {"torch.where", {}, {rows, rows, rows}}},
      {"Elementwise/WhereThreeRows", {"torch.where", {}, {{3, 1}, few_rows, few_rows}}},
      {"Reduce/Sum", {"torch.sum", {}, {rows}}},
      {"Reduce/SumRows", {"torch.sum", {{"dim", list({1})}}, {rows}}},
      {"Reduce/SumColumns", {"torch.sum", {{"dim", list({0})}}, {rows}}},
      {"Reduce/MeanImage", {"torch.mean", {{"dim", list({2, 3})}}, {image}}},
      {"Reduce/MaxChannel", {"torch.amax", {{"dim", list({1})}}, {image}}},
      {"Reduce/ArgmaxRows", {"torch.argmax", {{"dim", 1}}, {rows}}},
      {"Reduce/VarianceRows", {"torch.var", {{"dim", list({1})}}, {rows}}},
      {"Move/Cat", {"torch.cat", {{"dim", 1}}, {rows, rows}}},
      {"Move/PixelShuffle", {"F.pixel_shuffle", {{"upscale_factor", 2}}, {image}}},
      {"Move/Pad", {"F.pad", {{"pad", list({1, 1, 1, 1})}}, {image}}},
      {"Move/Flip", {"torch.flip", {{"dims", list({3})}}, {image}}},
      {"Move/Repeat", {"Tensor.repeat", {{"sizes", list({1, 2})}}, {rows}}},
      {"Move/Roll", {"torch.roll", {{"shifts", list({3, 5})}, {"dims", list({2, 3})}}, {image}}},
      {"Scan/CumsumRows", {"torch.cumsum", {{"dim", 1}}, {rows}}},
      {"Scan/CumsumColumns", {"torch.cumsum", {{"dim", 0}}, {rows}}},
      {"Sample/Bilinear", {"F.interpolate", {{"size", list({512, 512})}, {"mode", "bilinear"}}, {{1, 64, 128, 128}}}},
      {"Sample/Bicubic", {"F.interpolate", {{"size", list({120, 120})}, {"mode", "bicubic"}}, {{1, 64, 80, 80}}}},
      {"Attention/Heads", {"F.scaled_dot_product_attention", {}, {heads, heads, heads}}},
      {"Attention/Long", {"F.scaled_dot_product_attention", {}, {long_heads, long_heads, long_heads}}},
      {"Signal/Fft", {"torch.fft.fft", {}, {{2048, 512}}}},
  };
  for (const auto& [name, call] : calls) {
    benchmark::RegisterBenchmark(name.c_str(), RunOperator, call, copy_rate)->UseRealTime();
  }
}

}  // namespace
}  // namespace kuiper_infer::bench

int main(int argc, char** argv) {
  return kuiper_infer::bench::RunBenchmarks(argc, argv, kuiper_infer::bench::RegisterAll);
}
