// SPDX-License-Identifier: MIT
// Products of the same rows in one parallel region give the bits of each by itself.
#include "kernel/product/multiply_together.hpp"

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/elementwise/functions.hpp"
#include "kernel/product/float32/kernel.hpp"
#include "kernel/product/integer_weights/rounding_kernel.hpp"
#include "kernel/product/packed_for.hpp"
#include "kernel/product/product_kernels.hpp"
#include "kernel/random_data.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

/// Numbers from one row to the next are `kGap` more than the row has.
constexpr int64_t kGap = 3;

/// The kernels of this CPU and those of portable code.
std::vector<const ProductKernel*> AllKernels() {
  std::vector<const ProductKernel*> kernels = ProductKernels(UsedUnits());
  for (const ProductKernel* kernel : RoundingKernels(Isa::kBaseline, Int8Unit::kPortable)) kernels.push_back(kernel);
  return kernels;
}

bool HasIntegers(const ProductKernel& kernel) { return kernel.format.bits < 16; }

/// One of the products: a weight, a bias and, perhaps, a residual, all of random numbers.
struct Factor {
  Factor(const ProductKernel& kernel, const Product& rows, int64_t columns, int64_t groups, std::mt19937& random)
      : numbers(RandomVector<float>(columns * rows.depth, random())),
        bias(RandomVector<float>(columns, random())),
        residual(RandomVector<float>(rows.rows * (columns + kGap), random())),
        product(rows) {
    if (HasIntegers(kernel)) {
      for (float& number : numbers) number = static_cast<float>(static_cast<int>(4 + 4 * number));  // 0 to 7
    }
    packed = PackedFor(kernel, {columns, rows.depth, 1, numbers.data(), rows.depth});
    const int64_t count = kernel.packs_parameters ? groups * kernel.format.ParameterCount() : 1;
    parameters = RandomVector<float>(columns * count, random());
    if (kernel.packs_parameters) {
      packed_parameters = PackedFor(Float32Kernel(kernel.units.isa), {columns, count, 1, parameters.data(), count});
    }
    product.columns = columns;
    product.weight = {&kernel, packed.data(), nullptr, groups};
    if (HasIntegers(kernel)) {
      if (kernel.packs_parameters) {
        product.weight.parameters = packed_parameters.data();
      } else {
        product.weight.parameters = parameters.data();
      }
    }
    if (random() % 2 == 0) product.epilogue.bias = bias.data();
    if (random() % 3 == 0) product.epilogue.residual = {residual.data(), columns + kGap};
    const char* const functions[] = {"", "relu", "silu", "hardswish"};
    product.epilogue.activation = {FindUnary(functions[random() % 4]), {}};
    product.c.ld = columns + kGap;
  }

  std::vector<float> numbers, bias, residual, parameters;
  std::vector<std::byte> packed, packed_parameters;
  Product product;
};

/// Rows and several weights.
struct Problem {
  Problem(const std::vector<const ProductKernel*>& kernels, uint32_t given_seed) : seed(given_seed) {
    std::mt19937 random(seed);
    const int64_t limit = random() % 4 == 0 ? 150 : 20;
    Product shared{1 + static_cast<int64_t>(random() % limit), 0, 0};
    const int64_t group_depth = 8 * (1 + static_cast<int64_t>(random() % 20));
    const int64_t groups = 1 + static_cast<int64_t>(random() % 5);
    shared.depth = group_depth * groups;
    a = RandomVector<float>(shared.rows * (shared.depth + kGap), random());
    shared.a = {a.data(), shared.depth + kGap};
    shared.a.grid = {0.01F, 100, 0, 255};
    const std::size_t count = 1 + random() % 5;
    for (std::size_t i = 0; i < count; ++i) {
      const ProductKernel& kernel = *kernels[i % kernels.size()];
      const int64_t columns = 1 + static_cast<int64_t>(random() % 200);
      factors.emplace_back(kernel, shared, columns, kernel.packs_parameters ? groups : 1, random);
    }
  }

  std::vector<std::vector<float>> Run(bool together) const {
    std::vector<std::vector<float>> results;
    std::vector<Product> products;
    for (const Factor& factor : factors) {
      products.push_back(factor.product);
      results.emplace_back(static_cast<std::size_t>(products.back().rows * products.back().c.ld), 77.0F);
      products.back().c.data = results.back().data();
    }
    if (together) {
      MultiplyTogether(products.data(), static_cast<int64_t>(products.size()));
    } else {
      for (const Product& product : products) Multiply(product);
    }
    return results;
  }

  uint32_t seed;
  std::vector<float> a;
  std::vector<Factor> factors;
};

void ExpectTwins(const Problem& problem) {
  const std::vector<std::vector<float>> apart = problem.Run(false);
  for (const int threads : {1, 2, 3}) {
    const ThreadScope scope(threads);
    const std::vector<std::vector<float>> together = problem.Run(true);
    for (std::size_t i = 0; i < apart.size(); ++i) {
      const Product& p = problem.factors[i].product;
      EXPECT_EQ(std::memcmp(together[i].data(), apart[i].data(), apart[i].size() * sizeof(float)), 0)
          << "product " << i << " of " << apart.size() << ": " << p.rows << "x" << p.columns << "x" << p.depth << " in "
          << p.weight.groups << " groups by '" << p.weight.kernel->name << "', " << threads << " threads, seed "
          << problem.seed;
    }
  }
}

class MultiplyTogetherTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!HasProductKernels(UsedUnits())) GTEST_SKIP() << "these kernels are not made for this CPU";
  }
};

TEST_F(MultiplyTogetherTest, EqualsEachByItselfBitByBit) {
  for (const ProductKernel* kernel : AllKernels()) {
    for (uint32_t seed = 1; seed <= 12; ++seed) ExpectTwins(Problem({kernel}, seed));
  }
}

TEST_F(MultiplyTogetherTest, KernelsMayDiffer) {
  const std::vector<const ProductKernel*> kernels = AllKernels();
  for (uint32_t seed = 100; seed < 120; ++seed) {
    std::mt19937 random(seed);
    std::vector<const ProductKernel*> some;
    for (int i = 0; i < 3; ++i) some.push_back(kernels[random() % kernels.size()]);
    ExpectTwins(Problem({some[0], some[0], some[1], some[2], some[2]}, seed));
  }
}

TEST_F(MultiplyTogetherTest, NothingIsComputedOfNoProducts) {
  MultiplyTogether(nullptr, 0);
  Problem problem({&Float32Kernel(UsedIsa())}, 7);
  for (Factor& factor : problem.factors) factor.product.columns = 0;
  for (const std::vector<float>& result : problem.Run(true)) {
    for (const float number : result) ASSERT_EQ(number, 77.0F);
  }
}

}  // namespace
}  // namespace kuiper_infer::kernel
