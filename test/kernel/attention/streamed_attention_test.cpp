// SPDX-License-Identifier: MIT
#include "kernel/attention/streamed_attention.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <ostream>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/attention/int8_rows.hpp"
#include "kernel/attention/streamed_division.hpp"
#include "kernel/attention/streamed_tile.hpp"
#include "kernel/product/bfloat16/kernel.hpp"
#include "kernel/product/bfloat16/tile_amx.hpp"
#include "kernel/product/emulated_amx.hpp"
#include "kernel/random_data.hpp"
#include "utils/half.hpp"
#include "utils/rounding.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

enum class Mask { kNone, kBool, kFloat };
enum class Elements { kFloat, kBFloat16, kInt8 };

struct Problem {
  int64_t batch = 1;
  int64_t heads = 1;  ///< of keys and values
  int64_t group = 1;
  int64_t rows = 1;
  int64_t length = 1;
  int64_t width = 64;
  int64_t value_width = 64;
  CausalRule causal = CausalRule::kNone;
  Mask mask = Mask::kNone;
  Elements elements = Elements::kFloat;
  int threads = 1;
  const BFloat16Tiles* rounding = nullptr;
};

void PrintTo(const Problem& p, std::ostream* stream) {
  *stream << "batch " << p.batch << " heads " << p.heads << "x" << p.group << " rows " << p.rows << " length "
          << p.length << " widths " << p.width << " " << p.value_width << " causal " << static_cast<int>(p.causal)
          << " mask " << static_cast<int>(p.mask) << " elements " << static_cast<int>(p.elements) << " threads "
          << p.threads << (p.rounding != nullptr ? " rounded" : "");
}

/// Keys or values (batch, heads, length, width) in a buffer for more tokens, whose other elements are NaN or, in 8
/// bits, have a scale of NaN.
struct Cache {
  Cache(const Problem& p, int64_t columns, std::mt19937& generator)
      : capacity(p.length + 5), width(columns), pitch(columns + 5), heads(p.heads), elements(p.elements) {
    const auto count = static_cast<std::size_t>(p.batch * heads * capacity * pitch);
    floats.assign(count, std::numeric_limits<float>::quiet_NaN());
    halves.assign(count, BFloat16(std::numeric_limits<float>::quiet_NaN()));
    bytes.assign(count, int8_t{-1});  // four of these are a NaN
    std::uniform_real_distribution<float> draw(-1, 1);
    for (int64_t m = 0; m < p.batch * heads; ++m) {
      for (int64_t j = 0; j < p.length; ++j) {
        const float scale = (1 + 0.5F * draw(generator)) / 127;
        std::memcpy(bytes.data() + (m * capacity + j) * pitch + width, &scale, sizeof(scale));
        for (int64_t k = 0; k < width; ++k) {
          const auto at = static_cast<std::size_t>((m * capacity + j) * pitch + k);
          halves[at] = BFloat16(floats[at] = draw(generator));
          bytes[at] = static_cast<int8_t>(std::lround(127 * floats[at]));
        }
      }
    }
    const auto type = elements == Elements::kFloat      ? RuntimeDataType::kTypeFloat32
                      : elements == Elements::kBFloat16 ? RuntimeDataType::kTypeBFloat16
                                                        : RuntimeDataType::kTypeInt8;
    spec = TensorSpec(type, {p.batch, heads, p.length, width}, {heads * capacity * pitch, capacity * pitch, pitch, 1});
  }

  SpecifiedArray array() const {
    const void* const data = elements == Elements::kFloat      ? static_cast<const void*>(floats.data())
                             : elements == Elements::kBFloat16 ? static_cast<const void*>(halves.data())
                                                               : static_cast<const void*>(bytes.data());
    return {data, &spec};
  }
  double At(int64_t matrix, int64_t j, int64_t k) const {
    const auto at = static_cast<std::size_t>((matrix * capacity + j) * pitch + k);
    if (elements == Elements::kFloat) return floats[at];
    if (elements == Elements::kBFloat16) return static_cast<float>(halves[at]);
    const int8_t* const row = bytes.data() + (matrix * capacity + j) * pitch;
    return static_cast<double>(bytes[at]) * ScaleOfInt8Row(row, width);
  }

  double Rounded(int64_t matrix, int64_t j, int64_t k, bool rounds) const {
    const double number = At(matrix, j, k);  // of bfloat16 and int8, the integers, are exact
    return rounds && elements == Elements::kFloat ? static_cast<float>(BFloat16(static_cast<float>(number))) : number;
  }

