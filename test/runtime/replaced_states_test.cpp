// SPDX-License-Identifier: MIT
// States that each run replaces: rows of a cache that are overwritten in place, and new values beside the former ones.
#include <algorithm>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "planning/passes.hpp"
#include "runtime/state_models.hpp"
#include "utils/error_text.hpp"

namespace kuiper_infer {
namespace {

using testing::HasSubstr;

constexpr int64_t kRows = 6;
constexpr int64_t kWidth = 4;

/// How rows are overwritten: by one operator, or by one for each of the two parts of the cache, which another one
/// writes back. kPartIsRead: one of these parts has a second reader, so that it is copied. kPartsOfParts: what changes
/// is a part of each part.
enum class Write { kIndexCopy, kIndexPut, kParts, kPartIsRead, kPartsOfParts };

struct Case {
  Write write;
  bool late;  ///< whether the former cache is read after that, so that it must not change

  std::string name() const {
    const char* const names[] = {"IndexCopy", "IndexPut", "Parts", "PartIsRead", "PartsOfParts"};
    return std::string(names[static_cast<int>(write)]) + (late ? "ReadLater" : "");
  }
};

void PrintTo(const Case& form, std::ostream* stream) { *stream << form.name(); }

/// A line of aten::select or, with the second operand, of aten::select_scatter along the first axis.
std::string Part(const std::string& from, int index, const std::string& to, const std::string& source = "") {
  const std::string dim = " dim=0 index=" + std::to_string(index) + " $self=" + from;
  if (source.empty()) return "aten::select get_" + to + " 1 1 " + from + " " + to + dim;
  return "aten::select_scatter set_" + to + " 2 1 " + from + " " + source + " " + to + dim + " $src=" + source;
}

/// The lines that overwrite rows `at` of part `i` of the cache `from`, and pick a row of the part. The result is `to`.
void AddPart(std::vector<std::string>& lines, int i, const std::string& from, const std::string& to, Write write) {
  const auto name = [i](const char* letter) { return letter + std::to_string(i); };
  const bool nested = write == Write::kPartsOfParts;
  lines.push_back(Part("x", i, name("x")));
  lines.push_back(Part(from, i, name(nested ? "d" : "b")));
  if (nested) lines.push_back(Part(name("d"), 0, name("b")));
  lines.push_back("aten::index_put write" + std::to_string(i) + " 3 1 " + name("b") + " places " + name("x") + " " +
                  name("p") + " $self=" + name("b") + " $indices=places $values=" + name("x"));
  if (nested) lines.push_back(Part(name("d"), 0, name("q"), name("p")));
  lines.push_back(Part(from, i, to, name(nested ? "q" : "p")));
  lines.push_back(Part(to, i, name(nested ? "g" : "n")));
  if (nested) lines.push_back(Part(name("g"), 0, name("n")));
  const std::string picked = name(write == Write::kPartIsRead && i == 0 ? "p" : "n");
  lines.push_back("torch.index_select pick" + std::to_string(i) + " 2 1 " + picked + " which " + name("r") +
                  " dim=0 $input=" + picked + " $index=which");
}

/// A cache of six rows, of which a run overwrites those that `at` names. The first output is the row `which` of the new
/// cache, which fails if there is no such row.
std::string Cache(const Case& form) {
  const bool late = form.late;
  std::vector<std::string> lines = {
      "pnnx.Input x 0 1 x #x=(2,?,4)f32", "pnnx.Input at 0 1 at #at=(?)i64", "pnnx.Input which 0 1 which #which=(1)i64",
      "pnnx.Input cache 0 1 c state=1 #c=" + std::string(form.write == Write::kPartsOfParts ? "(2,1,6,4)" : "(2,6,4)") +
          "f32"};
  if (form.write == Write::kIndexCopy) {
    lines.emplace_back("torch.index_copy write 3 1 c at x n dim=1 $input=c $index=at $source=x #n=(2,6,4)f32");
  } else if (form.write != Write::kIndexPut) {
    lines.emplace_back("pnnx.Expression places 1 1 at places expr=[@0]");
    AddPart(lines, 0, "c", "m", form.write);
    AddPart(lines, 1, "m", "n", form.write);
    lines.emplace_back("torch.stack pick 2 1 r0 r1 p dim=0");
  } else {
    lines.emplace_back("pnnx.Expression places 1 1 at places expr=[None,@0]");
    lines.emplace_back("aten::index_put write 3 1 c places x n $self=c $indices=places $values=x #n=(2,6,4)f32");
  }
  if (form.write <= Write::kIndexPut) {
    lines.emplace_back("torch.index_select pick 2 1 n which p dim=1 $input=n $index=which");
  }
  if (late) lines.emplace_back("torch.index_select former 2 1 c which f dim=1 $input=c $index=which");
  lines.emplace_back(late ? "pnnx.Expression sum 2 1 p f y expr=add(@0,@1)"
                          : "pnnx.Expression sum 1 1 p y expr=mul(@0,1.0)");
  lines.insert(lines.end(), {"pnnx.Output out 1 0 y", "pnnx.Output next 1 0 n"});
  return Param(lines);
}

struct Step {
  NdArray x;
  NdArray at;
  NdArray which;

