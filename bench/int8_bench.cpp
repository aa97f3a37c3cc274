// SPDX-License-Identifier: MIT
// Products by 8-bit weights, of the sample networks' sizes, on each unit that the CPU has: GOP/s, two operations a
// multiply-add. Rows and results are bytes, or floats, which are rounded on their way; the pairs of weights are any, or
// narrow.
#include <cmath>
#include <string>
#include <vector>

#include "bench_util.hpp"
#include "kernel/product/int8/product.hpp"

namespace kuiper_infer::bench {
namespace {

struct Product {
  const char* name;
  int64_t rows, columns, depth;
  int64_t segments = 1;
};

constexpr Product kProducts[] = {
    {"in_cache", 84, 64, 512},
    {"resnet_entrance", 12544, 64, 21, 7},
    {"resnet_stage1_3x3", 3136, 64, 576},
    {"resnet50_1x1_to_256", 3136, 256, 64},
    {"resnet50_1x1_to_64", 3136, 64, 256},
    {"resnet50_1x1_to_512", 784, 512, 128},
    {"resnet_stage4_3x3", 49, 512, 4608},
    {"mobile_expand", 3136, 144, 24},
    {"mobile_project", 3136, 24, 144},
    {"bert_query", 128, 768, 768},
    {"bert_ffn", 128, 3072, 768},
    {"bert_ffn_back", 128, 768, 3072},
    {"classes_of_one", 1, 1000, 2048},
};

template <class T>
using Aligned = std::vector<T, AlignedAllocator<T>>;

/// What a product's arrays and weight are.
struct Form {
  const char* name;
  bool bytes;
  float largest_weight;  ///< 64: pairs are narrow
};
constexpr Form kForms[] = {{"bytes", true, 127}, {"narrow_pairs", true, 64}, {"floats", false, 127}};

void RunInt8(benchmark::State& state, const Product& product, Int8Unit unit, const Form& form) {
  const auto [name, rows, columns, depth, segments] = product;
  const int64_t inputs = depth * segments;
  const Floats numbers = RandomFloats(std::max(rows, columns) * inputs);
  Floats integers = numbers;
  for (float& number : integers) number = std::trunc(number * form.largest_weight);
  Aligned<uint8_t> packed(static_cast<std::size_t>(kernel::PackedInt8Bytes(columns, depth, segments)));
  kernel::PackInt8Window(columns, depth, segments, segments, integers.data(), inputs, packed.data());
  const Floats scales(static_cast<std::size_t>(columns), 0.01F);
  kernel::Int8Product p;
  p.rows = rows;
  p.columns = columns;
  p.depth = depth;
  p.segments = segments;
  p.segment_stride = depth;
  p.a_grid = {1.0F / 127, 128, 0, 255};
  p.c_grid = {static_cast<float>(inputs) / 127, 100, 0, 255};
  p.weight = packed.data();
  p.weight_scales = scales.data();
  p.bias = scales.data();
  p.lda = inputs;
  p.ldc = columns;
  Aligned<uint8_t> rounded(static_cast<std::size_t>(rows * inputs));
  kernel::RoundToBytes(p.a_grid, rows * inputs, numbers.data(), rounded.data());
  Floats floats(static_cast<std::size_t>(rows * columns));
  p.a_type = p.c_type = form.bytes ? RuntimeDataType::kTypeUInt8 : RuntimeDataType::kTypeFloat32;
  p.a = form.bytes ? static_cast<const void*>(rounded.data()) : numbers.data();
  p.c = floats.data();
  for (auto _ : state) {
    kernel::MultiplyByInt8Weight(p, unit);
    benchmark::DoNotOptimize(p.c);
    benchmark::ClobberMemory();
  }
  const double operations = 2e-9 * static_cast<double>(rows * columns * inputs * state.iterations());
  state.counters["GOP/s"] = benchmark::Counter(operations, benchmark::Counter::kIsRate);
}

}  // namespace
}  // namespace kuiper_infer::bench

int main(int argc, char** argv) {
  using namespace kuiper_infer;
  return bench::RunBenchmarks(argc, argv, [](double /*ceiling*/) {
    benchmark::AddCustomContext("int8_unit", Int8UnitName(UsedInt8Unit()));
    for (const bench::Product& product : bench::kProducts) {
      for (const Int8Unit unit : {Int8Unit::kAmx, Int8Unit::kAvx512Vnni, Int8Unit::kAvxVnni, Int8Unit::kAvx2,
                                  Int8Unit::kDotProd, Int8Unit::kPortable}) {
        if (!HasInt8Unit(unit)) continue;
        for (const bench::Form& form : bench::kForms) {
          const std::string name = std::string(product.name) + "/" + Int8UnitName(unit) + "/" + form.name;
          benchmark::RegisterBenchmark(name.c_str(), bench::RunInt8, product, unit, form)
              ->Unit(benchmark::kMicrosecond)
              ->UseRealTime();
        }
      }
    }
  });
}
