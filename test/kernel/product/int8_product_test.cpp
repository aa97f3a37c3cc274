// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/elementwise/functions.hpp"
#include "kernel/product/emulated_amx.hpp"
#include "kernel/product/int8/kernel.hpp"
#include "kernel/product/int8/panels.hpp"
#include "kernel/product/int8/tile.hpp"
#include "kernel/product/int8/tile_amx.hpp"
#include "kernel/random_data.hpp"
#include "utils/fused_multiply_add.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

constexpr auto kFloat = RuntimeDataType::kTypeFloat32;
constexpr auto kByte = RuntimeDataType::kTypeUInt8;
constexpr uint8_t kGuard = 77;

/// Sizes around the tiles' heights (4 to 14), widths (16 to 64), quads of the depth, segments with and without gaps.
struct Sizes {
  int64_t rows, columns, depth;
  int64_t segments = 1;
};
constexpr Sizes kSizes[] = {
    {1, 1, 1},       {0, 5, 3},     {5, 0, 3},       {5, 7, 0},        {1, 33, 5},      {3, 15, 4},     {13, 15, 17},
    {14, 16, 9},     {15, 17, 9},   {28, 31, 40},    {29, 32, 41},     {8, 47, 3},      {6, 48, 100},   {7, 49, 600},
    {17, 64, 64},    {17, 65, 257}, {30, 70, 514},   {113, 49, 255},   {3, 129, 27},    {100, 65, 33},  {5, 130, 2101},
    {200, 24, 77},   {9, 200, 12},  {11, 40, 21, 7}, {50, 64, 9, 3},   {7, 70, 200, 3}, {20, 16, 8, 5}, {33, 20, 3, 2},
    {41, 72, 2, 16}, {32, 64, 64},  {33, 80, 130},   {48, 40, 192, 2}, {17, 47, 67},    {64, 112, 128}};

struct Options {
  RuntimeDataType a;
  RuntimeDataType c;
  RuntimeDataType residual;  ///< kTypeUnknown: none
  bool bias = true;
  const char* activation = "";
};

/// Returns a grid whose sums of thousands of numbers stay within the grid of the results.
QuantizationGrid RandomGrid(float scale, std::mt19937& generator) {
  const auto zero_point = static_cast<int32_t>(generator() % 256);
  const auto least = static_cast<int32_t>(generator() % 8);
  return {scale, zero_point, least, 255 - static_cast<int32_t>(generator() % 8)};
}

std::vector<uint8_t> RandomBytes(int64_t count, std::mt19937& generator) {
  std::vector<uint8_t> bytes(static_cast<std::size_t>(std::max<int64_t>(count, 0)));
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(generator());
  return bytes;
}

/// A product of random numbers, and its expected result.
struct Problem {
  Problem(const Sizes& sizes, const Options& options)
      : seed(static_cast<uint32_t>(sizes.rows * 7 + sizes.columns * 10007 + sizes.depth * 101 + sizes.segments)),
        depth(sizes.depth * sizes.segments),
        taps(sizes.segments * (sizes.depth % 3 == 0 ? 3 : 1)) {
    std::mt19937 generator(seed);
    p.rows = sizes.rows;
    p.columns = sizes.columns;
    p.depth = sizes.depth;
    p.segments = sizes.segments;
    p.segment_stride = sizes.depth + (sizes.segments > 1 ? 2 : 0);
    const int64_t row = (sizes.segments - 1) * p.segment_stride + sizes.depth;
    p.a.ld = row + 3;
    const int64_t count = p.rows == 0 ? 0 : (p.rows - 1) * p.a.ld + row;  // the last row ends with its numbers
    p.a.type = options.a;
    p.a.grid = RandomGrid(0.02F, generator);
    bytes = RandomBytes(count, generator);
    floats = RandomVector<float>(count, seed + 1);
    for (float& x : floats) x *= 4;
    p.a.data = options.a == kByte ? static_cast<const void*>(bytes.data()) : floats.data();

    weight.resize(static_cast<std::size_t>(p.columns * depth));
    for (float& x : weight) x = static_cast<float>(static_cast<int>(generator() % 256) - 128);
    packed.resize(static_cast<std::size_t>(Int8Panels().Bytes(p.columns, p.depth, p.segments)));
    Pack();
    p.weight.data = packed.data();
    scales = RandomVector<float>(p.columns, seed + 2);
    for (float& x : scales) x = 0.002F + 0.001F * x;
    p.weight.parameters = scales.data();
    bias = RandomVector<float>(p.columns, seed + 3);
    if (options.bias) p.epilogue.bias = bias.data();

    p.c.ld = p.columns + 3;
    p.epilogue.residual.ld = p.columns + 1;
    p.epilogue.residual.type = options.residual;
    p.epilogue.residual.grid = RandomGrid(0.01F, generator);
    residual_bytes = RandomBytes(p.rows * p.epilogue.residual.ld, generator);
    residual_floats = RandomVector<float>(p.rows * p.epilogue.residual.ld, seed + 4);
    if (options.residual == kByte) p.epilogue.residual.data = residual_bytes.data();
    if (options.residual == kFloat) p.epilogue.residual.data = residual_floats.data();
    p.epilogue.activation = {FindUnary(options.activation), {-0.5, 0.25, 0}};
    p.c.type = options.c;
    p.c.grid = RandomGrid(0.04F * std::sqrt(static_cast<float>(depth + 1)), generator);
  }

