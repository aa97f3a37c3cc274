// SPDX-License-Identifier: MIT
#include "kernel/attention/attention.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/product/float32/kernel.hpp"
#include "kernel/product/int8/kernel.hpp"
#include "kernel/random_data.hpp"

namespace kuiper_infer::kernel {
namespace {

enum class Mask { kNone, kBool, kFloat };

struct Problem {
  int64_t batch;
  int64_t length;
  int64_t columns;
  int64_t size;
  int64_t value_size;
  Mask mask = Mask::kNone;
  bool causal = false;
};

void PrintTo(const Problem& p, std::ostream* stream) {
  *stream << p.batch << "x" << p.length << "x" << p.columns << "x" << p.size << "x" << p.value_size << " mask "
          << static_cast<int>(p.mask) << " causal " << p.causal;
}

/// Computes attention by its definition, in double.
template <class T>
struct Twin {
  std::vector<double> output;
  std::vector<double> weights;

  Twin(const Problem& p, const AttentionOptions& options, const std::vector<T>& q, const std::vector<T>& k,
       const std::vector<T>& v, const std::vector<T>& added, const std::vector<uint8_t>& marks) {
    for (int64_t b = 0; b < p.batch; ++b) {
      for (int64_t i = 0; i < p.length; ++i) {
        std::vector<double> row(p.columns);
        double sum = 0;
        for (int64_t j = 0; j < p.columns; ++j) {
          double score = 0;
          for (int64_t e = 0; e < p.size; ++e) {
            score += static_cast<double>(q[(b * p.length + i) * p.size + e]) * k[(b * p.columns + j) * p.size + e];
          }
          score *= options.scale;
          if (p.mask == Mask::kFloat) score += added[i * p.columns + j];
          const bool dropped = p.mask == Mask::kBool && (marks[i * p.columns + j] != 0) == options.mask_drops;
          row[j] = dropped || (p.causal && j > i) ? 0 : std::exp(score);
          sum += row[j];
        }
        for (double& weight : row) weight = sum == 0 && options.zero_masked ? 0 : weight / sum;
        weights.insert(weights.end(), row.begin(), row.end());
        for (int64_t d = 0; d < p.value_size; ++d) {
          double total = 0;
          for (int64_t j = 0; j < p.columns; ++j) total += row[j] * v[(b * p.columns + j) * p.value_size + d];
          output.push_back(total);
        }
      }
    }
  }
};

template <class T>
void ExpectNear(const std::vector<T>& got, const std::vector<double>& want,
                double allowed = sizeof(T) == 4 ? 3e-6 : 1e-13) {
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (std::isnan(want[i]) && std::isnan(got[i])) continue;
    ASSERT_NEAR(got[i], want[i], allowed) << "element " << i;
  }
}

/// Returns the matrix in column-major order.
template <class T>
std::vector<T> Transposed(const std::vector<T>& matrix, int64_t rows, int64_t columns) {
  std::vector<T> turned(matrix.size());
  for (int64_t i = 0; i < rows * columns; ++i) turned[i % columns * rows + i / columns] = matrix[i];
  return turned;
}

template <class T>
void Check(const Problem& p, RuntimeDataType type, bool drops, bool zero_masked, const ProductKernel* product) {
  const auto q = RandomVector<T>(p.batch * p.length * p.size, 1);
  const auto k = RandomVector<T>(p.batch * p.columns * p.size, 2);
  const auto v = RandomVector<T>(p.batch * p.columns * p.value_size, 3);
  const auto added = RandomVector<T>(p.length * p.columns, 4);
  std::vector<uint8_t> marks(added.size());
  for (std::size_t i = 0; i < marks.size(); ++i) marks[i] = added[i] > 0 ? 1 : 0;
  // The last row attends to nothing.
  for (int64_t j = 0; j < p.columns && p.length > 1; ++j) marks[(p.length - 1) * p.columns + j] = drops ? 1 : 0;

  AttentionOptions options;
  options.scale = 0.7;
  options.causal = p.causal;
  options.mask_drops = drops;
  options.zero_masked = zero_masked;
  options.threads = 3;
  options.product = product;
  std::vector<T> output(p.batch * p.length * p.value_size, T(99));
  std::vector<T> weights(p.batch * p.length * p.columns, T(99));
  AttentionArrays arrays;
  arrays.query = {q.data(), TensorSpec(type, {p.batch, p.length, p.size})};
  arrays.key = {k.data(), TensorSpec(type, {p.batch, p.columns, p.size})};
  arrays.value = {v.data(), TensorSpec(type, {p.batch, p.columns, p.value_size})};
  arrays.output = {output.data(), TensorSpec(type, {p.batch, p.length, p.value_size})};
  const Shape mask_shape = {p.batch, p.length, p.columns};
  // One mask for all heads, row-major or column-major.
  const Strides mask_strides = zero_masked ? Strides{0, 1, p.length} : Strides{0, p.columns, 1};
  const auto given_added = zero_masked ? Transposed(added, p.length, p.columns) : added;
  const auto given_marks = zero_masked ? Transposed(marks, p.length, p.columns) : marks;
  if (p.mask == Mask::kFloat) arrays.mask = {given_added.data(), TensorSpec(type, mask_shape, mask_strides)};
  if (p.mask == Mask::kBool) {
    arrays.mask = {given_marks.data(), TensorSpec(RuntimeDataType::kTypeBool, mask_shape, mask_strides)};
  }
  std::vector<std::byte> workspace(AttentionWorkspace(options, arrays.query.spec, arrays.key.spec, arrays.value.spec));
  const Twin<T> twin(p, options, q, k, v, added, marks);
  Attention(options, arrays, workspace.data());
  ExpectNear(output, twin.output);
  std::fill(output.begin(), output.end(), T(99));
  arrays.weights = {weights.data(), TensorSpec(type, mask_shape)};
  Attention(options, arrays, workspace.data());
  ExpectNear(output, twin.output);
  ExpectNear(weights, twin.weights);
  if (type != RuntimeDataType::kTypeFloat32 || p.columns == 0 || p.size == 0) return;
  options.product = &Int8KernelOf(UsedInt8Unit());
  std::fill(output.begin(), output.end(), T(99));
  arrays.weights = {};
  workspace.resize(AttentionWorkspace(options, arrays.query.spec, arrays.key.spec, arrays.value.spec));
  Attention(options, arrays, workspace.data());
  ExpectNear(output, twin.output, 0.03);
}

class AttentionTest : public testing::TestWithParam<Problem> {};

TEST_P(AttentionTest, EqualsTheDefinition) {
  for (const bool drops : {false, true}) {
    for (const bool zero_masked : {false, true}) {
      for (const ProductKernel* product : {&Float32Kernel(UsedIsa()), static_cast<const ProductKernel*>(nullptr)}) {
        Check<float>(GetParam(), RuntimeDataType::kTypeFloat32, drops, zero_masked, product);
      }
      Check<double>(GetParam(), RuntimeDataType::kTypeFloat64, drops, zero_masked, nullptr);
    }
  }
}

std::vector<Problem> Problems() {
  std::vector<Problem> problems;
  for (const int64_t length : {1, 2, 7, 16, 33, 130}) {
    for (const int64_t columns : {1, 5, 16, 129}) {
      for (const Mask mask : {Mask::kNone, Mask::kBool, Mask::kFloat})
        problems.push_back({3, length, columns, 9, 17, mask});
      problems.push_back({2, length, columns, 16, 8, Mask::kNone, true});
    }
  }
  problems.push_back({1, 300, 1500, 8, 4});
  problems.push_back({0, 3, 4, 5, 6});
  problems.push_back({2, 0, 4, 5, 6});
  problems.push_back({2, 3, 4, 5, 0});
  problems.push_back({2, 3, 4, 0, 6});
  return problems;
}

INSTANTIATE_TEST_SUITE_P(Geometries, AttentionTest, testing::ValuesIn(Problems()));

TEST(AttentionViewTest, SharedKeysAndGapsBetweenRows) {
  // Two query heads read one key head (stride 0). The query's rows are parts of wider rows.
  const auto wide = RandomVector<float>(2 * 4 * 10, 5);
  const auto k = RandomVector<float>(5 * 3, 6);
  const auto v = RandomVector<float>(5 * 2, 7);
  std::vector<float> narrow;
  for (int64_t row = 0; row < 8; ++row)
    narrow.insert(narrow.end(), wide.begin() + row * 10, wide.begin() + row * 10 + 3);
  const auto type = RuntimeDataType::kTypeFloat32;
  const auto run = [&](const ConstArrayView& query) {
    std::vector<float> output(2 * 4 * 2);
    AttentionArrays arrays;
    arrays.query = query;
    arrays.key = {k.data(), TensorSpec(type, {2, 5, 3}, {0, 3, 1})};
    arrays.value = {v.data(), TensorSpec(type, {2, 5, 2}, {0, 2, 1})};
    arrays.output = {output.data(), TensorSpec(type, {2, 4, 2})};
    std::vector<std::byte> workspace(AttentionWorkspace({}, query.spec, arrays.key.spec, arrays.value.spec));
    Attention({}, arrays, workspace.data());
    return output;
  };
  EXPECT_EQ(run({wide.data(), TensorSpec(type, {2, 4, 3}, {40, 10, 1})}),
            run({narrow.data(), TensorSpec(type, {2, 4, 3})}));
}

}  // namespace
}  // namespace kuiper_infer::kernel
