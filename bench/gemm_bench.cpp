// SPDX-License-Identifier: MIT
// Matrix products of the sample networks: GFLOP/s of kernel::Gemm.

#include "bench_util.hpp"
#include "kernel/gemm.hpp"

namespace kuiper_infer::bench {
namespace {

struct Product {
  const char* name;
  int64_t m, n, k;
  bool trans_b;
};

// Output channels x positions x (input channels * taps); linear layers have the weight transposed.
constexpr Product kProducts[] = {
    {"square_256", 256, 256, 256, false},        {"square_1024", 1024, 1024, 1024, false},
    {"resnet_conv1", 64, 12544, 147, false},     {"resnet_stage1_3x3", 64, 3136, 576, false},
    {"resnet_stage4_3x3", 512, 49, 4608, false}, {"resnet50_stage2_1x1", 512, 784, 128, false},
    {"mobilenetv2_expand", 384, 196, 64, false}, {"mobilenetv2_head", 1280, 49, 320, false},
    {"resnet_fc_batch1", 1, 1000, 512, true},    {"bert_ffn_128_tokens", 128, 3072, 768, true},
};

void RunProduct(benchmark::State& state, const Product& product, double ceiling) {
  const auto [name, m, n, k, trans_b] = product;
  const std::vector<float> a = RandomFloats(m * k);
  const std::vector<float> b = RandomFloats(k * n);
  std::vector<float> c(static_cast<std::size_t>(m * n));
  for (auto _ : state) {
    kernel::Gemm<float>(false, trans_b, m, n, k, 1.0F, a.data(), k, b.data(), trans_b ? k : n, 0.0F, c.data(), n);
    benchmark::DoNotOptimize(c.data());
    benchmark::ClobberMemory();
  }
  ReportFlops(state, static_cast<double>(m * n * k), ceiling);
}

}  // namespace
}  // namespace kuiper_infer::bench

int main(int argc, char** argv) {
  using namespace kuiper_infer::bench;
  return RunBenchmarks(argc, argv, [](double ceiling) {
    for (const Product& product : kProducts) {
      benchmark::RegisterBenchmark(product.name, RunProduct, product, ceiling)
          ->Unit(benchmark::kMicrosecond)
          ->UseRealTime();
    }
  });
}