  std::string Name(const Options& o) const {
    return std::to_string(p.rows) + "x" + std::to_string(p.columns) + "x" + std::to_string(p.segments) + "*" +
           std::to_string(p.depth) + (o.bias ? " biased " : " ") + TypeName(o.a) + " + " + TypeName(o.residual) +
           " to " + TypeName(o.c) + " " + o.activation + " seed " + std::to_string(seed);
  }

  std::size_t result_bytes() const { return static_cast<std::size_t>(p.rows * p.c.ld) * ElementBytes(p.c.type); }

  void Pack() {
    if (taps > 0) Int8Panels().Pack({p.columns, depth / taps, taps, weight.data(), depth, p.segments}, packed.data());
  }

  /// Makes the pairs of the columns from `first_column` on add up to at most `most` in size. Half of them add up to
  /// exactly most or -most.
  void NarrowPairs(int64_t first_column, int most) {
    std::mt19937 generator(seed + 5);
    for (int64_t column = first_column; column < p.columns; ++column) {
      for (int64_t k = 0; k < depth; ++k) {
        if (k % p.depth % 2 == 1) continue;
        const int a = static_cast<int>(generator() % 256) - 128;
        const bool whole = k % p.depth + 1 < p.depth;
        const int least = std::max(-128, -most - a);
        const int span = std::min(127, most - a) - least;
        const int extreme = a < 0 ? least : least + span;
        const int b = generator() % 2 == 0 ? extreme : least + static_cast<int>(generator() % (span + 1));
        weight[PlaceOf(column, k)] = static_cast<float>(a);
        if (whole) weight[PlaceOf(column, k + 1)] = static_cast<float>(b);
      }
    }
    Pack();
  }

  std::vector<uint8_t> Run(const Int8Tiles& tiles) {
    const Int8Kernel kernel(tiles, Int8Unit::kPortable);
    std::vector<uint8_t> c(result_bytes(), kGuard);
    p.weight.kernel = &kernel;
    p.c.data = c.data();
    Multiply(p);
    return c;
  }

  int64_t PlaceOf(int64_t column, int64_t k) const {
    const int64_t inputs = depth / taps;
    return column * depth + k % inputs * taps + k / inputs;
  }
  int64_t WeightAt(int64_t column, int64_t k) const { return static_cast<int64_t>(weight[PlaceOf(column, k)]); }

  uint32_t seed;
  int64_t depth;  ///< of all segments
  int64_t taps;
  std::vector<uint8_t> bytes, packed, residual_bytes;
  std::vector<float> floats, weight, scales, bias, residual_floats;
  Product p;
};

int32_t NearestByteOfSteps(const QuantizationGrid& grid, float steps) {
  const double q = std::nearbyint(static_cast<double>(steps)) + grid.zero_point;
  return static_cast<int32_t>(q > grid.least ? std::min<double>(q, grid.most) : grid.least);
}
int32_t NearestByte(const QuantizationGrid& grid, float y) { return NearestByteOfSteps(grid, y * (1.0F / grid.scale)); }

