// SPDX-License-Identifier: MIT
#include "kuiper_infer/data/ndarray.hpp"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "kuiper_infer/data/value.hpp"
#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer {
namespace {

NdArray Counting(const Shape& shape) {
  NdArray array(RuntimeDataType::kTypeFloat32, shape);
  std::iota(array.data<float>(), array.data<float>() + array.size(), 0.0F);
  return array;
}

TEST(NdArrayTest, WindowsShareMemory) {
  const NdArray array = Counting({3, 4});
  const NdArray transposed = array.AsStrided({4, 3}, {1, 4});
  EXPECT_FALSE(transposed.contiguous());
  const NdArray copy = transposed.Contiguous();
  EXPECT_TRUE(copy.contiguous());
  EXPECT_EQ(copy.data<float>()[1], 4);
  EXPECT_EQ(copy.data<float>()[11], 11);
  EXPECT_EQ(transposed.Reshape({12}).data<float>()[3], 1);
  array.data<float>()[4] = 70;
  EXPECT_EQ(*transposed.AsStrided({}, {}, 4).data<float>(), 70);
  EXPECT_THROW(array.Reshape({5}), Error);
  EXPECT_EQ(array.Contiguous().raw(), array.raw());
  EXPECT_NE(array.Clone().raw(), array.raw());
}

TEST(NdArrayTest, ABlockLivesAsLongAsItsWindows) {
  NdArray view;
  {
    const NdArray array = Counting({100});
    view = array.AsStrided({10}, {10});
  }
  EXPECT_EQ(view.Contiguous().data<float>()[9], 90);
}

TEST(NdArrayTest, ConversionsFollowPyTorch) {
  NdArray array(RuntimeDataType::kTypeFloat32, {5});
  const float values[] = {-1.7F, 0.0F, 2.9F, 1e20F, NAN};
  std::copy(values, values + 5, array.data<float>());
  const NdArray integers = array.To(RuntimeDataType::kTypeInt32);
  EXPECT_EQ(integers.data<int32_t>()[0], -1);
  EXPECT_EQ(integers.data<int32_t>()[2], 2);
  EXPECT_EQ(integers.data<int32_t>()[3], INT32_MAX);
  const NdArray flags = array.To(RuntimeDataType::kTypeBool);
  EXPECT_FALSE(flags.data<bool>()[1]);
  EXPECT_TRUE(flags.data<bool>()[0]);
  EXPECT_EQ(array.To(RuntimeDataType::kTypeFloat16).To(RuntimeDataType::kTypeFloat64).data<double>()[2], 2.900390625);
}

TEST(NdArrayTest, AbsurdSizesAreErrors) {
  EXPECT_THROW(NdArray(RuntimeDataType::kTypeFloat32, {INT64_MAX / 4}), Error);
  EXPECT_THROW(NdArray(RuntimeDataType::kTypeFloat32, {-1}), Error);
  EXPECT_THROW(NdArray(RuntimeDataType::kTypeFloat32, {1LL << 50}), Error);
  EXPECT_EQ(NdArray(RuntimeDataType::kTypeFloat32, {0, 5}).size(), 0);
}

TEST(ValueTest, TextAndNumbers) {
  EXPECT_EQ(ValueString(Value(Value::List{1, 2.5, true, Value(), "max"})), "[1,2.5,True,None,'max']");
  EXPECT_STREQ(KindName(Value(3)), "int");
  EXPECT_EQ(NumberFromArray(NdArray::Scalar<int32_t>(RuntimeDataType::kTypeInt32, 7)).Get<int64_t>(), 7);
  EXPECT_TRUE(NumberFromArray(NdArray::Scalar<bool>(RuntimeDataType::kTypeBool, true)).Get<bool>());
  EXPECT_TRUE(ArrayFromNumber(0.5).spec().python_scalar);
  EXPECT_TRUE(ArrayFromNumber(3).AsStrided({}, {}).spec().python_scalar);
  EXPECT_FALSE(ArrayFromNumber(3).AsStrided({2, 5}, {0, 0}).spec().python_scalar);
  EXPECT_THROW(NumberFromArray(Counting({2})), Error);
  EXPECT_THROW(ArrayFromNumber("word"), Error);
}

}  // namespace
}  // namespace kuiper_infer