  int64_t capacity, width, pitch, heads;
  Elements elements;
  std::vector<float> floats;
  std::vector<BFloat16> halves;
  std::vector<int8_t> bytes;
  TensorSpec spec;
};

/// The arrays of a problem: queries stored as (batch, rows, heads, width) with gaps, a mask for all heads of a batch.
struct Arrays {
  explicit Arrays(const Problem& problem, uint32_t seed = 7)
      : p(problem), generator(seed), key(p, p.width, generator), value(p, p.value_width, generator) {
    const int64_t all = p.heads * p.group;
    const int64_t pitch = p.width + 2;
    query.resize(static_cast<std::size_t>(p.batch * p.rows * all * pitch));
    std::uniform_real_distribution<float> draw(-1, 1);
    for (float& x : query) x = draw(generator);
    query_spec = TensorSpec(RuntimeDataType::kTypeFloat32, {p.batch, all, p.rows, p.width},
                            {p.rows * all * pitch, pitch, all * pitch, 1});
    columns = p.length > 9 ? p.length - 3 : p.length;  // the last ones are not masked
    const auto count = static_cast<std::size_t>(p.batch * p.rows * columns);
    added.resize(count);
    marks.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      marks[i] = generator() % 3 != 0 ? 1 : 0;
      added[i] = marks[i] != 0 ? draw(generator) : -std::numeric_limits<float>::infinity();
    }
    mask_spec = TensorSpec(p.mask == Mask::kBool ? RuntimeDataType::kTypeBool : RuntimeDataType::kTypeFloat32,
                           {p.batch, 1, p.rows, columns}, {p.rows * columns, 77, columns, 1});
    output_spec = TensorSpec(RuntimeDataType::kTypeFloat32, {p.batch, all, p.rows, p.value_width});
  }

  StreamedAttentionOptions Options() const {
    StreamedAttentionOptions options;
    options.scale = 0.7;
    options.causal = p.causal;
    options.threads = p.threads;
    options.rounding = p.rounding;
    return options;
  }

  std::vector<float> Run() const { return Run(p.threads); }

  /// `threads` are those that the run gets; the division of the work is for those of the problem.
  std::vector<float> Run(int threads) const {
    const StreamedAttentionOptions options = Options();
    std::vector<float> output(static_cast<std::size_t>(output_spec.size()), 99.0F);
    StreamedAttentionArrays arrays;
    arrays.query = {query.data(), &query_spec};
    arrays.key = key.array();
    arrays.value = value.array();
    if (p.mask != Mask::kNone) {
      arrays.mask = {p.mask == Mask::kBool ? static_cast<const void*>(marks.data()) : added.data(), &mask_spec};
    }
    arrays.output = output.data();
    arrays.output_spec = &output_spec;
    const int64_t bytes = StreamedAttentionWorkspace(options, query_spec, key.spec, value.spec, output_spec);
    std::vector<std::byte> workspace(static_cast<std::size_t>(bytes) + 128, std::byte{0xFF});  // NaN
    auto* const aligned = reinterpret_cast<std::byte*>(RoundUp(reinterpret_cast<intptr_t>(workspace.data()), 64));
    const ThreadScope scope(threads);
    StreamedAttention(options, arrays, aligned);
    for (std::byte* end = aligned + bytes; end < workspace.data() + workspace.size(); ++end) {
      EXPECT_EQ(*end, std::byte{0xFF}) << "behind the workspace";
    }
    return output;
  }

  bool Sees(int64_t batch, int64_t row, int64_t column) const {
    if (p.causal == CausalRule::kFromStart && column > row) return false;
    if (p.causal == CausalRule::kFromEnd && column > p.length - p.rows + row) return false;
    return p.mask != Mask::kBool || column >= columns || marks[(batch * p.rows + row) * columns + column] != 0;
  }

  /// Whether a row of queries belongs to a tile of many rows, whose factors are rounded.
  bool Rounds(int64_t head, int64_t row) const {
    if (p.rounding == nullptr) return false;
    const StreamedDivision division(p.threads, query_spec, key.spec, value.spec, output_spec);
    const int64_t first = RoundDown(row * p.group + head % p.group, division.tile_rows);
    return !ReadsInPlace(std::min(division.tile_rows, p.group * p.rows - first));
  }

  /// Attention by its definition. Where factors are rounded, the twin's weights are not.
  std::vector<double> Twin() const {
    std::vector<double> output;
    constexpr double kLog2E = 1.44269504;
    for (int64_t b = 0; b < p.batch; ++b) {
      for (int64_t h = 0; h < p.heads * p.group; ++h) {
        const int64_t matrix = b * p.heads + h / p.group;
        for (int64_t i = 0; i < p.rows; ++i) {
          const float* const q =
              query.data() + b * query_spec.strides[0] + h * query_spec.strides[1] + i * query_spec.strides[2];
          const bool rounds = Rounds(h, i);
          const auto scaled = [&](float x) {
            return rounds ? static_cast<float>(BFloat16(x * (0.7F * static_cast<float>(kLog2E)))) / kLog2E : x * 0.7;
          };
          std::vector<double> row(static_cast<std::size_t>(p.length));
          double sum = 0;
          for (int64_t j = 0; j < p.length; ++j) {
            if (!Sees(b, i, j)) continue;
            double score = 0;
            for (int64_t k = 0; k < p.width; ++k) score += scaled(q[k]) * key.Rounded(matrix, j, k, rounds);
            if (p.mask == Mask::kFloat && j < columns) score += added[(b * p.rows + i) * columns + j];
            sum += row[j] = std::exp(score);
          }
          for (int64_t k = 0; k < p.value_width; ++k) {
            double total = 0;
            for (int64_t j = 0; j < p.length; ++j) total += row[j] * value.Rounded(matrix, j, k, rounds);
            output.push_back(sum == 0 ? 0 : total / sum);
          }
        }
      }
    }
    return output;
  }

  Problem p;
  std::mt19937 generator;
  Cache key, value;
  int64_t columns = 0;
  std::vector<float> query, added;
  std::vector<uint8_t> marks;
  TensorSpec query_spec, mask_spec, output_spec;
};