/// Returns whether bytes of column j's panel are computed in steps of the output grid.
bool CountsSteps(const Problem& problem, int64_t j) {
  const Product& p = problem.p;
  const auto bounds = p.epilogue.activation.Bounds();
  const auto number = [&](int32_t q) { return static_cast<float>(q - p.c.grid.zero_point) * p.c.grid.scale; };
  const bool plain = p.c.type == kByte && (p.epilogue.residual.data == nullptr || p.epilogue.residual.type == kByte) &&
                     bounds && bounds->least <= number(p.c.grid.least) && number(p.c.grid.most) <= bounds->most;
  if (!plain) return false;
  const double step = p.epilogue.residual.data == nullptr ? 0 : p.epilogue.residual.grid.scale / p.c.grid.scale;
  const int64_t first = j / 64 * 64;
  for (int64_t k = first; k < std::min(first + 64, p.columns); ++k) {
    const double factor = static_cast<double>(p.a.grid.scale) * p.weight.ColumnScales()[k] / p.c.grid.scale;
    const double bias = p.epilogue.bias == nullptr ? 0 : p.epilogue.bias[k] / p.c.grid.scale;
    if (!(0x1p31 * factor + std::abs(bias - p.epilogue.residual.grid.zero_point * step) + 255 * step < 0x1p30))
      return false;
  }
  return true;
}

/// Returns the byte of a sum that is computed in steps.
int32_t ByteBySteps(const Problem& problem, int64_t sum, int64_t j, int32_t residual) {
  const Product& p = problem.p;
  const float inverse = 1.0F / p.c.grid.scale;
  const float factor = p.a.grid.scale * p.weight.ColumnScales()[j];
  const float step = p.epilogue.residual.data == nullptr ? 0 : p.epilogue.residual.grid.scale * inverse;
  const float bias = (p.epilogue.bias == nullptr ? 0 : p.epilogue.bias[j]) * inverse;
  const float zero = static_cast<float>(p.epilogue.residual.grid.zero_point) * step;
  float steps = Fma(static_cast<float>(sum), factor * inverse, bias - zero);
  if (p.epilogue.residual.data != nullptr) steps = Fma(static_cast<float>(residual), step, steps);
  return NearestByteOfSteps(p.c.grid, steps);
}

/// Computes the product by its definition: exact sums, then one rounded operation after the other.
std::vector<uint8_t> Reference(const Problem& problem) {
  const Product& p = problem.p;
  std::vector<uint8_t> c(problem.result_bytes(), kGuard);
  for (int64_t i = 0; i < p.rows; ++i) {
    for (int64_t j = 0; j < p.columns; ++j) {
      int64_t sum = 0;
      for (int64_t k = 0; k < problem.depth; ++k) {
        const int64_t place = i * p.a.ld + k / p.depth * p.segment_stride + k % p.depth;
        const int32_t byte = p.a.type == kByte ? problem.bytes[place] : NearestByte(p.a.grid, problem.floats[place]);
        sum += (byte - p.a.grid.zero_point) * problem.WeightAt(j, k);
      }
      const float factor = p.a.grid.scale * p.weight.ColumnScales()[j];
      float y = Fma(static_cast<float>(sum), factor, p.epilogue.bias != nullptr ? p.epilogue.bias[j] : 0.0F);
      const int64_t at = i * p.epilogue.residual.ld + j;
      if (CountsSteps(problem, j)) {
        const int32_t residual = p.epilogue.residual.data == nullptr ? 0 : problem.residual_bytes[at];
        c[i * p.c.ld + j] = static_cast<uint8_t>(ByteBySteps(problem, sum, j, residual));
        continue;
      }
      if (p.epilogue.residual.type == kFloat) y = y + problem.residual_floats[at];
      if (p.epilogue.residual.type == kByte) {
        const float residual = static_cast<float>(problem.residual_bytes[at] - p.epilogue.residual.grid.zero_point) *
                               p.epilogue.residual.grid.scale;
        y = y + residual;
      }
      p.epilogue.activation.Apply(&y, 1);
      if (p.c.type == kByte) {
        c[i * p.c.ld + j] = static_cast<uint8_t>(NearestByte(p.c.grid, y));
      } else {
        std::memcpy(c.data() + (i * p.c.ld + j) * sizeof(float), &y, sizeof(y));
      }
    }
  }
  return c;
}

/// Checks every combination of element types, on one thread and on three.
template <class Check>
void ForAll(const Check& check) {
  for (const int threads : {1, 3}) {
    const ThreadScope scope(threads);
    for (const Sizes& sizes : kSizes) {
      for (const RuntimeDataType a : {kFloat, kByte}) {
        for (const RuntimeDataType c : {kFloat, kByte}) {
          for (const RuntimeDataType residual : {RuntimeDataType::kTypeUnknown, kFloat, kByte}) {
            check(sizes, Options{a, c, residual});
          }
          check(sizes, Options{a, c, kByte, false, "relu"});
          check(sizes, Options{a, c, kFloat, true, "clamp"});
          check(sizes, Options{a, c, kFloat, true, "hardswish"});
          check(sizes, Options{a, c, kByte, true, "leaky_relu"});
        }
      }
    }
  }
}

