// SPDX-License-Identifier: MIT
// Expressions and activations over one large array: the rate is that of the memory they must read and write.
#include "bench_util.hpp"
#include "kuiper_infer/data/ndarray.hpp"
#include "operation/evaluate.hpp"

namespace kuiper_infer::bench {
namespace {

const Shape kShape = {1, 64, 80, 80};

NdArray RandomArray() {
  const NdArray array(RuntimeDataType::kTypeFloat32, kShape);
  const Floats values = RandomFloats(array.size());
  std::copy(values.begin(), values.end(), array.data<float>());
  return array;
}

void RunCall(benchmark::State& state, const OperatorCall& call, int operands) {
  std::vector<Value> inputs;
  for (int i = 0; i < operands; ++i) inputs.emplace_back(RandomArray());
  for (auto _ : state) {
    const std::vector<Value> outputs = Evaluate(call, inputs, DefaultPlanningContext());
    benchmark::DoNotOptimize(outputs.front().Get<NdArray>().raw());
  }
  ReportBytes(state, (operands + 1) * ByteCount(RuntimeDataType::kTypeFloat32, kShape));
}

void RegisterAll(double /*ceiling*/) {
  const std::pair<const char*, int> expressions[] = {{"add(@0,@1)", 2},
                                                     {"mul(@0,2.0)", 1},
                                                     {"mul(add(mul(@0,2),@1),8)", 2},
                                                     {"mul(pow(mul(@0,2),2),@1)", 2},
                                                     {"sin(@0)", 1}};
  for (const auto& [text, operands] : expressions) {
    OperatorCall call;
    call.name = text;
    call.type = "pnnx.Expression";
    call.params["expr"] = text;
    benchmark::RegisterBenchmark(text, [call, count = operands](benchmark::State& state) {
      RunCall(state, call, count);
    })->UseRealTime();
  }
  for (const char* type : {"nn.ReLU", "nn.SiLU", "nn.Sigmoid", "nn.Hardswish", "nn.GELU"}) {
    OperatorCall call;
    call.name = type;
    call.type = type;
    benchmark::RegisterBenchmark(type, [call](benchmark::State& state) { RunCall(state, call, 1); })->UseRealTime();
  }
}

}  // namespace
}  // namespace kuiper_infer::bench

int main(int argc, char** argv) {
  return kuiper_infer::bench::RunBenchmarks(argc, argv, kuiper_infer::bench::RegisterAll);
}
