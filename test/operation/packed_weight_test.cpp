// SPDX-License-Identifier: MIT
// Packed weights are shared, and packing one weight does not block a thread that packs another weight.
#include "operation/weights/packed_weight.hpp"

#include <chrono>
#include <condition_variable>
#include <future>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

#include "kernel/product/bfloat16/kernel.hpp"
#include "kernel/product/float32/kernel.hpp"
#include "kernel/product/integer_formats.hpp"
#include "kernel/product/integer_weights/kernel.hpp"
#include "kernel/product/product_kernels.hpp"
#include "operation/weights/quantized_weight.hpp"
#include "operation/weights/weight_packing.hpp"

namespace kuiper_infer {
namespace {

const kernel::ProductKernel& Floats() { return kernel::Float32Kernel(UsedIsa()); }
const kernel::ProductKernel& Split(int pieces) { return kernel::BFloat16KernelOf(UsedMatrixUnit(), pieces); }

PackedWeights::Key KeyOf(int64_t weight,
                         const kernel::PackedLayout& layout = Floats().Layout(kernel::Arrangement::kWindows)) {
  return {weight, nullptr, 0, 1, 1, 1, 1, &layout};
}

std::shared_ptr<const PackedWeight> MakeEmpty() { return std::make_shared<PackedWeight>(); }

/// A meeting of threads. Arrive returns true once all have come, or false if they don't come within some time.
class Meeting {
 public:
  explicit Meeting(int missing) : missing_(missing) {}