/// Returns the first element that differs, or -1.
int64_t FirstDifference(const Problem& problem, const std::vector<uint8_t>& a, const std::vector<uint8_t>& b) {
  const auto [at, other] = std::mismatch(a.begin(), a.end(), b.begin());
  if (at == a.end()) return -1;
  return (at - a.begin()) / static_cast<int64_t>(ElementBytes(problem.p.c.type));
}

const Int8Tiles& EmulatedAmxKernel() {
  static constexpr Int8Tiles kKernel = AmxInt8<EmulatedAmx, PortableInt8Tiles>::Kernel();
  return kKernel;
}

/// A kernel, and the matrix unit that it needs.
struct TestedKernel {
  const char* name;
  Int8Unit unit;
  const Int8Tiles& (*kernel)();
};
constexpr TestedKernel kKernels[] = {
    {"portable", Int8Unit::kPortable, PortableInt8Tiles},
    {"emulated_AMX", Int8Unit::kPortable, EmulatedAmxKernel},
#if defined(__aarch64__)
    {"DotProd", Int8Unit::kDotProd, DotProdInt8Tiles},
#endif
#if defined(__x86_64__)
    {"AVX2", Int8Unit::kAvx2, Avx2Int8Tiles},
    {"AVX_VNNI", Int8Unit::kAvxVnni, AvxVnniInt8Tiles},
    {"AVX512_VNNI", Int8Unit::kAvx512Vnni, Avx512VnniInt8Tiles},
    {"AMX", Int8Unit::kAmx, AmxInt8Tiles},
#endif
};

class Int8ProductTest : public testing::TestWithParam<TestedKernel> {
 protected:
  void SetUp() override {
    if (!HasInt8Unit(GetParam().unit)) GTEST_SKIP() << "this CPU, or KUIPER_ISA, has no " << GetParam().name;
  }
  static const Int8Tiles& kernel() { return GetParam().kernel(); }
};

TEST_P(Int8ProductTest, EqualsTheDefinitionBitByBit) {
  ForAll([](const Sizes& sizes, const Options& options) {
    Problem problem(sizes, options);
    const int64_t place = FirstDifference(problem, problem.Run(kernel()), Reference(problem));
    ASSERT_EQ(place, -1) << problem.Name(options) << ": row " << place / problem.p.c.ld << " column "
                         << place % problem.p.c.ld;
  });
}

/// Activations that are approximated by vector code, at each place of a vector.
TEST_P(Int8ProductTest, EqualsPortableCodeWithAnyActivation) {
  for (const Sizes& sizes : kSizes) {
    for (const char* name : {"silu", "gelu", "sigmoid"}) {
      for (const RuntimeDataType c : {kFloat, kByte}) {
        const Options options{kByte, c, kFloat, true, name};
        Problem problem(sizes, options);
        const int64_t place = FirstDifference(problem, problem.Run(kernel()), problem.Run(PortableInt8Tiles()));
        ASSERT_EQ(place, -1) << problem.Name(options);
      }
    }
  }
}

/// If results are bytes, activations are computed only as exactly as bytes need.
TEST_P(Int8ProductTest, BytesBehindApproximatedFunctionsAreAtMostOneStepApart) {
  for (const char* name : {"gelu", "silu"}) {
    for (const RuntimeDataType residual : {RuntimeDataType::kTypeUnknown, kFloat, kByte}) {
      Problem problem({200, 70, 40}, {kByte, kByte, residual, true, name});
      problem.p.c.grid = {0.02F, 15, 0, 255};
      const std::vector<uint8_t> found = problem.Run(kernel());
      const std::vector<uint8_t> expected = Reference(problem);
      std::size_t apart = 0;
      for (std::size_t i = 0; i < found.size(); ++i) {
        const int difference = std::abs(found[i] - expected[i]);
        ASSERT_LE(difference, 1) << name << " seed " << problem.seed << " row " << i / problem.p.c.ld << " column "
                                 << i % problem.p.c.ld;
        apart += static_cast<std::size_t>(difference);
      }
      EXPECT_LE(apart, found.size() / 100) << name << " seed " << problem.seed;
    }
  }
}