  std::map<std::string, NdArray> inputs() const { return {{"x", x}, {"at", at}, {"which", which}}; }
};

/// Random rows for `count` different places.
Step RandomStep(std::mt19937& random, int64_t count) {
  std::vector<int64_t> places(kRows);
  for (int64_t i = 0; i < kRows; ++i) places[static_cast<std::size_t>(i)] = i;
  std::shuffle(places.begin(), places.end(), random);
  Step step{NdArray(RuntimeDataType::kTypeFloat32, {2, count, kWidth}), NdArray(RuntimeDataType::kTypeInt64, {count}),
            NdArray(RuntimeDataType::kTypeInt64, {1})};
  for (int64_t i = 0; i < step.x.size(); ++i) step.x.data<float>()[i] = static_cast<float>(random() % 1000) / 8;
  for (int64_t i = 0; i < count; ++i) step.at.data<int64_t>()[i] = places[static_cast<std::size_t>(i)];
  step.which.data<int64_t>()[0] = static_cast<int64_t>(random() % kRows);
  return step;
}

/// The cache in plain C++.
class Twin {
 public:
  explicit Twin(bool late) : late_(late), cache_(2 * kRows * kWidth, 0) {}

  std::vector<float> Run(const Step& step) {
    const std::vector<float> former = cache_;
    const int64_t count = step.at.size();
    for (int64_t block = 0; block < 2; ++block) {
      for (int64_t i = 0; i < count; ++i) {
        const float* const from = step.x.data<float>() + (block * count + i) * kWidth;
        std::copy_n(from, kWidth, cache_.begin() + (block * kRows + step.at.data<int64_t>()[i]) * kWidth);
      }
    }
    std::vector<float> results;
    for (int64_t block = 0; block < 2; ++block) {
      for (int64_t i = 0; i < kWidth; ++i) {
        const auto place = static_cast<std::size_t>((block * kRows + step.which.data<int64_t>()[0]) * kWidth + i);
        results.push_back(cache_[place] + (late_ ? former[place] : 0));
      }
    }
    return results;
  }

