// SPDX-License-Identifier: MIT
// Batches of matrices on several threads, and limits of their sizes.
#include <cstring>
#include <random>

#include <gtest/gtest.h>

#include "kuiper_infer/utils/error.hpp"
#include "operation/evaluate.hpp"
#include "operation/planning_context.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer {
namespace {

std::vector<Value> Compute(const std::string& type, const std::vector<Value>& inputs, int threads, int outputs) {
  OperatorCall call;
  call.name = "op";
  call.type = type;
  call.input_count = static_cast<int>(inputs.size());
  call.output_count = outputs;
  PlanningContext context = DefaultPlanningContext();
  context.threads = threads;
  const ThreadScope scope(threads);
  return Evaluate(call, inputs, context);
}

/// Symmetric, positive-definite matrices.
NdArray Matrices(int64_t count, int64_t n) {
  std::mt19937 random(3);
  std::uniform_real_distribution<float> uniform(-1, 1);
  const NdArray array(RuntimeDataType::kTypeFloat32, {count, n, n});
  float* data = array.data<float>();
  for (int64_t matrix = 0; matrix < count; ++matrix, data += n * n) {
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t j = 0; j <= i; ++j) data[i * n + j] = data[j * n + i] = uniform(random);
      data[i * n + i] = static_cast<float>(2 * n);
    }
  }
  return array;
}

struct BatchCase {
  std::string type;
  int arguments;
  int outputs;
};

class MatrixBatchTest : public testing::TestWithParam<BatchCase> {};

TEST_P(MatrixBatchTest, GivesTheSameBitsOnAnyNumberOfThreads) {
  const NdArray matrices = Matrices(67, 24);
  const std::vector<Value> inputs(static_cast<std::size_t>(GetParam().arguments), Value(matrices));
  const std::vector<Value> one = Compute(GetParam().type, inputs, 1, GetParam().outputs);
  const std::vector<Value> four = Compute(GetParam().type, inputs, 4, GetParam().outputs);
  ASSERT_EQ(one.size(), static_cast<std::size_t>(GetParam().outputs));
  for (std::size_t i = 0; i < one.size(); ++i) {
    const NdArray a = one[i].Get<NdArray>();
    const NdArray b = four[i].Get<NdArray>();
    ASSERT_EQ(SpecString(a.spec()), SpecString(b.spec()));
    const auto bytes = static_cast<std::size_t>(ByteCount(a.type(), a.shape()));
    EXPECT_EQ(std::memcmp(a.raw(), b.raw(), bytes), 0) << "output " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Operations, MatrixBatchTest,
                         testing::Values(BatchCase{"torch.linalg.cholesky", 1, 1},
                                         BatchCase{"torch.linalg.lu_factor", 1, 2},
                                         BatchCase{"torch.linalg.slogdet", 1, 2}, BatchCase{"torch.linalg.qr", 1, 2},
                                         BatchCase{"torch.linalg.svd", 1, 3}, BatchCase{"torch.linalg.eigh", 1, 2},
                                         BatchCase{"torch.linalg.eig", 1, 2}, BatchCase{"torch.linalg.lstsq", 2, 4},
                                         BatchCase{"torch.linalg.matrix_exp", 1, 1}),
                         [](const auto& info) { return info.param.type.substr(info.param.type.rfind('.') + 1); });

TEST(MatrixBatch, ErrorsNameTheFirstMatrixOnAnyNumberOfThreads) {
  const NdArray matrices = Matrices(67, 24);
  for (const int64_t bad : {40, 41, 66}) matrices.data<float>()[bad * 24 * 24] = -1;
  for (const int threads : {1, 4}) {
    try {
      Compute("torch.linalg.cholesky", {Value(matrices)}, threads, 1);
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInput);
      EXPECT_NE(std::string(error.what()).find("matrix 40 is not positive-definite"), std::string::npos)
          << error.what();
    }
  }
}

TEST(MatrixBatch, MatricesBeyondTheIntegersOfLapackAreRefused) {
  const std::vector<Shape> shapes = {{0, 20000, 20000}, {0, int64_t{1} << 30, 2}};
  for (const Shape& shape : shapes) {
    const Value empty(NdArray(RuntimeDataType::kTypeFloat32, shape));
    for (const char* type : {"torch.linalg.qr", "torch.linalg.svdvals", "torch.linalg.pinv"}) {
      EXPECT_THROW(Compute(type, {empty}, 1, 1), Error) << type;
    }
  }
  const Value tall(NdArray(RuntimeDataType::kTypeFloat32, {0, 20000, 2}));
  EXPECT_NO_THROW(Compute("torch.linalg.qr", {tall}, 1, 2));
  EXPECT_THROW(Compute("torch.linalg.svd", {tall}, 1, 3), Error) << "its U has 20000 columns";
}

}  // namespace
}  // namespace kuiper_infer