TEST_P(Int8ProductTest, ResidualMayBeTheResult) {
  for (const RuntimeDataType type : {kFloat, kByte}) {
    const Options options{kByte, type, type, true, "relu"};
    Problem problem({37, 70, 40}, options);
    problem.p.epilogue.residual.ld = problem.p.c.ld;
    problem.residual_bytes.resize(problem.p.rows * problem.p.c.ld, 130);
    problem.residual_floats.resize(problem.p.rows * problem.p.c.ld, 0.5F);
    const void* const residual = type == kByte ? static_cast<const void*>(problem.residual_bytes.data())
                                               : static_cast<const void*>(problem.residual_floats.data());
    problem.p.epilogue.residual.data = residual;
    const std::vector<uint8_t> apart = problem.Run(kernel());
    std::vector<uint8_t> c(problem.result_bytes());
    std::memcpy(c.data(), residual, c.size());
    problem.p.epilogue.residual.data = problem.p.c.data = c.data();
    const Int8Kernel own(kernel(), Int8Unit::kPortable);
    problem.p.weight.kernel = &own;
    Multiply(problem.p);
    const std::size_t element = ElementBytes(type);
    for (int64_t i = 0; i < problem.p.rows; ++i) {
      const std::size_t row = static_cast<std::size_t>(i * problem.p.c.ld) * element;
      ASSERT_EQ(std::memcmp(c.data() + row, apart.data() + row, problem.p.columns * element), 0) << "row " << i;
    }
  }
}

TEST_P(Int8ProductTest, RoundsNaNAndInfinityOfRows) {
  const Options options{kFloat, kFloat, RuntimeDataType::kTypeUnknown};
  Problem problem({20, 35, 50}, options);
  const float infinity = std::numeric_limits<float>::infinity();
  problem.floats[5] = std::nanf("");
  problem.floats[problem.p.a.ld + 5] = infinity;
  problem.floats[2 * problem.p.a.ld + 49] = -infinity;
  EXPECT_EQ(FirstDifference(problem, problem.Run(kernel()), Reference(problem)), -1);
}

TEST_P(Int8ProductTest, BytesOfNaNAndInfinity) {
  Problem problem({20, 35, 50}, {kByte, kByte, kFloat, true, "relu"});
  problem.residual_floats[0] = std::nanf("");
  problem.residual_floats[1] = std::numeric_limits<float>::infinity();
  problem.residual_floats[2] = -std::numeric_limits<float>::infinity();
  for (const QuantizationGrid& grid : {QuantizationGrid{0.1F, 20, 20, 240}, QuantizationGrid{0.1F, 50, 10, 255}}) {
    problem.p.c.grid = grid;
    const std::vector<uint8_t> c = problem.Run(kernel());
    EXPECT_EQ(c[0], grid.least);
    EXPECT_EQ(c[1], grid.most);
    EXPECT_EQ(c[2], grid.zero_point);
    EXPECT_EQ(FirstDifference(problem, c, Reference(problem)), -1);
  }
}

/// Panels are partial and whole. Bytes of whole panels are written from registers if the grid's bounds imply the
/// activation.
TEST_P(Int8ProductTest, BytesOfBiasesThatAreNoNumbers) {
  const float infinity = std::numeric_limits<float>::infinity();
  for (const int64_t columns : {35, 64, 130}) {
    for (const RuntimeDataType residual : {RuntimeDataType::kTypeUnknown, kByte}) {
      Problem problem({20, columns, 50}, {kByte, kByte, residual, true, "relu"});
      problem.bias[0] = std::nanf("");
      problem.bias[1] = infinity;
      problem.bias[2] = -infinity;
      for (const QuantizationGrid& grid : {QuantizationGrid{0.1F, 20, 20, 240}, QuantizationGrid{0.1F, 50, 10, 255}}) {
        problem.p.c.grid = grid;
        const std::vector<uint8_t> c = problem.Run(kernel());
        EXPECT_EQ(c[0], grid.least) << columns;
        EXPECT_EQ(c[1], grid.most) << columns;
        EXPECT_EQ(c[2], grid.zero_point) << columns;
        EXPECT_EQ(FirstDifference(problem, c, Reference(problem)), -1) << columns;
      }
    }
  }
}

