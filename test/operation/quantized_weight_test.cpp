// SPDX-License-Identifier: MIT
// Weights that are stored in 8 or 4 bits are float numbers for every operator.
#include "operation/weights/quantized_weight.hpp"

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kuiper_infer/runtime/runtime_graph.hpp"
#include "runtime/graph_building.hpp"
#include "utils/error_text.hpp"
#include "utils/half.hpp"

namespace kuiper_infer {
namespace {

constexpr int kRows = 6;
constexpr int kColumns = 8;

template <class T>
pnnx::Attribute Stored(int type, const std::vector<int>& shape, const std::vector<T>& numbers) {
  pnnx::Attribute attribute;
  attribute.type = type;
  attribute.shape = shape;
  attribute.data.resize(numbers.size() * sizeof(T));
  std::memcpy(attribute.data.data(), numbers.data(), attribute.data.size());
  return attribute;
}

pnnx::Attribute Bytes(const std::vector<int>& shape, const std::vector<int8_t>& numbers) {
  return Stored(7, shape, numbers);
}
pnnx::Attribute Nibbles(const std::vector<int>& shape, const std::vector<uint8_t>& numbers) {
  return Stored(8, shape, numbers);
}
pnnx::Attribute Doubles(const std::vector<double>& numbers) {
  return Stored(2, {static_cast<int>(numbers.size())}, numbers);
}
pnnx::Attribute Integers(const std::vector<int64_t>& numbers) {
  return Stored(5, {static_cast<int>(numbers.size())}, numbers);
}

pnnx::Attribute Halves(const std::vector<int>& shape, const std::vector<float>& numbers) {
  return Stored(3, shape, std::vector<Float16>(numbers.begin(), numbers.end()));
}

std::vector<int8_t> SomeIntegers(int least, int most) {
  std::vector<int8_t> integers(kRows * kColumns);
  for (int i = 0; i < kRows * kColumns; ++i) integers[i] = static_cast<int8_t>(least + i * 37 % (most - least + 1));
  return integers;
}

/// Returns a scale for each group: (rows, groups).
std::vector<float> SomeScales(int groups) {
  std::vector<float> scales(kRows * groups);
  for (int i = 0; i < kRows * groups; ++i) scales[i] = 0.25F * static_cast<float>(i + 1);
  return scales;
}

using Change = std::function<void(pnnx::Operator&)>;

/// Returns a linear layer over one row of numbers; `change` sets its weight.
std::unique_ptr<pnnx::Graph> MakeLinear(const Change& change) {
  auto source = std::make_unique<pnnx::Graph>();
  pnnx::Operand* x = AddUnary(*source, "nn.Linear", "linear", {AddInput(*source, 0, {1, kColumns})});
  x->shape[1] = kRows;
  x->producer->params["bias"] = false;
  change(*x->producer);
  AddOutput(*source, 0, x);
  return source;
}

NdArray Row() {
  const NdArray row(RuntimeDataType::kTypeFloat32, {1, kColumns});
  for (int i = 0; i < kColumns; ++i) row.data<float>()[i] = static_cast<float>(i * 3 % 7) - 2.5F;
  return row;
}

/// Expects the products of Row() and the numbers q * scale.
void ExpectProducts(const std::vector<int8_t>& integers, const std::vector<float>& scales, const Change& change) {
  const std::vector<float> found = RunOnce(MakeLinear(change), Row());
  const int group = kColumns * kRows / static_cast<int>(scales.size());
  for (int r = 0; r < kRows; ++r) {
    double sum = 0;
    for (int i = 0; i < kColumns; ++i) {
      const int at = r * kColumns + i;
      sum += static_cast<double>(Row().data<float>()[i]) * integers[at] * scales[at / group];
    }
    EXPECT_NEAR(sum, found[r], 1e-4 * std::max(1.0, std::abs(sum))) << "row " << r;
  }
}

void SetByChannel(pnnx::Operator& op) {
  op.attrs["weight"] = Bytes({kRows, kColumns}, SomeIntegers(-127, 127));
  const std::vector<float> scales = SomeScales(1);
  op.attrs["weight.q_per_channel_scales"] = Doubles({scales.begin(), scales.end()});
}

TEST(QuantizedWeightTest, BytesByChannel) { ExpectProducts(SomeIntegers(-127, 127), SomeScales(1), SetByChannel); }

TEST(QuantizedWeightTest, BytesByGroup) {
  ExpectProducts(SomeIntegers(-128, 127), SomeScales(4), [](pnnx::Operator& op) {
    op.attrs["weight"] = Bytes({kRows, kColumns}, SomeIntegers(-128, 127));
    op.attrs["weight.q_group_scales"] = pnnx::Attribute({kRows, 4}, SomeScales(4));
  });
}

TEST(QuantizedWeightTest, TwoNumbersAByte) {
  const std::vector<int8_t> integers = SomeIntegers(-8, 7);
  std::vector<uint8_t> bytes(integers.size() / 2);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<uint8_t>((integers[2 * i] + 8) | (integers[2 * i + 1] + 8) << 4);
  }
  ExpectProducts(integers, SomeScales(2), [&](pnnx::Operator& op) {
    op.attrs["weight"] = Nibbles({kRows, kColumns / 2}, bytes);
    op.attrs["weight.q_group_scales"] = pnnx::Attribute({kRows, 2}, SomeScales(2));
  });
}

TEST(QuantizedWeightTest, ScalesAndMinimumsInHalfPrecision) {
  std::vector<float> scales = SomeScales(4);
  scales[3] = -6e-8F;  // the least number of float16
  ExpectProducts(SomeIntegers(-128, 127), scales, [&](pnnx::Operator& op) {
    op.attrs["weight"] = Bytes({kRows, kColumns}, SomeIntegers(-128, 127));
    op.attrs["weight.q_group_scales"] = Halves({kRows, 4}, scales);
  });
  // Integers from 0 on, stored as 128 less: number = integer * scale + minimum.
  for (const bool halves : {true, false}) {
    ExpectProducts(SomeIntegers(-120, 100), SomeScales(2), [&](pnnx::Operator& op) {
      std::vector<uint8_t> bytes;
      for (const int8_t integer : SomeIntegers(-120, 100)) bytes.push_back(static_cast<uint8_t>(integer + 120 - 128));
      std::vector<float> minimums = SomeScales(2);
      for (float& minimum : minimums) minimum *= -120;
      op.attrs["weight"] = Nibbles({kRows, kColumns}, bytes);
      op.attrs["weight"].type = static_cast<int>(kernel::kInt8AsymmetricFormat.stored);
      op.attrs["weight.q_group_scales"] = Halves({kRows, 2}, SomeScales(2));
      op.attrs["weight.q_group_minimums"] =
          halves ? Halves({kRows, 2}, minimums) : pnnx::Attribute({kRows, 2}, minimums);
    });
  }
}

/// Blocks of Q4_0 in GGUF files have such scales.
TEST(QuantizedWeightTest, ScalesOfGroupsMayBeNegativeOrZero) {
  std::vector<float> scales = SomeScales(4);
  for (std::size_t i = 0; i < scales.size(); i += 3) scales[i] = -scales[i];
  scales[1] = 0;
  ExpectProducts(SomeIntegers(-128, 127), scales, [&](pnnx::Operator& op) {
    op.attrs["weight"] = Bytes({kRows, kColumns}, SomeIntegers(-128, 127));
    op.attrs["weight.q_group_scales"] = pnnx::Attribute({kRows, 4}, scales);
  });
}

TEST(QuantizedWeightTest, ZeroPoints) {
  std::vector<int8_t> shifted = SomeIntegers(-60, 60);
  const std::vector<int64_t> zeros{0, 1, -2, 3, 5, -7};
  for (int i = 0; i < kRows * kColumns; ++i) shifted[i] = static_cast<int8_t>(shifted[i] - zeros[i / kColumns]);
  ExpectProducts(shifted, SomeScales(1), [&](pnnx::Operator& op) {
    SetByChannel(op);
    op.attrs["weight"] = Bytes({kRows, kColumns}, SomeIntegers(-60, 60));
    op.attrs["weight.q_per_channel_zero_points"] = Integers(zeros);
  });
}

TEST(QuantizedWeightTest, EveryOperatorReadsTheNumbers) {
  auto source = std::make_unique<pnnx::Graph>();
  pnnx::Operand* input = AddInput(*source, 0, {3});
  input->type = 5;
  pnnx::Operand* x = AddUnary(*source, "nn.Embedding", "embedding", {input});
  x->shape = {3, kColumns};
  SetByChannel(*x->producer);
  AddOutput(*source, 0, x);
  const NdArray rows(RuntimeDataType::kTypeInt64, {3});
  for (int i = 0; i < 3; ++i) rows.data<int64_t>()[i] = 2 * i + 1;
  const std::vector<float> found = RunOnce(std::move(source), rows);
  const std::vector<int8_t> integers = SomeIntegers(-127, 127);
  for (int i = 0; i < 3 * kColumns; ++i) {
    const int row = 2 * (i / kColumns) + 1;
    EXPECT_EQ(static_cast<float>(integers[row * kColumns + i % kColumns]) * SomeScales(1)[row], found[i]) << i;
  }
}

TEST(QuantizedWeightTest, ProgramsSeeTheIntegers) {
  RuntimeGraph graph(MakeLinear(SetByChannel));
  graph.Build();
  for (const auto& op : graph.operators()) {
    if (op->type != "nn.Linear") continue;
    EXPECT_EQ(SomeIntegers(-127, 127), op->attribute.at("weight")->get<int8_t>(false));
    EXPECT_EQ(kRows, static_cast<int>(op->attribute.at("weight.q_per_channel_scales")->get<double>(false).size()));
  }
}

struct Fault {
  Change change;
  const char* text;
};

void ExpectFault(const Fault& fault) {
  const auto build = [&] {
    RuntimeGraph graph(MakeLinear([&](pnnx::Operator& op) {
      SetByChannel(op);
      fault.change(op);
    }));
    graph.Build();
  };
  const std::string text = ErrorText(ErrorCode::kArgument, build);
  EXPECT_NE(std::string::npos, text.find(fault.text)) << text;
  EXPECT_NE(std::string::npos, text.find("linear")) << text;
}

Change WithScale(double scale) {
  return [scale](pnnx::Operator& op) { op.attrs["weight.q_per_channel_scales"] = Doubles({1, 2, scale, 4, 5, 6}); };
}

Change WithHalfScale(float scale) {
  return [scale](pnnx::Operator& op) {
    op.attrs["weight.q_per_channel_scales"] = Halves({kRows}, {1, 2, scale, 4, 5, 6});
  };
}

TEST(QuantizedWeightTest, FaultsAreNamed) {
  const char* positive = "at 2, expected a positive number";
  const Fault faults[] = {
      {WithScale(0), positive},
      {WithScale(-1), "has -1 at 2, expected a positive number"},
      {WithScale(std::numeric_limits<double>::quiet_NaN()), positive},
      {WithScale(std::numeric_limits<double>::infinity()), positive},
      {WithScale(1e-60), positive},
      {WithHalfScale(0), positive},
      {WithHalfScale(-1), "has -1 at 2, expected a positive number"},
      {WithHalfScale(-0.0F), positive},
      {WithHalfScale(std::numeric_limits<float>::quiet_NaN()), positive},
      {WithHalfScale(std::numeric_limits<float>::infinity()), positive},
      {[](pnnx::Operator& op) {
         op.attrs["weight.q_per_channel_scales"] = Doubles({1, 2});
       },
       "'weight.q_per_channel_scales' is float64 (2), expected 6 floating numbers"},
      {[](pnnx::Operator& op) {
         op.attrs["weight.q_per_channel_zero_points"] = Integers({1, 2});
       },
       "'weight.q_per_channel_zero_points' is int64 (2), expected 6 integers"},
      {[](pnnx::Operator& op) {
         op.attrs["weight"] = pnnx::Attribute({kRows, kColumns}, std::vector<float>(48));
       },
       "'weight' is float32 (6,8) beside 'weight.q_per_channel_scales', expected int8"},
      {[](pnnx::Operator& op) { op.attrs["other.q_group_scales"] = Doubles({1}); },
       "'other.q_group_scales' belongs to the weight 'other', which is missing"},
      {[](pnnx::Operator& op) {
         op.attrs.erase("weight.q_per_channel_scales");
         op.attrs["weight.q_group_scales"] = pnnx::Attribute({kRows, 3}, std::vector<float>(18, 1));
       },
       "3 groups, which don't divide the weight's rows of 8 numbers"},
      {[](pnnx::Operator& op) {
         op.attrs["weight.q_group_minimums"] = pnnx::Attribute({kRows, 2}, std::vector<float>(12, 1));
       },
       "is beside the weight 'weight', expected all scales and zero points of one weight format"},
      {[](pnnx::Operator& op) {
         op.attrs.erase("weight.q_per_channel_scales");
         op.attrs["weight"].type = static_cast<int>(RuntimeDataType::kTypeUInt8);
         op.attrs["weight.q_group_scales"] = pnnx::Attribute({kRows, 4}, std::vector<float>(24, 1));
         op.attrs["weight.q_group_minimums"] = pnnx::Attribute({kRows, 2}, std::vector<float>(12, 1));
       },
       "'weight.q_group_minimums' has 2 groups, expected 4, as many as 'weight.q_group_scales' has"},
  };
  for (const Fault& fault : faults) ExpectFault(fault);
}

}  // namespace
}  // namespace kuiper_infer
