// SPDX-License-Identifier: MIT
#include "kernel/product/matmul.hpp"

#include <array>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "kernel/random_data.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

/// Returns a view's element offset at the row-major index `index` of `shape`, the extents of its leading axes.
int64_t LeadingOffset(const TensorSpec& spec, const Shape& shape, int64_t index) {
  int64_t offset = 0;
  for (std::size_t axis = spec.shape.size() - 2; axis-- > 0;) {
    offset += index % shape[axis] * spec.strides[axis];
    index /= shape[axis];
  }
  return offset;
}

/// The layouts of a case's operands.
struct Lie {
  const char* name;
  bool transposed_a, transposed_b;
  bool shared_a, shared_b;
  int64_t gap;
};

template <class T>
void CheckMatmul(RuntimeDataType type, const Shape& leading, int64_t m, int64_t n, int64_t k, const Lie& lie,
                 double alpha, double beta) {
  SCOPED_TRACE(std::string(lie.name) + " " + ShapeString(leading) + " m " + std::to_string(m) + " n " +
               std::to_string(n) + " k " + std::to_string(k));
  const int64_t count = ElementCount(leading);
  const auto spec = [&](int64_t rows, int64_t columns, bool transposed, bool shared) {
    const int64_t pitch = (transposed ? rows : columns) + lie.gap;
    const int64_t plane = pitch * (transposed ? columns : rows);
    Shape shape = leading;
    Strides strides = RowMajorStrides(leading);
    for (int64_t& stride : strides) stride = shared ? 0 : stride * plane;
    shape.insert(shape.end(), {rows, columns});
    strides.insert(strides.end(), {transposed ? 1 : pitch, transposed ? pitch : 1});
    return TensorSpec(type, shape, strides);
  };
  const TensorSpec a = spec(m, k, lie.transposed_a, lie.shared_a);
  const TensorSpec b = spec(k, n, lie.transposed_b, lie.shared_b);
  EXPECT_TRUE(IsGemmReady(a));
  EXPECT_TRUE(IsGemmReady(b));
  const auto data_a = RandomVector<T>((count + 1) * (m + lie.gap) * (k + lie.gap), 1);
  const auto data_b = RandomVector<T>((count + 1) * (k + lie.gap) * (n + lie.gap), 2);
  const auto before = RandomVector<T>(count * m * n, 3);
  auto out = before;
  Shape shape = leading;
  shape.insert(shape.end(), {m, n});
  BatchedMatmul(alpha, {data_a.data(), a}, {data_b.data(), b}, beta, {out.data(), TensorSpec(type, shape)});
  for (int64_t index = 0; index < count; ++index) {
    const T* left = data_a.data() + LeadingOffset(a, leading, index);
    const T* right = data_b.data() + LeadingOffset(b, leading, index);
    for (int64_t i = 0; i < m; ++i) {
      for (int64_t j = 0; j < n; ++j) {
        const int64_t at = (index * m + i) * n + j;
        double expected = beta * static_cast<double>(before[at]);
        for (int64_t p = 0; p < k; ++p) {
          expected += alpha *
                      static_cast<double>(left[i * a.strides[leading.size()] + p * a.strides[leading.size() + 1]]) *
                      static_cast<double>(right[p * b.strides[leading.size()] + j * b.strides[leading.size() + 1]]);
        }
        ASSERT_NEAR(static_cast<double>(out[at]), expected, 2 * SumTolerance<T>(k)) << "element " << at;
      }
    }
  }
}

TEST(BatchedMatmul, EqualsTripleLoop) {
  const Lie lies[] = {{"plain", false, false, false, false, 0},
                      {"transposed right", false, true, false, false, 0},
                      {"transposed left", true, false, false, false, 0},
                      {"both transposed", true, true, false, false, 2},
                      {"shared right", false, false, false, true, 0},
                      {"shared left", false, true, true, false, 0},
                      {"gaps", false, false, false, true, 3}};
  for (const Lie& lie : lies) {
    for (const Shape& leading : {Shape{}, Shape{1}, Shape{3}, Shape{2, 3}, Shape{5, 1, 2}}) {
      for (const auto& [m, n, k] : {std::array<int64_t, 3>{1, 1, 1}, {1, 9, 17}, {7, 1, 8}, {8, 15, 16}, {17, 33, 3}}) {
        CheckMatmul<float>(RuntimeDataType::kTypeFloat32, leading, m, n, k, lie, 1, 0);
        CheckMatmul<double>(RuntimeDataType::kTypeFloat64, leading, m, n, k, lie, 0.5, 2);
        CheckMatmul<int64_t>(RuntimeDataType::kTypeInt64, leading, m, n, k, lie, 1, 1);
      }
    }
  }
}

TEST(BatchedMatmul, LargeProductsUseThreadsInside) {
  const ThreadScope scope(2);
  CheckMatmul<float>(RuntimeDataType::kTypeFloat32, {2}, 192, 190, 130, {"large", false, false, false, false, 0}, 1, 0);
}

TEST(BatchedMatmul, BetaZeroIgnoresNaN) {
  const TensorSpec spec(RuntimeDataType::kTypeFloat32, {1, 1, 1});
  const float a = 2;
  const float b = 3;
  float out = NAN;
  BatchedMatmul(1, {&a, spec}, {&b, spec}, 0, {&out, spec});
  EXPECT_EQ(out, 6);
}

TEST(BatchedMatmul, EmptySumsAreZero) {
  const RuntimeDataType type = RuntimeDataType::kTypeFloat32;
  std::vector<float> out(8, 5);
  BatchedMatmul(1, {nullptr, TensorSpec(type, {2, 2, 0})}, {nullptr, TensorSpec(type, {2, 0, 2})}, 0,
                {out.data(), TensorSpec(type, {2, 2, 2})});
  EXPECT_EQ(out, std::vector<float>(8, 0));
}

TEST(BatchedMatmul, RefusesBool) {
  const TensorSpec spec(RuntimeDataType::kTypeBool, {1, 1});
  bool value = true;
  EXPECT_THROW(BatchedMatmul(1, {&value, spec}, {&value, spec}, 0, {&value, spec}), Error);
}

TEST(IsGemmReady, KnowsWhichStridesFit) {
  const RuntimeDataType type = RuntimeDataType::kTypeFloat32;
  EXPECT_TRUE(IsGemmReady({type, {3, 4}, {4, 1}}));
  EXPECT_TRUE(IsGemmReady({type, {3, 4}, {1, 3}}));
  EXPECT_TRUE(IsGemmReady({type, {2, 3, 4}, {0, 9, 1}}));
  EXPECT_TRUE(IsGemmReady({type, {1, 4}, {77, 5}}));
  EXPECT_TRUE(IsGemmReady({type, {4, 1}, {5, 77}}));
  EXPECT_FALSE(IsGemmReady({type, {3, 4}, {8, 2}}));
  EXPECT_FALSE(IsGemmReady({type, {3, 4}, {0, 1}}));
  EXPECT_FALSE(IsGemmReady({type, {3, 4}, {-4, 1}}));
  EXPECT_FALSE(IsGemmReady({type, {3, 4}, {3, 1}}));
  EXPECT_FALSE(IsGemmReady({type, {1, 4}, {4, -1}}));
}

}  // namespace
}  // namespace kuiper_infer::kernel
