// SPDX-License-Identifier: MIT
// Matrix products of the sample networks: GFLOP/s of OpenBLAS (kernel::Gemm) and of our kernel with the weight packed
// ahead.

#include "bench_util.hpp"
#include "kernel/product/float32/kernel.hpp"
#include "kernel/product/gemm.hpp"
#include "kernel/product/packed_gemm.hpp"
#include "kernel/product/product_kernels.hpp"

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
    {"bert_ffn_back", 128, 768, 3072, true},     {"vit_qkv", 197, 2304, 768, true},
    {"stage1_rows", 3136, 64, 576, true},        {"stage1_cached", 448, 64, 576, true},
    {"few_cached", 196, 256, 256, true},         {"stage4_rows", 49, 512, 4608, true},
    {"expand_rows", 3136, 144, 24, true},        {"project_rows", 3136, 24, 144, true},
};

void RunProduct(benchmark::State& state, const Product& product, double ceiling) {
  const auto [name, m, n, k, trans_b] = product;
  const Floats a = RandomFloats(m * k);
  const Floats b = RandomFloats(k * n);
  Floats c(static_cast<std::size_t>(m * n));
  for (auto _ : state) {
    kernel::Gemm<float>(false, trans_b, m, n, k, 1.0F, a.data(), k, b.data(), trans_b ? k : n, 0.0F, c.data(), n);
    benchmark::DoNotOptimize(c.data());
    benchmark::ClobberMemory();
  }
  ReportFlops(state, static_cast<double>(m * n * k), ceiling);
}

/// The weight is a or, if b is transposed, b.
void RunPacked(benchmark::State& state, const Product& product, double ceiling) {
  const auto [name, m, n, k, trans_b] = product;
  const Floats a = RandomFloats(m * k);
  const Floats b = RandomFloats(k * n);
  Floats c(static_cast<std::size_t>(m * n));
  const kernel::ProductKernel& kernel = kernel::Float32Kernel(UsedIsa());
  const auto floats = static_cast<int64_t>(sizeof(float));
  Floats packed(static_cast<std::size_t>(trans_b ? kernel.panels.Bytes(n, k) / floats : kernel::PackedLeftSize(m, k)));
  const kernel::Product by_weight{m, n, k, {a.data(), k}, {&kernel, packed.data()}, {c.data(), n}};
  if (trans_b) {
    kernel.panels.Pack({n, k, 1, b.data(), k}, packed.data());
  } else {
    kernel::PackLeft(m, k, a.data(), k, packed.data());
  }
  for (auto _ : state) {
    if (trans_b) {
      kernel::Multiply(by_weight);
    } else {
      kernel::MultiplyPackedLeft(m, n, k, packed.data(), b.data(), n, {}, c.data(), n);
    }
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
      const auto add = [&](const char* kind, auto run) {
        benchmark::RegisterBenchmark((std::string(product.name) + kind).c_str(), run, product, ceiling)
            ->Unit(benchmark::kMicrosecond)
            ->UseRealTime();
      };
      add("/blas", RunProduct);
      if (kuiper_infer::kernel::HasProductKernels(kuiper_infer::UsedUnits())) add("/packed", RunPacked);
    }
  });
}
