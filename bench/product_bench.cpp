// SPDX-License-Identifier: MIT
// Products by a packed weight, by every kernel that this CPU has units for: GFLOP/s (of integers GOP/s), and the GB/s
// at which the packed weight is read, with the parameters of integers. The sizes are those of layers of well-known
// networks, and of a language model that generates a few words at a time. Products of few rows read one of several
// weights after the other, which no cache holds together: their GB/s are to be compared with those of read/, a loop
// that only reads.
#include <cstring>
#include <string>

#include "bench_util.hpp"
#include "kernel/product/float32/kernel.hpp"
#include "kernel/product/int8/kernel.hpp"
#include "kernel/product/product_kernels.hpp"
#include "utils/half.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer::bench {
namespace {

using kernel::ProductKernel;

struct Sizes {
  const char* name;
  int64_t rows, columns, depth;
  int64_t segments = 1;
  bool streamed = false;  ///< reads weights of kStreamedBytes in turn
};

constexpr int64_t kStreamedBytes = 100'000'000;

constexpr Sizes kSizes[] = {
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
    {"llm_1_word", 1, 4096, 4096},
    {"llm_4_words", 4, 4096, 4096},
    {"llm_16_words", 16, 4096, 4096},
    {"few_rows_1x2048x2048", 1, 2048, 2048, 1, true},
    {"few_rows_2x2048x2048", 2, 2048, 2048, 1, true},
    {"few_rows_4x2048x2048", 4, 2048, 2048, 1, true},
    {"few_rows_8x2048x2048", 8, 2048, 2048, 1, true},
    {"few_rows_16x2048x2048", 16, 2048, 2048, 1, true},
    {"few_rows_1x576x1536", 1, 576, 1536, 1, true},
    {"few_rows_2x576x1536", 2, 576, 1536, 1, true},
    {"few_rows_4x576x1536", 4, 576, 1536, 1, true},
    {"few_rows_8x576x1536", 8, 576, 1536, 1, true},
    {"few_rows_16x576x1536", 16, 576, 1536, 1, true},
    {"prompt_128x2048x2048", 128, 2048, 2048},
};

using Bytes = std::vector<std::byte, AlignedAllocator<std::byte>>;

/// The properties in which the benchmarks of one kernel differ.
struct Form {
  std::string name;
  int64_t group = 0;      ///< numbers that share parameters; 0: all of a column
  float largest = 127;    ///< integer of a weight of 8 bits; 64: pairs are narrow
  bool bfloat16 = false;  ///< rows and results are stored so
};

/// A weight of random numbers, or integers, packed for a kernel.
Bytes PackedWeight(const ProductKernel& kernel, const Sizes& sizes, const Form& form) {
  const int64_t depth = sizes.depth * sizes.segments;
  Floats numbers = RandomFloats(sizes.columns * depth);
  if (kernel.format.stored != RuntimeDataType::kTypeUnknown) {
    const float most = kernel.format.bits == 8 ? form.largest : 7;
    for (float& number : numbers) number = std::trunc(number * most);
  }
  if (kernel.format.asymmetric) {
    for (float& number : numbers) number += 8;
  }
  Bytes packed(static_cast<std::size_t>(kernel.panels.Bytes(sizes.columns, sizes.depth, sizes.segments)));
  kernel.panels.Pack({sizes.columns, sizes.depth, sizes.segments, numbers.data(), depth, sizes.segments},
                     packed.data());
  return packed;
}

/// The parameters of a weight of integers, all alike, as the kernel reads them.
Bytes PackedParameters(const ProductKernel& kernel, int64_t columns, int64_t groups) {
  constexpr float kParameter = 0.0078125F;
  const int64_t whole = RoundUp(columns, kernel.panels.Columns());
  const auto count = static_cast<std::size_t>(whole * groups * kernel.format.ParameterCount());
  Bytes parameters;
  const auto fill = [&](auto parameter) {
    parameters.resize(count * sizeof(parameter));
    for (std::size_t i = 0; i < count; ++i)
      std::memcpy(&parameters[i * sizeof(parameter)], &parameter, sizeof(parameter));
  };
  groups <= kernel.half_groups ? fill(Float16(kParameter)) : fill(kParameter);
  return parameters;
}

void RunProduct(benchmark::State& state, const ProductKernel& kernel, const Sizes& sizes, const Form& form,
                double ceiling) {
  struct Weight {
    Bytes numbers;
    Bytes parameters;
  };
  const int64_t depth = sizes.depth * sizes.segments;
  const int64_t groups = form.group > 0 ? depth / form.group : 1;
  std::vector<Weight> weights = {{PackedWeight(kernel, sizes, form), PackedParameters(kernel, sizes.columns, groups)}};
  const auto weight_bytes = static_cast<int64_t>(weights.front().numbers.size() + weights.front().parameters.size());
  weights.resize(static_cast<std::size_t>(sizes.streamed ? DivideUp(kStreamedBytes, weight_bytes) : 1),
                 weights.front());
  const Floats numbers = RandomFloats(sizes.rows * depth);
  kernel::Product product{sizes.rows, sizes.columns, sizes.depth};
  product.segments = sizes.segments;
  product.segment_stride = sizes.depth;
  product.a = {numbers.data(), depth};
  product.weight = {&kernel, nullptr, nullptr, groups};
  if (groups <= kernel.half_groups) product.weight.parameter_type = RuntimeDataType::kTypeFloat16;
  const Floats bias(static_cast<std::size_t>(sizes.columns), 0.01F);
  product.epilogue.bias = bias.data();
  Floats results(static_cast<std::size_t>(sizes.rows * sizes.columns));
  product.c = {results.data(), sizes.columns};
  std::vector<uint8_t, AlignedAllocator<uint8_t>> bytes(numbers.size() * 2);
  if (kernel.left == RuntimeDataType::kTypeUInt8) {
    product.a.grid = {1.0F / 127, 128, 0, 255};
    kernel::RoundToBytes(product.a.grid, sizes.rows * depth, numbers.data(), bytes.data());
    product.c.grid = {static_cast<float>(depth) / 127, 100, 0, 255};
    product.a.type = product.c.type = RuntimeDataType::kTypeUInt8;
    product.a.data = bytes.data();
  }
  if (form.bfloat16) {
    product.a.type = product.c.type = RuntimeDataType::kTypeBFloat16;
    product.a.data = bytes.data();
  }
  std::size_t next = 0;
  for (auto _ : state) {
    product.weight.data = weights[next].numbers.data();
    product.weight.parameters = weights[next].parameters.data();
    next = (next + 1) % weights.size();
    kernel::Multiply(product);
    benchmark::DoNotOptimize(results.data());
    benchmark::ClobberMemory();
  }
  ReportFlops(state, static_cast<double>(sizes.rows * sizes.columns * depth), ceiling);
  ReportBytes(state, weight_bytes);
  state.counters["expected_time"] = kernel.Time({sizes.rows, sizes.columns, sizes.depth, sizes.segments});
}

/// Reads memory and does nothing else.
void RunRead(benchmark::State& state, int64_t bytes) {
  constexpr int64_t kPart = int64_t{1} << 20;
  const std::vector<uint64_t, AlignedAllocator<uint64_t>> numbers(static_cast<std::size_t>(bytes) / sizeof(uint64_t),
                                                                  1);
  const auto count = static_cast<int64_t>(numbers.size());
  constexpr int64_t kNumbers = kPart / static_cast<int64_t>(sizeof(uint64_t));
  for (auto _ : state) {
    ParallelFor(DivideUp(count, kNumbers), 1, [&](int64_t begin, int64_t end) {
      uint64_t sum = 0;
      for (int64_t i = begin * kNumbers; i < std::min(count, end * kNumbers); ++i) sum += numbers[i];
      benchmark::DoNotOptimize(sum);
    });
  }
  ReportBytes(state, bytes);
}

/// The forms in which a kernel is tried.
std::vector<Form> FormsOf(const ProductKernel& kernel) {
  const std::string name = kernel.name[0] != 0 ? kernel.name : "float32";
  if (kernel.left == RuntimeDataType::kTypeUInt8) {
    const std::string unit = std::string("int8/") + Int8UnitName(kernel.units.int8);
    return {{unit}, {unit + "/narrow_pairs", 0, 64}};
  }
  if (kernel.packs_parameters) return {{name}, {name + "/groups_of_32", 32}};
  if (kernel.RoundsToBFloat16()) return {{name}, {name + "/stored", 0, 127, true}};
  return {{name}};
}

std::vector<const ProductKernel*> Kernels() {
  const Units used = UsedUnits();
  std::vector<const ProductKernel*> kernels;
  for (const ProductKernel* kernel : kernel::ProductKernels(used)) {
    const bool computed =
        used.bfloat16 == MatrixUnit::kAmx || (used.bfloat16 != MatrixUnit::kNone && kernel->format.pieces == 1);
    const bool slow = kernel->format.pieces > 0 && !computed;  // portable code
    if (!slow && kernel->left != RuntimeDataType::kTypeUInt8) kernels.push_back(kernel);
  }
  for (const Int8Unit unit : {Int8Unit::kAmx, Int8Unit::kAvx512Vnni, Int8Unit::kAvxVnni, Int8Unit::kAvx2,
                              Int8Unit::kDotProd, Int8Unit::kPortable}) {
    if (HasInt8Unit(unit)) kernels.push_back(&kernel::Int8KernelOf(unit));
  }
  return kernels;
}

}  // namespace
}  // namespace kuiper_infer::bench