  bool Arrive() {
    std::unique_lock<std::mutex> lock(mutex_);
    --missing_;
    changed_.notify_all();
    return changed_.wait_for(lock, std::chrono::seconds(20), [&] { return missing_ <= 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int missing_;
};

TEST(PackedWeightsTest, DifferentWeightsArePackedAtTheSameTime) {
  PackedWeights weights;
  Meeting meeting(2);
  const auto pack = [&](int64_t weight) {
    bool met = false;
    weights.FindOrMake(KeyOf(weight), [&] {
      met = meeting.Arrive();  // each packing lasts until the other one has begun
      return MakeEmpty();
    });
    return met;
  };
  auto other = std::async(std::launch::async, pack, 1);
  EXPECT_TRUE(pack(2));
  EXPECT_TRUE(other.get());
}

TEST(PackedWeightsTest, WhoLooksForAWeightThatIsBeingPackedGetsIt) {
  PackedWeights weights;
  std::promise<void> begun;
  int made = 0;
  auto first = std::async(std::launch::async, [&] {
    return weights.FindOrMake(KeyOf(1), [&] {
      ++made;
      begun.set_value();
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      return MakeEmpty();
    });
  });
  begun.get_future().wait();
  const auto second = weights.FindOrMake(KeyOf(1), [&] {
    ++made;
    return MakeEmpty();
  });
  EXPECT_EQ(first.get(), second);
  EXPECT_EQ(made, 1);
}

TEST(PackedWeightsTest, KeepsAWeightAsLongAsSomebodyHoldsIt) {
  PackedWeights weights;
  int made = 0;
  const auto make = [&] {
    ++made;
    return MakeEmpty();
  };
  const auto held = weights.FindOrMake(KeyOf(0), make);
  for (int64_t i = 1; i < 1000; ++i) weights.FindOrMake(KeyOf(i), make);  // released at once
  EXPECT_EQ(weights.FindOrMake(KeyOf(0), make), held);
  EXPECT_EQ(made, 1000);
  weights.FindOrMake(KeyOf(0, kernel::LeftPanelLayout()), make);
  weights.FindOrMake(KeyOf(1), make);
  EXPECT_EQ(made, 1002);
}

TEST(PackedWeightsTest, AFailureIsNotKept) {
  PackedWeights weights;
  const auto fail = []() -> std::shared_ptr<const PackedWeight> { throw std::bad_alloc(); };
  EXPECT_THROW(weights.FindOrMake(KeyOf(1), fail), std::bad_alloc);
  EXPECT_NE(weights.FindOrMake(KeyOf(1), MakeEmpty), nullptr);
}

/// Returns a constant of distinct numbers that is no operator's weight.
TensorArgument Constant(const Shape& shape) {
  NdArray values(RuntimeDataType::kTypeFloat32, shape);
  for (int64_t i = 0; i < values.size(); ++i) values.data<float>()[i] = static_cast<float>(i);
  TensorArgument argument;
  argument.SetValues(values);
  return argument;
}

std::vector<float> Unpacked(const PackedWeight& weight) {
  std::vector<float> values(static_cast<std::size_t>(weight.shape.size()));
  weight.layout->Unpack(weight.shape, weight.packed.raw(), values.data());
  return values;
}

TEST(PackWeightTest, SharesFormsThatAreTheSame) {
  if (!kernel::HasProductKernels(UsedUnits())) GTEST_SKIP() << "no packed weights on this CPU, or with this KUIPER_ISA";
  PlanningContext context;
  context.packed = std::make_shared<PackedWeights>();
  const TensorArgument weight = Constant({6, 5});
  const auto linear = PackLinearWeight(context, weight, Floats());
  EXPECT_EQ(PackLinearWeight(context, weight, 0, 6, Floats()), linear);
  const auto part = PackLinearWeight(context, weight, 2, 3, Floats());
  EXPECT_NE(part, linear);
  EXPECT_NE(PackMatrixWeight(context, weight, Floats()), linear);
  const auto rounded = PackLinearWeight(context, weight, Split(1));
  EXPECT_NE(rounded, linear);
  EXPECT_EQ(&rounded->layout->format, &kernel::BFloat16Format(1));
  const auto split = PackLinearWeight(context, weight, Split(3));
  EXPECT_EQ(split->packed.size(), 3 * rounded->packed.size());
  EXPECT_EQ(&linear->layout->format, &kernel::kFloat32Format);
  EXPECT_NE(PackLeftWeight(context, weight, 1), linear);
  EXPECT_NE(PackLeftWeight(context, weight, 1), PackLeftWeight(context, weight, 2));
  const std::vector<float> values = Unpacked(*linear);
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(values[i], static_cast<float>(i));
  EXPECT_EQ(Unpacked(*part), std::vector<float>(values.begin() + 10, values.begin() + 25));
  EXPECT_EQ(Unpacked(*PackMatrixWeight(context, weight, Floats())), values);
}

TEST(PackParametersTest, TakeHalfPrecisionWhereItLosesNothing) {
  if (!kernel::HasProductKernels(UsedUnits())) GTEST_SKIP() << "no packed weights on this CPU, or with this KUIPER_ISA";
  const kernel::ProductKernel& kernel = kernel::KernelOf(kernel::IntegerWeightKernels(UsedIsa()), kernel::kInt4Format);
  QuantizedWeight weight;
  weight.spec = TensorSpec(RuntimeDataType::kTypeFloat32, {3, 64});
  weight.format = &kernel.format;
  for (const float last : {0.75F, 0.1F, 1e-9F}) {  // float16 holds the first one only
    const NdArray given(RuntimeDataType::kTypeFloat32, {3, 2, 1});
    for (int i = 0; i < 6; ++i) given.data<float>()[i] = i < 5 ? static_cast<float>(i) / 8 : last;
    weight.parameters = std::make_shared<Weight>(given);
    PackedWeight packed;
    packed.shape.outputs = 3;
    PackParameters(weight, 0, kernel, packed);
    const bool halves = kernel.half_groups > 0 && last == 0.75F;
    EXPECT_EQ(packed.parameters.type(), halves ? RuntimeDataType::kTypeFloat16 : RuntimeDataType::kTypeFloat32) << last;
    const NdArray floats = packed.parameters.To(RuntimeDataType::kTypeFloat32);
    std::vector<float> unpacked(6);
    kernel::Float32Panels(UsedIsa()).Unpack({3, 2}, floats.raw(), unpacked.data());
    EXPECT_EQ(unpacked, std::vector<float>(given.data<float>(), given.data<float>() + 6));
  }
}

}  // namespace
}  // namespace kuiper_infer
