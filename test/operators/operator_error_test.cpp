// SPDX-License-Identifier: MIT
// Data that operators cannot take, such as indices out of range and absurd counts: an error names the operator as the
// file does, and nothing is read or written out of bounds.
#include <array>
#include <cstdio>
#include <fstream>
#include <limits>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kuiper_infer/runtime/runtime_graph.hpp"
#include "utils/error_text.hpp"

namespace kuiper_infer {
namespace {

using testing::HasSubstr;

constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kHuge = std::numeric_limits<float>::max();

NdArray Integers(const Shape& shape, const std::vector<int64_t>& numbers) {
  const NdArray array(RuntimeDataType::kTypeInt64, shape);
  for (int64_t i = 0; i < array.size(); ++i) array.data<int64_t>()[i] = numbers[static_cast<std::size_t>(i)];
  return array;
}

NdArray Flags(const Shape& shape) {
  const NdArray array(RuntimeDataType::kTypeBool, shape);
  for (int64_t i = 0; i < array.size(); ++i) array.data<bool>()[i] = true;
  return array;
}

/// Returns an array of 0, 1, 2, ...
NdArray Floats(const Shape& shape) {
  const NdArray array(RuntimeDataType::kTypeFloat32, shape);
  for (int64_t i = 0; i < array.size(); ++i) array.data<float>()[i] = static_cast<float>(i);
  return array;
}

NdArray Floats(const std::vector<float>& numbers) {
  const NdArray array(RuntimeDataType::kTypeFloat32, {static_cast<int64_t>(numbers.size())});
  std::copy(numbers.begin(), numbers.end(), array.data<float>());
  return array;
}

/// Runs the model whose inputs are the operands 0, 1, ... and whose output is `out`; `lines` holds the operators
/// between them.
std::vector<NdArray> RunLines(const std::string& lines, const std::vector<NdArray>& inputs) {
  std::string text;
  int64_t count = 1;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    const std::string number = std::to_string(k);
    const TensorSpec& spec = inputs[k].spec();
    const char* type = spec.type == RuntimeDataType::kTypeFloat32 ? "f32"
                       : spec.type == RuntimeDataType::kTypeBool  ? "bool"
                                                                  : "i64";
    text += "pnnx.Input pnnx_input_" + number + " 0 1 " + number + " #" + number + "=" + ShapeString(spec.shape) +
            type + "\n";
    ++count;
  }
  text += lines + "\npnnx.Output pnnx_output_0 1 0 out\n";
  count += 1 + std::count(lines.begin(), lines.end(), '\n');
  const std::string path = testing::TempDir() + "operator_error_" + std::to_string(getpid()) + ".param";
  std::ofstream(path) << "7767517\n" << count << " " << count << "\n" << text;
  auto source = std::make_unique<pnnx::Graph>();
  source->Load(path, "");
  std::remove(path.c_str());
  RuntimeGraph graph(std::move(source));
  BuildOptions options;
  options.max_memory_bytes = int64_t{1} << 28;
  graph.set_build_options(options);
  graph.Build();
  for (std::size_t k = 0; k < inputs.size(); ++k) graph.set_input("pnnx_input_" + std::to_string(k), inputs[k]);
  graph.Run();
  std::vector<NdArray> outputs;
  for (const NdArray& output : graph.outputs()) outputs.push_back(output.Clone());
  return outputs;
}

/// Returns the text of the error that the model throws, whatever its code.
std::string Refusal(const std::string& lines, const std::vector<NdArray>& inputs) {
  try {
    RunLines(lines, inputs);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

/// Returns the name of an operator `x` of this type, as errors have it.
std::string Named(const std::string& type) { return "operator 'x' (" + type + "): "; }

struct IndexedOperator {
  const char* type;
  std::string lines;  ///< with the operands 0 (float), 1 (int64 indices) and perhaps 2 (float values)
  Shape input;
  Shape index;
  Shape values;
  bool from_end;  ///< -1 means the last element
  int64_t extent = 5;
};

void PrintTo(const IndexedOperator& op, std::ostream* stream) { *stream << op.lines; }

class IndexTest : public testing::TestWithParam<IndexedOperator> {};

TEST_P(IndexTest, NumbersOutOfRangeAreRefused) {
  const IndexedOperator& op = GetParam();
  for (const int64_t number : {-op.extent - 1, op.extent, kLeast, kMost, kMost / 4 + 1}) {
    for (const std::size_t place : {std::size_t{0}, static_cast<std::size_t>(ElementCount(op.index) - 1)}) {
      std::vector<int64_t> numbers(static_cast<std::size_t>(ElementCount(op.index)), 0);
      numbers[place] = number;
      std::vector<NdArray> inputs{Floats(op.input), Integers(op.index, numbers)};
      if (!op.values.empty()) inputs.push_back(Floats(op.values));
      EXPECT_THAT(Refusal(op.lines, inputs), testing::AllOf(testing::StartsWith(Named(op.type)),
                                                            HasSubstr(std::to_string(number)), HasSubstr("expected")))
          << op.lines;
    }
  }
}

TEST_P(IndexTest, NumbersWithinRangeAreTaken) {
  const IndexedOperator& op = GetParam();
  for (const int64_t number : {op.from_end ? -op.extent : int64_t{0}, op.extent - 1}) {
    const std::vector<int64_t> numbers(static_cast<std::size_t>(ElementCount(op.index)), number);
    std::vector<NdArray> inputs{Floats(op.input), Integers(op.index, numbers)};
    if (!op.values.empty()) inputs.push_back(Floats(op.values));
    EXPECT_EQ(Refusal(op.lines, inputs), "no error") << op.lines;
  }
}

const std::string kList = "pnnx.Expression list 1 1 1 l expr=[@0]\n";
const std::string kSecond = "pnnx.Expression list 1 1 1 l expr=[None,@0]\n";
const std::string kTwice = "pnnx.Expression list 1 1 1 l expr=[@0,@0]\n";

const IndexedOperator kIndexed[] = {
    {"Tensor.index", kList + "Tensor.index x 2 1 0 l out $input=0 $expr=l", {5, 4}, {3}, {}, true},
    {"Tensor.index", kSecond + "Tensor.index x 2 1 0 l out $input=0 $expr=l", {4, 5, 3}, {2, 3}, {}, true},
    {"Tensor.index", kTwice + "Tensor.index x 2 1 0 l out $input=0 $expr=l", {5, 5, 3}, {4}, {}, true},
    {"Tensor.index", "Tensor.index x 2 1 0 1 out $input=0 $expr=1", {5, 4}, {3}, {}, true},
    {"aten::index", kList + "aten::index x 2 1 0 l out", {5, 4}, {3}, {}, true},
    {"Tensor.index_put",
     kList + "Tensor.index_put x 3 1 0 l 2 out accumulate=False $input=0 $indices=l $values=2",
     {5, 4},
     {3},
     {3, 4},
     true},
    {"Tensor.index_put",
     kTwice + "Tensor.index_put x 3 1 0 l 2 out accumulate=True $input=0 $indices=l $values=2",
     {5, 5},
     {3},
     {3},
     true},
    {"torch.gather", "torch.gather x 2 1 0 1 out dim=1 $input=0 $index=1", {3, 5}, {3, 2}, {}, false},
    {"torch.index_select", "torch.index_select x 2 1 0 1 out dim=1 $input=0 $index=1", {3, 5}, {4}, {}, false},
    {"torch.take", "torch.take x 2 1 0 1 out $input=0 $index=1", {5}, {2, 2}, {}, true},
    {"aten::take_along_dim",
     "pnnx.Expression c 0 1 c expr=1\naten::take_along_dim x 3 1 0 1 c out",
     {3, 5},
     {3, 2},
     {},
     true},
    {"F.embedding", "F.embedding x 2 1 1 0 out $input=1 $weight=0", {5, 3}, {2, 2}, {}, false},
    {"torch.scatter", "torch.scatter x 3 1 0 1 2 out dim=1 $input=0 $index=1 $src=2", {3, 5}, {3, 2}, {3, 2}, false},
    {"torch.scatter_add",
     "torch.scatter_add x 3 1 0 1 2 out dim=1 $input=0 $index=1 $src=2",
     {3, 5},
     {3, 2},
     {3, 2},
     false},
    {"torch.scatter_reduce",
     "torch.scatter_reduce x 3 1 0 1 2 out dim=1 reduce=mean include_self=False $input=0 $index=1 $src=2",
     {3, 5},
     {3, 2},
     {3, 2},
     false},
    {"torch.index_add",
     "torch.index_add x 3 1 0 1 2 out dim=0 $input=0 $index=1 $source=2",
     {5, 2},
     {3},
     {3, 2},
     false},
    {"torch.index_copy",
     "torch.index_copy x 3 1 0 1 2 out dim=0 $input=0 $index=1 $source=2",
     {5, 2},
     {3},
     {3, 2},
     false},
    {"torch.index_fill", "torch.index_fill x 2 1 0 1 out dim=0 value=2.5 $input=0 $index=1", {5, 2}, {3}, {}, false},
    {"torch.put", "torch.put x 3 1 0 1 2 out $input=0 $index=1 $source=2", {5}, {3}, {3}, true},
};

INSTANTIATE_TEST_SUITE_P(Operators, IndexTest, testing::ValuesIn(kIndexed));

TEST(OperatorErrorTest, KnownIndicesOutOfRange) {
  for (const char* numbers : {"[[0,5]]", "[[-6]]", "[[9223372036854775807]]", "[[-9223372036854775808,0]]"}) {
    EXPECT_THAT(Refusal(std::string("Tensor.index x 1 1 0 out $input=0 expr=") + numbers, {Floats(Shape{5, 4})}),
                testing::AllOf(testing::StartsWith(Named("Tensor.index")), HasSubstr("expected -5 to 4")));
  }
  EXPECT_THAT(Refusal("Tensor.index x 1 1 0 out $input=0 expr=[[0],[0],[0]]", {Floats(Shape{5, 4})}),
              testing::StartsWith(Named("Tensor.index")));
  EXPECT_THAT(Refusal("Tensor.index x 1 1 0 out $input=0 expr=[[0,1,2],[0,1]]", {Floats(Shape{5, 4})}),
              testing::StartsWith(Named("Tensor.index")));
}

TEST(OperatorErrorTest, MasksOfOtherShapesAreRefused) {
  for (const Shape& shape : {Shape{4}, Shape{6}, Shape{5, 5}, Shape{5, 4, 1}, Shape{0}, Shape{4, 5}}) {
    EXPECT_THAT(Refusal(kList + "Tensor.index x 2 1 0 l out $input=0 $expr=l", {Floats(Shape{5, 4}), Flags(shape)}),
                testing::StartsWith(Named("Tensor.index")))
        << ShapeString(shape);
    EXPECT_THAT(Refusal(kList + "Tensor.index_put x 3 1 0 l 2 out accumulate=False $input=0 $indices=l $values=2",
                        {Floats(Shape{5, 4}), Flags(shape), Floats(Shape{1})}),
                testing::StartsWith(Named("Tensor.index_put")))
        << ShapeString(shape);
  }
  EXPECT_THAT(Refusal("torch.masked_select x 2 1 0 1 out $input=0 $mask=1", {Floats(Shape{5, 4}), Flags({5})}),
              testing::StartsWith(Named("torch.masked_select")));
}

/// There must be one value, or as many values as places; otherwise an error.
TEST(OperatorErrorTest, ValuesThatDontFitTheIndexedPlaces) {
  const std::string put = kList + "Tensor.index_put x 3 1 0 l 2 out accumulate=False $input=0 $indices=l $values=2";
  for (const Shape& values : {Shape{2, 4}, Shape{3, 5}, Shape{0}, Shape{1, 3, 4, 1}}) {
    EXPECT_THAT(Refusal(put, {Floats(Shape{5, 4}), Integers({3}, {0, 1, 2}), Floats(values)}),
                testing::StartsWith(Named("Tensor.index_put")))
        << ShapeString(values);
  }
  const std::string scatter = "torch.masked_scatter x 3 1 0 1 2 out $input=0 $mask=1 $source=2";
  EXPECT_THAT(Refusal(scatter, {Floats(Shape{5, 4}), Flags({5, 4}), Floats(Shape{3})}),
              testing::StartsWith(Named("torch.masked_scatter")));
}

/// The converter loses numbers that a program assigns to single elements, or to parts of arrays of some types. That
/// gives an error.
TEST(OperatorErrorTest, LostNumbersAreMissed) {
  const Shape shape{5, 4};
  EXPECT_EQ(Refusal(kList + "Tensor.index_put x 2 1 0 l out accumulate=False values=None $input=0 $indices=l",
                    {Floats(shape), Flags(shape)}),
            Named("Tensor.index_put") + "argument 'values' is None, expected Tensor");
  EXPECT_EQ(Refusal("Tensor.fill x 1 1 0 out value=None $input=0", {Floats(shape)}),
            Named("Tensor.fill") + "argument 'value' is None, expected Tensor");
  EXPECT_EQ(
      Refusal("Tensor.slice_copy x 1 1 0 out dims=(0,1) ends=(0,0) selects=(1,2) starts=(0,0) steps=(0,0) $self=0",
              {Floats(shape)}),
      Named("Tensor.slice_copy") + "argument 'src' is missing, expected Tensor");
}

/// Positions to split at are clamped to the extent like slices. Only the number of parts must be right.
TEST(OperatorErrorTest, SplitsAtPlacesOutOfRange) {
  const std::string split = "torch.tensor_split x 1 2 0 a b dim=0 indices=";
  const std::string join = " $input=0\ntorch.cat join 2 1 a b out dim=0";
  for (const char* places : {"(9223372036854775807)", "(-9223372036854775808)", "(-1)", "(-6)", "(6)"}) {
    const std::string lines = split + places + join;
    EXPECT_THAT(Refusal(lines, {Floats(Shape{5})}), testing::AnyOf("no error", HasSubstr(Named("torch.tensor_split"))))
        << places;
  }
  for (const int64_t place : {kLeast, int64_t{-6}, int64_t{6}, kMost}) {
    EXPECT_EQ(Refusal("torch.tensor_split x 2 1 0 1 out dim=0 $input=0 $tensor_indices_or_sections=1",
                      {Floats(Shape{5}), Integers({2}, {place, 2})}),
              "no error")
        << place;
  }
}

/// An array without elements may have a long axis, which could be cut into any number of parts.
TEST(OperatorErrorTest, CutsIntoAbsurdlyManyPieces) {
  const NdArray none = Floats(Shape{2000000000, 0});
  for (const char* line :
       {"torch.unbind x 1 1 0 out dim=0 $input=0", "torch.chunk x 1 1 0 out dim=0 chunks=2000000000 $input=0",
        "torch.split x 1 1 0 out dim=0 split_size_or_sections=1 $input=0",
        "torch.tensor_split x 1 1 0 out dim=0 sections=9223372036854775807 $input=0"}) {
    EXPECT_THAT(Refusal(line, {none}), testing::AllOf(testing::StartsWith("operator 'x' (torch."), HasSubstr("parts")))
        << line;
  }
}

TEST(OperatorErrorTest, CountsOfRepetitions) {
  const std::string each = "torch.repeat_interleave x 2 1 0 1 out dim=0 $input=0 $repeats=1";
  for (const int64_t count : {int64_t{-1}, kLeast, kMost, int64_t{1} << 40}) {
    EXPECT_THAT(Refusal(each, {Floats(Shape{5, 4}), Integers({1}, {count})}),
                testing::StartsWith(Named("torch.repeat_interleave")));
    EXPECT_THAT(Refusal(each, {Floats(Shape{2, 4}), Integers({2}, {1, count})}),
                testing::StartsWith(Named("torch.repeat_interleave")));
  }
  EXPECT_THAT(Refusal(each, {Floats(Shape{3, 4}), Integers({3}, {kMost, kMost, 2})}), HasSubstr("64 bits"));
  EXPECT_THAT(Refusal("torch.repeat_interleave x 1 1 1 out $repeats=1", {Floats(Shape{1}), Integers({1}, {kMost})}),
              testing::StartsWith(Named("torch.repeat_interleave")));
  EXPECT_THAT(Refusal("Tensor.repeat x 1 1 0 out sizes=(-3,2) $input=0", {Floats(Shape{2, 4})}), HasSubstr("(-3,2)"));
}

TEST(OperatorErrorTest, ClassesAndBins) {
  const std::string one_hot = "F.one_hot x 1 1 0 out $input=0 num_classes=";
  for (const int64_t number : {kMost, kMost - 1, kLeast, int64_t{-1}, int64_t{1} << 40}) {
    EXPECT_THAT(Refusal(one_hot + "-1", {Integers({2}, {0, number})}), testing::StartsWith(Named("F.one_hot")));
    EXPECT_THAT(Refusal(one_hot + "3", {Integers({2}, {0, number})}),
                testing::AllOf(testing::StartsWith(Named("F.one_hot")), HasSubstr(std::to_string(number)),
                               HasSubstr("expected 0 to 2")));
    EXPECT_THAT(Refusal("torch.bincount x 1 1 0 out $input=0", {Integers({2}, {0, number})}),
                testing::StartsWith(Named("torch.bincount")));
  }
  EXPECT_THAT(Refusal(one_hot + "0", {Integers({1}, {0})}), HasSubstr("expected 1 or more"));
  EXPECT_THAT(Refusal(one_hot + "-1", {Integers({0}, {})}), HasSubstr("empty"));
  EXPECT_THAT(Refusal("torch.bincount x 1 1 0 out $input=0 minlength=9223372036854775807", {Integers({1}, {0})}),
              testing::StartsWith(Named("torch.bincount")));
}

TEST(OperatorErrorTest, RangesOfHistograms) {
  const auto histc = [](const std::string& arguments, const NdArray& input) {
    return Refusal("torch.histc x 1 1 0 out $input=0 " + arguments, {input});
  };
  const NdArray extremes = Floats(std::vector<float>{-kHuge, 0, kHuge});
  EXPECT_THAT(histc("bins=4 min=0 max=0", extremes), testing::StartsWith(Named("torch.histc")));
  EXPECT_THAT(histc("bins=4 min=-1e300 max=1e300", extremes), testing::StartsWith(Named("torch.histc")));
  EXPECT_THAT(histc("bins=4 min=-3e38 max=3e38", extremes), testing::StartsWith(Named("torch.histc")));
  EXPECT_THAT(histc("bins=4 min=0 max=inf", extremes), testing::StartsWith(Named("torch.histc")));
  EXPECT_THAT(histc("bins=4 min=0 max=0", Floats(std::vector<float>{1, kNan, 2})), HasSubstr("NaN"));
  EXPECT_THAT(histc("bins=4 min=0 max=0", Floats(std::vector<float>{1e20F})), HasSubstr("differ"));
  EXPECT_THAT(histc("bins=9223372036854775807 min=0 max=1", extremes), testing::StartsWith(Named("torch.histc")));
  EXPECT_EQ(histc("bins=4 min=1 max=1.00000000001", Floats(std::vector<float>{1, 2, 3})), "no error");
}

/// PyTorch refuses them as well: cut to integers, they would be other factors.
TEST(OperatorErrorTest, FractionsAsFactorsOfIntegers) {
  const NdArray whole(RuntimeDataType::kTypeInt64, {2});
  std::fill_n(whole.data<int64_t>(), 2, 3);
  for (const char* type : {"torch.add", "torch.sub", "torch.rsub"}) {
    const std::string line = std::string(type) + " x 2 1 0 1 out $input=0 $other=1 alpha=";
    EXPECT_THAT(Refusal(line + "0.5", {whole, whole}),
                testing::AllOf(testing::StartsWith(Named(type)), HasSubstr("alpha is float"), HasSubstr("int64")));
    EXPECT_EQ(Refusal(line + "2", {whole, whole}), "no error");
  }
}

TEST(OperatorErrorTest, SequencesOfAbsurdLength) {
  const auto refusal = [](const std::string& line) { return Refusal(line, {Floats(Shape{1})}); };
  for (const char* line :
       {"torch.arange x 0 1 out end=9223372036854775807", "torch.arange x 0 1 out start=0 end=1e300",
        "torch.arange x 0 1 out start=1e300 end=1e300 dtype=torch.long", "torch.arange x 0 1 out end=nan",
        "torch.arange x 0 1 out start=-9223372036854775808 end=9223372036854775807 step=3",
        "torch.linspace x 0 1 out start=0 end=1 steps=9223372036854775807",
        "torch.linspace x 0 1 out start=0 end=1 steps=-9223372036854775808", "torch.zeros x 0 1 out size=(-3)",
        "torch.eye x 0 1 out n=-7", "torch.eye x 0 1 out n=4294967296"}) {
    EXPECT_THAT(refusal(line), testing::StartsWith("operator 'x' (torch.")) << line;
  }
  EXPECT_THAT(refusal("torch.eye x 0 1 out n=-7"), HasSubstr("(-7,-7)"));
  EXPECT_THAT(refusal("torch.zeros x 0 1 out size=(2,-3)"), HasSubstr("(2,-3)"));
  EXPECT_THAT(refusal("torch.as_strided x 1 1 0 out $input=0 size=(1,2) stride=(-4,1)"), HasSubstr("(-4,1)"));
  // Whole numbers are counted exactly, even if doubles can no longer tell them apart.
  const NdArray last =
      RunLines(
          "pnnx.Expression a 0 1 a expr=9223372036854775800\npnnx.Expression b 0 1 b expr=9223372036854775807\n"
          "torch.arange x 2 1 a b out $start=a $end=b",
          {Floats(Shape{1})})
          .front();
  ASSERT_EQ(last.shape(), Shape{7});
  EXPECT_EQ(last.data<int64_t>()[6], kMost - 1);
}

/// Returns the error of aten::`type` for a sequence (5,2,4), states made from an array (1,2,3) by the expression `hx`,
/// and weights of these shapes. `flags` are has_biases, num_layers and bidirectional.
std::string RecurrentRefusal(const std::string& type, const std::string& hx, const std::vector<Shape>& weights,
                             const std::array<std::string, 3>& flags = {"True", "1", "False"}) {
  std::vector<NdArray> inputs{Floats(Shape{5, 2, 4}), Floats(Shape{1, 2, 3})};
  std::string operands;
  std::string list;
  for (const Shape& shape : weights) {
    list += (list.empty() ? "@" : ",@") + std::to_string(inputs.size() - 2);
    operands += " " + std::to_string(inputs.size());
    inputs.push_back(Floats(shape));
  }
  const std::string count = std::to_string(weights.size());
  return Refusal("pnnx.Expression hx 1 1 1 hx expr=" + hx + "\npnnx.Expression weights " + count + " 1" + operands +
                     " weights expr=[" + list + "]\npnnx.Expression bias 0 1 bias expr=" + flags[0] +
                     "\npnnx.Expression layers 0 1 layers expr=" + flags[1] +
                     "\npnnx.Expression both 0 1 both expr=" + flags[2] +
                     "\npnnx.Expression dropout 0 1 dropout expr=0.0\npnnx.Expression no 0 1 no expr=False\n" +
                     "aten::" + type + " x 9 " + (type == "lstm" ? "3" : "2") +
                     " 0 hx weights bias layers dropout no both no out state" + (type == "lstm" ? " cell" : ""),
                 inputs);
}

TEST(OperatorErrorTest, WeightsOfRecurrentFunctions) {
  const std::string pair = "[@0,@0]";
  const std::vector<Shape> weights = {{12, 4}, {12, 3}, {12}, {12}};
  EXPECT_EQ(RecurrentRefusal("lstm", pair, weights), "no error");
  // Wrong numbers of arrays. With five arrays the last one is a projection.
  const std::vector<std::pair<std::vector<Shape>, std::array<std::string, 3>>> miscounted = {
      {{{12, 4}}, {"True", "1", "False"}}, {{{12, 4}, {12, 3}, {12}}, {"True", "1", "False"}},
      {weights, {"True", "2", "False"}},   {weights, {"True", "1", "True"}},
      {weights, {"False", "1", "False"}},  {weights, {"True", "9223372036854775807", "True"}},
  };
  for (const auto& [shapes, flags] : miscounted) {
    EXPECT_THAT(RecurrentRefusal("lstm", pair, shapes, flags),
                testing::AllOf(testing::StartsWith(Named("aten::lstm") + "params holds "),
                               HasSubstr("or, with projections, one more for each of " + flags[1] + " layer")));
  }
  EXPECT_THAT(RecurrentRefusal("gru", "@0", {{9, 4}, {9, 3}, {9}, {9}, {3, 3}}),
              HasSubstr("(aten::gru): params holds 5 arrays, expected 4 for each of 1 layer and 1 direction"));
  for (const char* layers : {"0", "-1", "-9223372036854775808"}) {
    EXPECT_THAT(RecurrentRefusal("lstm", pair, weights, {"True", layers, "False"}),
                HasSubstr(std::string("num_layers is ") + layers + ", expected at least 1"));
  }
  EXPECT_THAT(RecurrentRefusal("lstm", "[@0]", weights), HasSubstr("hx holds 1 arrays, expected 2"));
  EXPECT_THAT(RecurrentRefusal("lstm", "[@0,@0,@0]", weights), HasSubstr("hx holds 3 arrays, expected 2"));
  // Wrong shapes.
  EXPECT_THAT(RecurrentRefusal("lstm", pair, {{12, 4}, {12}, {12}, {12}}),
              HasSubstr("weight_hh_l0 is (12), expected rank 2"));
  EXPECT_THAT(RecurrentRefusal("lstm", pair, {{12, 4}, {0, 3}, {12}, {12}}), HasSubstr("weight_hh_l0 is (0,3)"));
  EXPECT_THAT(RecurrentRefusal("lstm", pair, {{12, 4}, {13, 3}, {12}, {12}}),
              HasSubstr("weight_hh_l0 has 13 rows, expected a multiple of the 4 gates"));
  EXPECT_THAT(RecurrentRefusal("lstm", pair, {{12, 5}, {12, 3}, {12}, {12}}),
              testing::AllOf(HasSubstr("weight_ih_l0 is float32 (12,5)"), HasSubstr("expected float32 (12,4)")));
  EXPECT_THAT(RecurrentRefusal("lstm", pair, {{12, 4}, {12, 3}, {12}, {11}}),
              testing::AllOf(HasSubstr("bias_hh_l0 is float32 (11)"), HasSubstr("expected float32 (12)")));
  EXPECT_THAT(RecurrentRefusal("lstm", pair, {{12, 4}, {12, 3}, {12}, {12}, {3}}),
              HasSubstr("weight_hr_l0 is (3), expected rank 2"));
  EXPECT_THAT(RecurrentRefusal("lstm", pair, {{12, 4}, {12, 3}, {12}, {12}, {2, 3}}),
              testing::AllOf(HasSubstr("weight_hh_l0 is float32 (12,3)"), HasSubstr("expected float32 (12,2)")));
  EXPECT_THAT(
      RecurrentRefusal("rnn_tanh", "@0", {{4, 4}, {4, 4}, {4}, {4}}),
      testing::AllOf(HasSubstr("(aten::rnn_tanh): h0 is float32 (1,2,3)"), HasSubstr("expected float32 (1,2,4)")));
}

/// Errors of operations that are made of other operations have the operation's own name.
TEST(OperatorErrorTest, PartsOfOperationsBearTheNameOfTheWhole) {
  const NdArray x = Floats(Shape{2, 3});
  const std::vector<std::pair<const char*, std::string>> lines = {
      {"torch.stft",
       "torch.stft x 1 1 0 out $input=0 n_fft=16 hop_length=4 center=True normalized=False pad_mode=reflect "
       "onesided=True return_complex=True win_length=None"},
      {"torch.cartesian_prod", "torch.cartesian_prod x 1 1 0 out"},
      {"torch.quantile", "torch.quantile x 1 1 0 out $input=0 q=1.5 dim=0 keepdim=False"},
      {"F.ctc_loss", "F.ctc_loss x 4 1 0 0 0 0 out $log_probs=0 $targets=0 $input_lengths=0 $target_lengths=0"},
      {"torch.linalg.svdvals", "torch.linalg.svdvals x 1 1 0 out $A=0"},
  };
  NdArray faulty = Floats(Shape{2, 3});
  faulty.data<float>()[1] = kNan;
  for (const auto& [type, line] : lines) {
    EXPECT_THAT(Refusal(line, {std::string(type) == "torch.linalg.svdvals" ? faulty : x}),
                testing::StartsWith(Named(type)));
  }
}

TEST(OperatorErrorTest, MemoryThatIsNotThereIsTheOperatorsFault) {
  EXPECT_THAT(Refusal("Tensor.repeat x 1 1 0 out sizes=(4294967296,65536) $input=0", {Floats(Shape{2, 4})}),
              testing::StartsWith(Named("Tensor.repeat")));
}

}  // namespace
}  // namespace kuiper_infer