int main(int argc, char** argv) {
  using namespace kuiper_infer;
  return bench::RunBenchmarks(argc, argv, [](double ceiling) {
    if (!kernel::HasProductKernels(UsedUnits())) return;
    benchmark::AddCustomContext("matrix_unit", MatrixUnitName());
    benchmark::AddCustomContext("int8_unit", Int8UnitName(UsedInt8Unit()));
    for (const int64_t megabytes : {100, 1000}) {
      benchmark::RegisterBenchmark(("read/" + std::to_string(megabytes) + "MB").c_str(),
                                   [megabytes](benchmark::State& state) { bench::RunRead(state, megabytes * 1000000); })
          ->Unit(benchmark::kMicrosecond)
          ->UseRealTime();
    }
    for (const bench::Sizes& sizes : bench::kSizes) {
      for (const kernel::ProductKernel* product : bench::Kernels()) {
        for (const bench::Form& form : bench::FormsOf(*product)) {
          const bool fits = form.group == 0 || (sizes.depth % form.group == 0 && sizes.segments == 1);
          if (!fits || (product->packs_parameters && sizes.segments > 1)) continue;
          const std::string name = std::string(sizes.name) + "/" + form.name;
          benchmark::RegisterBenchmark(name.c_str(),
                                       [product, &sizes, form, ceiling](benchmark::State& state) {
                                         bench::RunProduct(state, *product, sizes, form, ceiling);
                                       })
              ->Unit(benchmark::kMicrosecond)
              ->UseRealTime();
        }
      }
    }
  });
}
