// SPDX-License-Identifier: MIT
// Runs of the same shapes take no memory from the heap. This program counts all calls of operator new.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>

#include <gtest/gtest.h>

#include "kernel/product/product_kernels.hpp"
#include "kuiper_infer/runtime/runtime_graph.hpp"
#include "runtime/graph_building.hpp"
#include "runtime/state_models.hpp"

namespace {
std::atomic<int64_t> allocations{0};
}  // namespace

#ifndef KUIPER_HEAP_ONLY  // a sanitizer has an allocator of its own

namespace {

void* Allocate(std::size_t bytes, std::size_t alignment) {
  ++allocations;
  void* memory = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

/// This is not inlined, because the compiler would warn about free.
[[gnu::noinline]] void Release(void* memory) { std::free(memory); }

}  // namespace

void* operator new(std::size_t bytes) { return Allocate(bytes, alignof(std::max_align_t)); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return Allocate(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { Release(memory); }
void operator delete(void* memory, std::size_t /*bytes*/) noexcept { Release(memory); }
void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept { Release(memory); }
void operator delete(void* memory, std::size_t /*bytes*/, std::align_val_t /*alignment*/) noexcept { Release(memory); }

#endif

namespace kuiper_infer {
namespace {

class SteadyStateTest : public testing::Test {
  void SetUp() override {
#ifdef KUIPER_HEAP_ONLY
    GTEST_SKIP() << "allocations can't be counted under a sanitizer";
#endif
    if (!kernel::HasProductKernels(UsedUnits())) GTEST_SKIP() << "the kernels for weights are not made for this CPU";
  }
};

int64_t AllocationsOfARun(RuntimeGraph& graph) {
  graph.Run();  // plans, packs and binds
  const int64_t before = allocations;
  graph.Run();
  return allocations - before;
}

TEST_F(SteadyStateTest, AConvolutionalNetworkAllocatesNothing) {
  auto source = std::make_unique<pnnx::Graph>();
  pnnx::Operand* x = AddInput(*source, 0, {1, 3, 32, 32});
  pnnx::Operand* a = AddUnary(*source, "nn.ReLU", "relu", {AddConvolution(*source, "first", x, 16, 3)});
  pnnx::Operand* b = AddConvolution(*source, "second", a, 16, 3);
  pnnx::Operand* sum = AddExpression(*source, "sum", "add(@0,mul(@1,0.5))", {a, b});
  pnnx::Operand* cat = AddUnary(*source, "torch.cat", "cat", {sum, a});
  cat->producer->params["dim"] = 1;
  cat->shape[1] = 32;
  pnnx::Operand* pool = AddUnary(*source, "nn.MaxPool2d", "pool", {cat});
  pool->producer->params["kernel_size"] = std::vector<int>{2, 2};
  pool->producer->params["stride"] = std::vector<int>{2, 2};
  pool->shape = {1, 32, 16, 16};
  pnnx::Operand* mean = AddUnary(*source, "nn.AdaptiveAvgPool2d", "mean", {pool});
  mean->producer->params["output_size"] = std::vector<int>{1, 1};
  mean->shape = {1, 32, 1, 1};
  pnnx::Operand* gate = AddUnary(*source, "nn.Sigmoid", "gate", {AddConvolution(*source, "squeeze", mean, 32, 1)});
  AddOutput(*source, 0, AddExpression(*source, "scale", "mul(@0,@1)", {pool, gate}));
  RuntimeGraph graph(std::move(source));
  graph.Build();
  const NdArray input(RuntimeDataType::kTypeFloat32, {1, 3, 32, 32});
  std::fill_n(input.data<float>(), input.size(), 0.5F);
  graph.set_input("pnnx_input_0", input);
  EXPECT_EQ(AllocationsOfARun(graph), 0);
}

TEST_F(SteadyStateTest, ATransformersBlockAllocatesNothing) {
  auto source = std::make_unique<pnnx::Graph>();
  pnnx::Operand* x = AddInput(*source, 0, {1, 7, 16});
  pnnx::Operand* norm = AddUnary(*source, "nn.LayerNorm", "norm", {x});
  norm->producer->params["normalized_shape"] = std::vector<int>{16};
  norm->producer->params["elementwise_affine"] = false;
  pnnx::Operand* linear = AddUnary(*source, "nn.Linear", "linear", {norm});
  linear->producer->params["in_features"] = 16;
  linear->producer->params["out_features"] = 16;
  linear->producer->params["bias"] = false;
  linear->producer->attrs["weight"] = pnnx::Attribute({16, 16}, std::vector<float>(256, 0.25F));
  pnnx::Operand* attention = AddUnary(*source, "F.scaled_dot_product_attention", "attention", {linear, norm, norm});
  AddOutput(*source, 0, AddExpression(*source, "sum", "add(@0,@1)", {attention, x}));
  RuntimeGraph graph(std::move(source));
  graph.Build();
  const NdArray input(RuntimeDataType::kTypeFloat32, {1, 7, 16});
  for (int i = 0; i < 7 * 16; ++i) input.data<float>()[i] = static_cast<float>(i % 5);
  graph.set_input("pnnx_input_0", input);
  EXPECT_EQ(AllocationsOfARun(graph), 0);
}

/// The allocations of a run of one token on states that have memory for it.
int64_t AllocationsOfAToken(RuntimeGraph& graph) {
  Session session = graph.NewSession();
  const NdArray token = Tokens(1, 1);
  session.set_input("x", token);
  for (int i = 0; i < 20; ++i) session.Run();
  const int64_t before = allocations;
  session.Run();
  return allocations - before;
}

TEST_F(SteadyStateTest, AttentionOverAStateThatGrowsAllocatesNothing) {
  for (const char* const type : {"float32", "bfloat16", "int8"}) {
    BuildOptions options;
    options.state_type = type;
    RuntimeGraph graph = Built(Attention(true), options);
    EXPECT_EQ(AllocationsOfAToken(graph), 0) << type;
  }
}

TEST_F(SteadyStateTest, AttentionOverAWindowAllocatesNothing) {
  RuntimeGraph graph = Built(Attention(true, false, "window=8"));
  EXPECT_EQ(AllocationsOfAToken(graph), 0);
}

}  // namespace
}  // namespace kuiper_infer