/// Before they are limited, steps of a fine grid exceed 32 bits, and steps of a coarser one 16 bits.
TEST_P(Int8ProductTest, BytesOfFineGridsAreLimited) {
  for (const int64_t columns : {35, 64, 130}) {
    for (const RuntimeDataType residual : {RuntimeDataType::kTypeUnknown, kByte}) {
      Problem problem({20, columns, 50}, {kByte, kByte, residual, true, ""});
      for (float scale = 1e-30F; scale < 1e6F; scale *= 3) {
        for (const auto& [zero_point, least, most] : {std::array{0, 0, 255}, std::array{100, 3, 200}}) {
          problem.p.c.grid = {scale, zero_point, least, most};
          ASSERT_EQ(FirstDifference(problem, problem.Run(kernel()), Reference(problem)), -1)
              << columns << " columns, scale " << scale << ", " << problem.seed;
        }
      }
    }
  }
}

/// The largest possible sums of either sign.
TEST_P(Int8ProductTest, LargestSumsAreExact) {
  EXPECT_TRUE(SuitsInt8(kMostInt8Depth));
  EXPECT_TRUE(SuitsInt8(kMostInt8Depth - 3));
  EXPECT_FALSE(SuitsInt8(kMostInt8Depth + 1));
  EXPECT_FALSE(SuitsInt8(kMostInt8Depth / 4 - 1, 5));
  for (const int32_t zero_point : {0, 255}) {
    for (const RuntimeDataType type : {kByte, kFloat}) {
      Problem problem({2, 3, kMostInt8Depth}, {type, kFloat, RuntimeDataType::kTypeUnknown});
      std::fill(problem.weight.begin(), problem.weight.end(), -128.0F);
      problem.Pack();
      std::fill(problem.bytes.begin(), problem.bytes.end(), static_cast<uint8_t>(255 - zero_point));
      std::fill(problem.floats.begin(), problem.floats.end(), zero_point == 0 ? 1e9F : -1e9F);
      problem.p.a.grid = {0.01F, zero_point, 0, 255};
      EXPECT_EQ(FirstDifference(problem, problem.Run(kernel()), Reference(problem)), -1);
    }
  }
}

/// Pairs of products that just fit 16 bits, and pairs that are one step larger, in all panels and in the last one
/// alone.
TEST_P(Int8ProductTest, NarrowPanelsAreExact) {
  for (const Sizes& sizes : kSizes) {
    for (const int most : {kMostNarrowPair, kMostNarrowPair + 1}) {
      for (const bool all : {true, false}) {
        const Options options{kByte, kFloat, RuntimeDataType::kTypeUnknown};
        Problem problem(sizes, options);
        problem.NarrowPairs(all ? 0 : sizes.columns / kInt8Columns * kInt8Columns, most);
        for (std::size_t i = 0; i < problem.bytes.size(); i += 3) problem.bytes[i] = problem.bytes[i / 2] = 255;
        ASSERT_EQ(FirstDifference(problem, problem.Run(kernel()), Reference(problem)), -1)
            << problem.Name(options) << " pairs of " << most;
      }
    }
  }
}

bool Int8PanelIsNarrow(const Product& product, int64_t panel) {
  return Int8PairsAreNarrow(Int8PanelEnd(product, panel), Int8PanelVectors(product.columns, panel) * kInt8Lanes);
}

TEST(Int8PackingTest, FindsNarrowPanels) {
  for (const Sizes& sizes : {Sizes{1, 100, 10}, Sizes{1, 100, 7}, Sizes{1, 70, 9, 3}, Sizes{1, 80, 18, 3}}) {
    Problem problem(sizes, {kByte, kFloat, RuntimeDataType::kTypeUnknown});
    problem.NarrowPairs(0, kMostNarrowPair);
    EXPECT_TRUE(Int8PanelIsNarrow(problem.p, 0));
    EXPECT_TRUE(Int8PanelIsNarrow(problem.p, 1));
    const int64_t pair = (sizes.segments - 1) * sizes.depth + 2;  // within the last segment
    for (const float sign : {-1.0F, 1.0F}) {
      problem.weight[problem.PlaceOf(66, pair)] = 64 * sign;
      problem.weight[problem.PlaceOf(66, pair + 1)] = 65 * sign;
      problem.Pack();
      EXPECT_TRUE(Int8PanelIsNarrow(problem.p, 0));
      EXPECT_FALSE(Int8PanelIsNarrow(problem.p, 1));
      problem.weight[problem.PlaceOf(66, pair + 1)] = -127 * sign;
      problem.Pack();
      EXPECT_TRUE(Int8PanelIsNarrow(problem.p, 1));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Units, Int8ProductTest, testing::ValuesIn(kKernels),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace kuiper_infer::kernel
