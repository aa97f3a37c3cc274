// SPDX-License-Identifier: MIT
// Products by a weight of float32, or of one to three bfloat16 numbers for each, as far as the CPU has a unit for them:
// GFLOP/s of the products of whole numbers, and the time that the choice expects, as a multiple of float32's. `stored`:
// rows and results are bfloat16 numbers in memory.
#include <string>

#include "bench_util.hpp"
#include "kernel/product/bfloat16/product.hpp"
#include "kernel/product/bfloat16/tile.hpp"
#include "kernel/product/weight_product.hpp"

namespace kuiper_infer::bench {
namespace {

struct Sizes {
  const char* name;
  int64_t rows, columns, depth;
};
constexpr Sizes kSizes[] = {{"bert_query", 128, 768, 768},
                            {"bert_ffn", 128, 3072, 768},
                            {"bert_ffn_back", 128, 768, 3072},
                            {"resnet50_1x1_to_64", 3136, 64, 256},
                            {"resnet50_1x1_to_256", 3136, 256, 64},
                            {"few_rows", 4, 1024, 1024},
                            {"one_row", 1, 1000, 2048}};

/// 0 pieces: float32.
void RunProduct(benchmark::State& state, const Sizes& sizes, int pieces, bool stored, double ceiling) {
  const auto [name, rows, columns, depth] = sizes;
  const Floats a = RandomFloats(rows * depth);
  const Floats weight = RandomFloats(columns * depth);
  Floats c(static_cast<std::size_t>(rows * columns));
  Floats floats(static_cast<std::size_t>(kernel::PackedWeightSize(columns, depth)));
  std::vector<uint16_t, AlignedAllocator<uint16_t>> packed;
  kernel::WeightProduct product{rows, columns, depth, a.data(), depth, floats.data(), c.data(), columns};
  if (pieces == 0) {
    kernel::PackWeight(columns, depth, weight.data(), depth, floats.data());
  } else {
    packed.resize(static_cast<std::size_t>(kernel::PackedBFloat16Bytes(columns, depth, pieces)) / sizeof(uint16_t));
    kernel::PackBFloat16Window(columns, depth, 1, weight.data(), depth, packed.data(), pieces);
    product.weight = packed.data();
    product.weight_type = {RuntimeDataType::kTypeBFloat16, pieces};
    state.counters["expected_time"] = kernel::BFloat16Time(pieces, rows, columns, depth);
  }
  const std::vector<uint16_t> rounded(a.size());
  if (stored) {
    product.a = rounded.data();
    product.a_type = product.c_type = RuntimeDataType::kTypeBFloat16;
  }
  for (auto _ : state) {
    kernel::MultiplyByWeight(product);
    benchmark::DoNotOptimize(c.data());
    benchmark::ClobberMemory();
  }
  ReportFlops(state, static_cast<double>(rows * columns * depth), ceiling);
}

}  // namespace
}  // namespace kuiper_infer::bench

int main(int argc, char** argv) {
  using namespace kuiper_infer;
  return bench::RunBenchmarks(argc, argv, [](double ceiling) {
    if (!kernel::HasWeightProduct()) return;
    benchmark::AddCustomContext("matrix_unit", MatrixUnitName());
    const MatrixUnit unit = UsedMatrixUnit();
    const int most = unit == MatrixUnit::kAmx ? 3 : unit == MatrixUnit::kNone ? 0 : 1;
    for (const bench::Sizes& sizes : bench::kSizes) {
      const auto add = [&, &sizes = sizes](const std::string& kind, int pieces, bool stored) {
        const std::string name = std::string(sizes.name) + "/" + kind;
        benchmark::RegisterBenchmark(name.c_str(), bench::RunProduct, sizes, pieces, stored, ceiling)
            ->Unit(benchmark::kMicrosecond)
            ->UseRealTime();
      };
      add("float32", 0, false);
      for (int pieces = 1; pieces <= most; ++pieces) add("pieces:" + std::to_string(pieces), pieces, false);
      if (most > 0) add("stored", 1, true);
    }
  });
}