void ExpectTwin(const Problem& p) {
  const Arrays arrays(p);
  const std::vector<float> found = arrays.Run();
  const std::vector<double> expected = arrays.Twin();
  ASSERT_EQ(found.size(), expected.size());
  // A rounded weight differs by 2^-8 of itself at most, and values are not above 1.5.
  const double tolerance = p.rounding != nullptr ? 1.5 / 256 : 4e-6;
  for (std::size_t i = 0; i < found.size(); ++i) ASSERT_NEAR(found[i], expected[i], tolerance) << "element " << i;
}

class StreamedAttentionTest : public testing::TestWithParam<Problem> {};

TEST_P(StreamedAttentionTest, EqualsTheDefinition) { ExpectTwin(GetParam()); }

const BFloat16Tiles& EmulatedAmxTiles() {
  static const BFloat16Tiles kTiles = AmxBFloat16<EmulatedAmx>::Kernel(PortableBFloat16Tiles());
  return kTiles;
}

/// Problems whose other sizes change from one to the next, so that all meet.
std::vector<Problem> Problems() {
  constexpr int64_t kGroups[] = {1, 2, 3, 4, 9};
  constexpr int64_t kWidths[] = {8, 64, 80, 96, 128, 5};
  constexpr CausalRule kRules[] = {CausalRule::kNone, CausalRule::kFromStart, CausalRule::kFromEnd};
  constexpr Mask kMasks[] = {Mask::kNone, Mask::kBool, Mask::kFloat};
  constexpr Elements kElements[] = {Elements::kFloat, Elements::kBFloat16, Elements::kInt8};
  std::vector<Problem> problems;
  std::mt19937 generator(3);
  const auto draw = [&](const auto& choices) { return choices[generator() % std::size(choices)]; };
  for (const int64_t length : {0, 1, 2, 3, 4, 7, 8, 23, 31, 32, 33, 64, 65, 129, 512}) {
    for (const int64_t rows : {0, 1, 2, 3, 4, 7, 8, 23, 31, 32, 33, 70}) {
      for (int i = 0; i < 4; ++i) {
        Problem p;
        p.batch = 1 + static_cast<int64_t>(generator() % 2);
        p.heads = 1 + static_cast<int64_t>(generator() % 3);
        p.group = draw(kGroups);
        p.rows = rows;
        p.length = length;
        p.width = draw(kWidths);
        p.value_width = i == 0 ? draw(kWidths) : p.width;
        p.causal = draw(kRules);
        p.mask = draw(kMasks);
        p.elements = draw(kElements);
        p.threads = 1 + i % 3;
        problems.push_back(p);
        p.rounding = i % 2 == 0 ? &PortableBFloat16Tiles() : &EmulatedAmxTiles();
        problems.push_back(p);
      }
    }
  }
  return problems;
}

INSTANTIATE_TEST_SUITE_P(Geometries, StreamedAttentionTest, testing::ValuesIn(Problems()));