 private:
  bool late_;
  std::vector<float> cache_;
};

std::vector<float> Results(Session& session, const Step& step) { return Numbers(session.Run(step.inputs()).front()); }

class ReplacedStateTest : public testing::TestWithParam<Case> {};

TEST_P(ReplacedStateTest, RunsEqualThoseOfPlainCode) {
  const RuntimeGraph graph = Built(Cache(GetParam()));
  std::vector<Session> sessions;
  std::vector<Twin> twins;
  for (int i = 0; i < 3; ++i) {
    sessions.push_back(graph.NewSession());
    twins.emplace_back(GetParam().late);
  }
  std::mt19937 random(7);
  for (int i = 0; i < 60; ++i) {
    const std::size_t which = random() % sessions.size();
    const Step step = RandomStep(random, 1 + random() % 3);
    ASSERT_EQ(Results(sessions[which], step), twins[which].Run(step)) << "run " << i << " of seed 7";
  }
}

TEST_P(ReplacedStateTest, ARestoredStateIsTheFormerOne) {
  const RuntimeGraph graph = Built(Cache(GetParam()));
  Session session = graph.NewSession();
  Twin twin(GetParam().late);
  std::mt19937 random(8);
  for (int i = 0; i < 4; ++i) {
    const Step step = RandomStep(random, 2);
    ASSERT_EQ(Results(session, step), twin.Run(step));
  }
  const StateSnapshot snapshot = session.Snapshot();
  for (int i = 0; i < 3; ++i) session.Run(RandomStep(random, 3).inputs());
  session.Restore(snapshot);
  for (int i = 0; i < 4; ++i) {
    const Step step = RandomStep(random, 1);
    ASSERT_EQ(Results(session, step), twin.Run(step));
  }
}

TEST_P(ReplacedStateTest, ARunThatFailsBehindTheUpdateLeavesTheState) {
  const RuntimeGraph graph = Built(Cache(GetParam()));
  Session session = graph.NewSession();
  Session second = graph.NewSession();
  Twin twin(GetParam().late);
  Twin second_twin(GetParam().late);
  std::mt19937 random(9);
  for (int i = 0; i < 12; ++i) {
    const Step step = RandomStep(random, 2);
    ASSERT_EQ(Results(session, step), twin.Run(step));
    Step wrong = RandomStep(random, 2);
    wrong.which.data<int64_t>()[0] = kRows;
    EXPECT_THAT(ErrorText(ErrorCode::kInput, [&] { session.Run(wrong.inputs()); }), HasSubstr("pick"));
    Step outside = RandomStep(random, 3);
    outside.at.data<int64_t>()[2] = kRows;  // the rows before it are written already
    EXPECT_THAT(ErrorText(ErrorCode::kInput, [&] { session.Run(outside.inputs()); }), HasSubstr("write"));
    const Step other = RandomStep(random, 2);
    EXPECT_THAT(ErrorText(ErrorCode::kInput,
                          [&] {
                            Session::RunTogether({&second, &session}, {other.inputs(), wrong.inputs()});
                          }),
                HasSubstr("pick"));
    ASSERT_EQ(Results(second, other), second_twin.Run(other));
  }
  const Step step = RandomStep(random, 1);
  const auto results = Session::RunTogether({&second, &session}, {step.inputs(), step.inputs()});
  EXPECT_EQ(Numbers(results[0].front()), second_twin.Run(step));
  EXPECT_EQ(Numbers(results[1].front()), twin.Run(step));
}

TEST_P(ReplacedStateTest, OnlyAStateThatIsReadLaterNeedsASecondCopy) {
  const RuntimeGraph graph = Built(Cache(GetParam()));
  Session session = graph.NewSession();
  std::mt19937 random(10);
  for (int i = 0; i < 3; ++i) session.Run(RandomStep(random, 2).inputs());
  const int64_t bytes = 2 * kRows * kWidth * static_cast<int64_t>(sizeof(float));
  EXPECT_EQ(session.StateBytes(), GetParam().late ? 2 * bytes : bytes);
}

TEST_P(ReplacedStateTest, WhatAProgramSetsIsNotChanged) {
  const RuntimeGraph graph = Built(Cache(GetParam()));
  Session session = graph.NewSession();
  const bool nested = GetParam().write == Write::kPartsOfParts;
  NdArray cache(RuntimeDataType::kTypeFloat32, nested ? Shape{2, 1, kRows, kWidth} : Shape{2, kRows, kWidth});
  std::fill_n(cache.data<float>(), cache.size(), 3.0F);
  session.set_input("cache", cache);
  std::mt19937 random(11);
  session.Run(RandomStep(random, 3).inputs());
  EXPECT_THAT(Numbers(cache), testing::Each(3.0F));
}

TEST_P(ReplacedStateTest, OnlyTheRowsThatChangeAreSaved) {
  if (GetParam().late || GetParam().write == Write::kPartIsRead) return;  // there the cache or a part of it is copied
  const RuntimeGraph graph = Built(Cache(GetParam()));
  std::mt19937 random(13);
  const Step step = RandomStep(random, 2);
  const bool nested = GetParam().write == Write::kPartsOfParts;
  const TensorSpec cache(RuntimeDataType::kTypeFloat32, nested ? Shape{2, 1, kRows, kWidth} : Shape{2, kRows, kWidth});
  const std::vector<std::shared_ptr<RuntimeOperator>> order = graph.get_topo_queues();
  const auto next = std::find_if(order.begin(), order.end(), [](const auto& op) { return op->name == "next"; });
  const ReplacedState state{3, (*next)->input_operands_seq.front().get()};
  const Program program = PlanProgram(order, {step.x.spec(), step.at.spec(), step.which.spec(), cache}, false,
                                      EnvironmentContext(), {state});
  int64_t bytes = 0;
  for (const StateUpdate& update : program.updates) {
    bytes += update.changed.rows.outer * update.changed.rows.count * update.changed.rows.row_bytes;
  }
  EXPECT_EQ(bytes, step.x.size() * static_cast<int64_t>(sizeof(float)));
}

INSTANTIATE_TEST_SUITE_P(Cases, ReplacedStateTest,
                         testing::Values(Case{Write::kIndexCopy, false}, Case{Write::kIndexCopy, true},
                                         Case{Write::kIndexPut, false}, Case{Write::kIndexPut, true},
                                         Case{Write::kParts, false}, Case{Write::kParts, true},
                                         Case{Write::kPartIsRead, false}, Case{Write::kPartsOfParts, false}),
                         [](const auto& info) { return info.param.name(); });

/// Other operators that change rows 4, 2 and 3 of a cache, whose numbers `at` gives.
struct OtherWrite {
  const char* name;
  std::vector<std::string> lines;
  bool adds;  ///< twice the new rows to the former ones
};

void PrintTo(const OtherWrite& write, std::ostream* stream) { *stream << write.name; }

class OtherWriteTest : public testing::TestWithParam<OtherWrite> {
 protected:
  OtherWriteTest() : graph_(Built(Source())), session_(graph_.NewSession()), cache_(2 * kRows * kWidth, 0) {}

