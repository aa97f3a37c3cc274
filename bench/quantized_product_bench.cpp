// SPDX-License-Identifier: MIT
// Products of a few float rows by a large weight of float32, 8 or 4 bits: GFLOP/s, and the GB/s at which the packed
// weight is read.

#include "bench_util.hpp"
#include "kernel/product/quantized/product.hpp"

namespace kuiper_infer::bench {
namespace {

constexpr int64_t kSize = 4096;
constexpr int64_t kGroup = 64;

/// `bits` is 32, 8 or 4.
void RunProduct(benchmark::State& state, int bits, int64_t groups, int64_t rows, double ceiling) {
  const Floats a = RandomFloats(rows * kSize);
  Floats weight = RandomFloats(kSize * kSize);
  Floats c(static_cast<std::size_t>(rows * kSize));
  const int64_t bytes = bits == 32 ? kernel::PackedWeightSize(kSize, kSize) * static_cast<int64_t>(sizeof(float))
                                   : kernel::PackedIntegerBytes(bits, kSize, kSize);
  std::vector<std::byte, AlignedAllocator<std::byte>> packed(static_cast<std::size_t>(bytes));
  Floats scales(static_cast<std::size_t>(kernel::PackedWeightSize(kSize, groups)));
  kernel::WeightProduct product{rows, kSize, kSize, a.data(), kSize, packed.data(), c.data(), kSize};
  if (bits == 32) {
    kernel::PackWeight(kSize, kSize, weight.data(), kSize, reinterpret_cast<float*>(packed.data()));
  } else {
    for (float& number : weight) number = static_cast<float>(static_cast<int>(number * (bits == 8 ? 127 : 7)));
    kernel::PackIntegers(bits, kSize, kSize, weight.data(), kSize, reinterpret_cast<uint8_t*>(packed.data()));
    const Floats numbers = RandomFloats(kSize * groups);
    kernel::PackWeight(kSize, groups, numbers.data(), groups, scales.data());
    product.weight_type = bits == 8 ? RuntimeDataType::kTypeInt8 : RuntimeDataType::kTypeUInt8;
    product.scales = {scales.data(), groups};
  }
  for (auto _ : state) {
    kernel::MultiplyByWeight(product);
    benchmark::DoNotOptimize(c.data());
    benchmark::ClobberMemory();
  }
  ReportFlops(state, static_cast<double>(rows * kSize * kSize), ceiling);
  ReportBytes(state, bytes);
}

}  // namespace
}  // namespace kuiper_infer::bench

int main(int argc, char** argv) {
  using namespace kuiper_infer::bench;
  return RunBenchmarks(argc, argv, [](double ceiling) {
    if (!kuiper_infer::kernel::HasWeightProduct()) return;
    for (const int64_t rows : {1, 2, 4, 5, 8, 16, 128}) {
      const auto add = [&](const char* name, int bits, int64_t groups) {
        benchmark::RegisterBenchmark((std::string(name) + "/rows:" + std::to_string(rows)).c_str(), RunProduct, bits,
                                     groups, rows, ceiling)
            ->Unit(benchmark::kMicrosecond)
            ->UseRealTime();
      };
      add("float32", 32, 1);
      add("int8", 8, 1);
      add("int8_groups_of_64", 8, kSize / kGroup);
      add("int4_groups_of_64", 4, kSize / kGroup);
    }
  });
}