TEST(StreamedAttentionRoundingTest, UnitsGiveTheSameBits) {
  const BFloat16Tiles* const tiles = RoundingTiles(UsedMatrixUnit(), 1);
  if (UsedMatrixUnit() != MatrixUnit::kAvx512BFloat16) GTEST_SKIP() << "this CPU has no AVX512_BF16, or has AMX";
  for (Problem p : Problems()) {
    if (p.rounding != &PortableBFloat16Tiles()) continue;
    const std::vector<float> expected = Arrays(p).Run();
    p.rounding = tiles;
    ASSERT_EQ(Arrays(p).Run(), expected) << testing::PrintToString(p);
  }
}

TEST(StreamedAttentionRoundingTest, OnlyNumbersOfOnePieceAreRounded) {
  EXPECT_EQ(RoundingTiles(MatrixUnit::kNone, 1), nullptr);
  EXPECT_EQ(RoundingTiles(UsedMatrixUnit(), 0), nullptr);
  EXPECT_EQ(RoundingTiles(UsedMatrixUnit(), 2), nullptr);
}

TEST(StreamedAttentionLengthTest, SameBitsWhicheverThreadsCompute) {
  for (const int64_t rows : {1, 4, 40}) {
    Problem p;
    p.heads = 2;
    p.group = 3;
    p.rows = rows;
    p.length = 1500;
    p.causal = CausalRule::kFromEnd;
    p.threads = 3;
    ExpectTwin(p);
    const Arrays arrays(p);
    const std::vector<float> expected = arrays.Run();
    for (int i = 0; i < 5; ++i) EXPECT_EQ(arrays.Run(1 + i % 3), expected);
  }
}

TEST(StreamedAttentionLengthTest, WorkspaceIsThatOfEveryLength) {
  Problem p;
  p.heads = 2;
  p.group = 4;
  p.rows = 5;
  p.threads = 4;
  const auto bytes = [&](int64_t length) {
    p.length = length;
    const Arrays arrays(p);
    return StreamedAttentionWorkspace(arrays.Options(), arrays.query_spec, arrays.key.spec, arrays.value.spec,
                                      arrays.output_spec);
  };
  for (const int64_t length : {1, 300, 3000}) EXPECT_EQ(bytes(length), bytes(0));
}

/// The value of one token among many is found again, wherever the token is.
TEST(StreamedAttentionLengthTest, RecallsEveryToken) {
  for (const Elements elements : {Elements::kFloat, Elements::kBFloat16, Elements::kInt8}) {
    for (const int64_t rows : {1, 12}) {
      Problem p;
      p.group = 2;
      p.rows = rows;
      p.length = 4096;
      p.elements = elements;
      p.threads = 2;
      Arrays arrays(p);
      for (int64_t token = 0; token < p.length; token += token % 64 == 62 ? 1 : 31) {
        // Queries are 300 times a token's key, whose product with itself is larger than with any other key.
        for (int64_t h = 0; h < p.group; ++h) {
          for (int64_t i = 0; i < rows; ++i) {
            float* const q = arrays.query.data() + h * arrays.query_spec.strides[1] + i * arrays.query_spec.strides[2];
            for (int64_t k = 0; k < p.width; ++k) q[k] = 300 * static_cast<float>(arrays.key.At(0, token, k));
          }
        }
        double own = 0;
        double other = 0;
        for (int64_t j = 0; j < p.length; ++j) {
          double score = 0;
          for (int64_t k = 0; k < p.width; ++k) score += arrays.key.At(0, token, k) * arrays.key.At(0, j, k);
          (j == token ? own : other) = j == token ? score : std::max(other, score);
        }
        if (own < other + 0.2) continue;  // 8 bits have scales, so that another key may be longer
        const std::vector<float> found = arrays.Run();
        for (std::size_t i = 0; i < found.size(); ++i) {
          ASSERT_NEAR(found[i], arrays.value.At(0, token, static_cast<int64_t>(i) % p.value_width), 1e-5)
              << "token " << token;
        }
      }
    }
  }
}

TEST(StreamedAttentionDataTest, NaNStaysInItsRow) {
  for (const int64_t rows : {3, 30}) {
    Problem p;
    p.rows = rows;
    p.length = 200;
    p.mask = Mask::kBool;
    Arrays arrays(p);
    arrays.query[arrays.query_spec.strides[2] + 5] = std::numeric_limits<float>::quiet_NaN();
    const std::vector<float> found = arrays.Run();
    for (std::size_t i = 0; i < found.size(); ++i) {
      ASSERT_EQ(std::isnan(found[i]), i / 64 == 1) << "element " << i;
    }
  }
}