  std::map<std::string, NdArray> Inputs(std::mt19937& random, int64_t which) const {
    Step step = RandomStep(random, 3);
    const std::vector<int64_t> places = GetParam().adds ? std::vector<int64_t>{4, 2, 3} : std::vector<int64_t>{2, 3, 4};
    std::copy(places.begin(), places.end(), step.at.data<int64_t>());
    step.which.data<int64_t>()[0] = which;
    return step.inputs();
  }

  void Update(const std::map<std::string, NdArray>& inputs) {
    const NdArray& x = inputs.at("x");
    const auto* const at = inputs.at("at").data<int64_t>();
    for (int64_t i = 0; i < x.size(); ++i) {
      const int64_t row = i / (3 * kWidth) * kRows + at[i / kWidth % 3];
      float& number = cache_[static_cast<std::size_t>(row * kWidth + i % kWidth)];
      number = GetParam().adds ? number + 2 * x.data<float>()[i] : x.data<float>()[i];
    }
  }

  RuntimeGraph graph_;
  Session session_;
  std::vector<float> cache_;

 private:
  static std::string Source() {
    std::vector<std::string> lines = {"pnnx.Input x 0 1 x #x=(2,3,4)f32", "pnnx.Input at 0 1 at #at=(3)i64",
                                      "pnnx.Input which 0 1 which #which=(1)i64",
                                      "pnnx.Input cache 0 1 c state=1 #c=(2,6,4)f32"};
    lines.insert(lines.end(), GetParam().lines.begin(), GetParam().lines.end());
    lines.insert(lines.end(), {"torch.index_select pick 2 1 n which p dim=1 $input=n $index=which",
                               "pnnx.Output out 1 0 p", "pnnx.Output next 1 0 n"});
    return Param(lines);
  }
};

TEST_P(OtherWriteTest, ChangesRowsInPlaceUnlessTheRunFails) {
  std::mt19937 random(12);
  for (int i = 0; i < 8; ++i) {
    const auto inputs = Inputs(random, i % kRows);
    session_.Run(inputs);
    Update(inputs);
    EXPECT_THAT(ErrorText(ErrorCode::kInput, [&] { session_.Run(Inputs(random, kRows)); }), HasSubstr("pick"));
  }
  for (int64_t row = 0; row < kRows; ++row) {
    const auto inputs = Inputs(random, row);
    const std::vector<float> picked = Numbers(session_.Run(inputs).front());
    Update(inputs);
    for (int64_t i = 0; i < 2 * kWidth; ++i) {
      const int64_t place = (i / kWidth * kRows + row) * kWidth + i % kWidth;
      EXPECT_EQ(picked[static_cast<std::size_t>(i)], cache_[static_cast<std::size_t>(place)]) << "row " << row;
    }
  }
  EXPECT_EQ(session_.StateBytes(), static_cast<int64_t>(cache_.size() * sizeof(float)));
}

INSTANTIATE_TEST_SUITE_P(
    Operators, OtherWriteTest,
    testing::Values(
        OtherWrite{"SliceScatter",
                   {"pnnx.Expression same 1 1 x y expr=mul(@0,1.0)",
                    "aten::slice_scatter write 2 1 c y n dim=1 start=2 end=5 step=1 $self=c $src=y #n=(2,6,4)f32"},
                   false},
        OtherWrite{"IndexAdd", {"torch.index_add write 3 1 c at x n dim=1 alpha=2 #n=(2,6,4)f32"}, true},
        OtherWrite{"IndexPutOfNegativeNumbersAdds",
                   {"pnnx.Expression twice 1 1 x y expr=mul(@0,2.0)", "pnnx.Expression back 1 1 at b expr=sub(@0,6)",
                    "pnnx.Expression places 1 1 b places expr=[None,@0]",
                    "aten::index_put write 3 1 c places y n accumulate=True $self=c $indices=places $values=y"},
                   true}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace kuiper_infer