TEST(StreamedAttentionDataTest, InfiniteScoreGivesNaN) {
  Problem p;
  p.length = 300;
  Arrays arrays(p);
  arrays.query[0] = std::numeric_limits<float>::infinity();
  for (const float x : arrays.Run()) EXPECT_TRUE(std::isnan(x));
}

/// Blocks of keys that the mask leaves out for all rows of a tile are passed over: at the beginning, in the middle, at
/// the end, and where only the first or the last row sees a key of the block.
TEST(StreamedAttentionDataTest, BlocksWithoutAKeyAreLeftOut) {
  for (const Mask mask : {Mask::kBool, Mask::kFloat}) {
    for (const int64_t rows : {1, 30}) {
      Problem p;
      p.rows = rows;
      p.length = 700;
      p.mask = mask;
      Arrays arrays(p);
      for (int64_t i = 0; i < p.batch * rows * arrays.columns; ++i) {
        const int64_t row = i / arrays.columns % rows;
        const int64_t column = i % arrays.columns;
        const bool seen =
            (column >= 130 && column < 250) || (column == 300 && row == 0) || (column == 500 && row == rows - 1);
        arrays.marks[static_cast<std::size_t>(i)] = seen ? 1 : 0;
        arrays.added[static_cast<std::size_t>(i)] = seen ? 0.5F : -std::numeric_limits<float>::infinity();
      }
      const std::vector<float> found = arrays.Run();
      const std::vector<double> expected = arrays.Twin();
      for (std::size_t i = 0; i < found.size(); ++i)
        ASSERT_NEAR(found[i], expected[i], 1e-4) << "rows " << rows << " element " << i;
    }
  }
}

TEST(StreamedAttentionDataTest, NoColumnGivesZeros) {
  for (const Mask mask : {Mask::kBool, Mask::kFloat}) {
    for (const int64_t rows : {2, 20}) {
      Problem p;
      p.rows = rows;
      p.length = 9;
      p.mask = mask;
      Arrays arrays(p);
      std::fill(arrays.marks.begin() + 9, arrays.marks.begin() + 18, uint8_t{0});
      std::fill(arrays.added.begin() + 9, arrays.added.begin() + 18, -std::numeric_limits<float>::infinity());
      const std::vector<float> found = arrays.Run();
      for (int64_t k = 0; k < 64; ++k) ASSERT_EQ(found[64 + k], 0);
    }
  }
}

/// Keys without heads and batches, values with one batch, and masks of rank 1 or with one column are repeated.
TEST(StreamedAttentionBroadcastTest, LeadingAxesAndMasks) {
  const auto type = RuntimeDataType::kTypeFloat32;
  const TensorSpec query(type, {2, 3, 4, 8});
  const TensorSpec key(type, {5, 8});
  const TensorSpec value(type, {1, 3, 5, 8});
  const auto run = [&](const TensorSpec& key_spec, const TensorSpec& value_spec, const TensorSpec& mask_spec) {
    const auto numbers = RandomVector<float>(query.size(), 3);
    const auto added = RandomVector<float>(5, 4);
    std::vector<float> output(static_cast<std::size_t>(query.size()));
    StreamedAttentionArrays arrays;
    arrays.query = {numbers.data(), &query};
    arrays.key = {numbers.data(), &key_spec};
    arrays.value = {numbers.data(), &value_spec};
    arrays.mask = {added.data(), &mask_spec};
    arrays.output = output.data();
    arrays.output_spec = &query;
    std::vector<std::byte> workspace(
        static_cast<std::size_t>(StreamedAttentionWorkspace({}, query, key_spec, value_spec, query)) + 64);
    StreamedAttention({}, arrays, reinterpret_cast<void*>(RoundUp(reinterpret_cast<intptr_t>(workspace.data()), 64)));
    return output;
  };
  const TensorSpec whole_key(type, {2, 3, 5, 8}, {0, 0, 8, 1});
  const TensorSpec whole_value(type, {2, 3, 5, 8}, {0, 40, 8, 1});
  EXPECT_EQ(run(key, value, TensorSpec(type, {5})),
            run(whole_key, whole_value, TensorSpec(type, {2, 3, 4, 5}, {0, 0, 0, 1})));
  EXPECT_EQ(run(key, value, TensorSpec(type, {4, 1})),
            run(whole_key, whole_value, TensorSpec(type, {2, 3, 4, 5}, {0, 0, 1, 0})));
}

}  // namespace
}  // namespace kuiper_infer::kernel
