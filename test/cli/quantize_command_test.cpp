// SPDX-License-Identifier: MIT
// The command `kuiper quantize`: its files, its options, its errors.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <set>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "cli/program.hpp"
#include "data/npy.hpp"
#include "kernel/product/int8/kernel.hpp"
#include "kernel/product/product_kernels.hpp"
#include "runtime/graph_building.hpp"

namespace kuiper_infer::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr unsigned kSeed = 1910;

NdArray Random(const Shape& shape, unsigned seed) {
  std::mt19937 generator(kSeed + seed);
  std::normal_distribution<float> bell;
  NdArray array(RuntimeDataType::kTypeFloat32, shape);
  for (int64_t i = 0; i < array.size(); ++i) array.data<float>()[i] = bell(generator);
  return array;
}

class QuantizeTest : public testing::Test {
 protected:
  QuantizeTest() {
    std::filesystem::create_directory(samples_);
    pnnx::Graph graph;
    pnnx::Operand* at = kuiper_infer::AddInput(graph, 0, {1, 3, 12, 12});
    at = AddConvolution(graph, "first", at, 8, 3);
    at = AddConvolution(graph, "second", AddUnary(graph, "nn.ReLU", "relu", {at}), 9, 3);
    kuiper_infer::AddOutput(graph, 0, at);
    EXPECT_EQ(graph.save(param_, bin_), 0) << graph.error();
  }

  void WriteSamples(int count, const Shape& shape = {1, 3, 12, 12}) {
    for (int i = 0; i < count; ++i) {
      WriteNpy(samples_ + "/" + std::to_string(i) + ".npy", Random(shape, static_cast<unsigned>(i)));
    }
  }

  ProgramResult Quantize(const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"quantize", "--param", param_, "--bin", bin_, "--threads", "1"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return RunKuiper(arguments);
  }

  /// These layers are so small that their times in integers are random.
  ProgramResult QuantizeSamples(std::vector<std::string> more) {
    more.insert(more.end(), {"--inputs", samples_, "--output", output_, "--no-timing"});
    return Quantize(more);
  }

  /// Writes a program for --gate and returns its path.
  std::string Script(const std::string& body) {
    const std::string path = folder_ / "gate.sh";
    std::ofstream(path) << "#!/bin/sh\n" << body << "\n";
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path;
  }

  const TemporaryFolder folder_;
  const std::string param_ = folder_ / "m.pnnx.param";
  const std::string bin_ = folder_ / "m.pnnx.bin";
  const std::string samples_ = folder_ / "samples";
  const std::string output_ = folder_ / "m_int8";
};

void ExpectUsageError(const ProgramResult& result, const std::string& piece) {
  EXPECT_EQ(result.exit_code, 2) << result.err;
  EXPECT_THAT(result.err, HasSubstr(piece));
}

TEST_F(QuantizeTest, WritesAPairThatEveryCommandReads) {
  WriteSamples(4);
  const std::string float_param = ReadText(param_);
  const std::string float_bin = ReadText(bin_);
  const ProgramResult result = QuantizeSamples({});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(result.out, StartsWith("layer   type       form  output dB  ms before  ms after  reason\n"));
  EXPECT_THAT(result.out, HasSubstr("2 of 2 layers are in int8."));
  EXPECT_EQ(ReadText(param_), float_param);
  EXPECT_EQ(ReadText(bin_), float_bin);
  EXPECT_THAT(ReadText(output_ + ".quantize.csv"), HasSubstr("\nfirst,nn.Conv2d,int8,"));
  EXPECT_THAT(ReadText(output_ + ".svg"), StartsWith("<svg "));
  const std::string param = ReadText(output_ + ".pnnx.param");
  EXPECT_THAT(param, HasSubstr("nn.quantized.Quantize"));
  EXPECT_THAT(param, HasSubstr("@weight=(8,3,3,3)i8 @weight.q_per_channel_scales=(8)f64"));
  EXPECT_EQ(RunKuiper({"info", output_ + ".pnnx.param", output_ + ".pnnx.bin"}).exit_code, 0);
  const ProgramResult graph = RunKuiper({"graph", output_ + ".pnnx.param", output_ + ".pnnx.bin"});
  EXPECT_EQ(graph.exit_code, 0) << graph.err;
  if ((UsedInt8Unit() != Int8Unit::kPortable)) {
    EXPECT_THAT(graph.out, HasSubstr("uint8"));
  }

  const auto run = [&](const std::string& name, const std::string& out) {
    const ProgramResult ran = RunKuiper({"run", "--param", name + ".pnnx.param", "--bin", name + ".pnnx.bin", "--input",
                                         samples_ + "/0.npy", "--output-dir", folder_ / out});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    return ReadNpy(folder_ / out + "/out0.npy");
  };
  const NdArray wanted = run(folder_ / "m", "float");
  const NdArray found = run(output_, "int8");
  ASSERT_EQ(found.shape(), wanted.shape());
  double signal = 0;
  double noise = 0;
  for (int64_t i = 0; i < wanted.size(); ++i) {
    const double right = static_cast<double>(wanted.data<float>()[i]);
    signal += right * right;
    noise +=
        (static_cast<double>(found.data<float>()[i]) - right) * (static_cast<double>(found.data<float>()[i]) - right);
  }
  EXPECT_GT(noise, 0);
  EXPECT_LT(noise, signal / 1000) << "less than 30 dB";
}

TEST_F(QuantizeTest, PairsAreNarrowWhereTheyAreAskedFor) {
  WriteSamples(1);
  const auto run = [&](const std::string& pairs) { return QuantizeSamples({"--pairs", pairs}); };
  EXPECT_THAT(run("narrow").out, HasSubstr("Weights are rounded to narrow pairs"));
  const std::string narrow = ReadText(output_ + ".pnnx.bin");
  EXPECT_THAT(run("any").out, Not(HasSubstr("narrow pairs")));
  const std::string any = ReadText(output_ + ".pnnx.bin");
  EXPECT_EQ(narrow.size(), any.size());
  EXPECT_NE(narrow, any);
  run("auto");
  EXPECT_EQ(ReadText(output_ + ".pnnx.bin"), any) << "without times, the CPU doesn't count";
}

TEST_F(QuantizeTest, TakesPicturesOfAnySize) {
  pnnx::Graph graph;
  pnnx::Operand* at = kuiper_infer::AddInput(graph, 0, {1, 3, -1, -1});
  kuiper_infer::AddOutput(graph, 0, AddConvolution(graph, "only", at, 8, 3));
  ASSERT_EQ(graph.save(param_, bin_), 0) << graph.error();
  std::filesystem::copy(KUIPER_SOURCE_DIR "/tmp/shapes.png", samples_ + "/a.PNG");
  std::filesystem::copy(KUIPER_SOURCE_DIR "/tmp/line_invoice.jpg", samples_ + "/b.jpg");
  std::ofstream(samples_ + "/notes.txt") << "no picture";
  const ProgramResult result = Quantize({"--images", samples_, "--image-size", "32", "48", "--mean", "0.5", "--keep",
                                         "0.5", "--no-timing", "--output", output_});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("Over 2 samples"));
  std::ofstream(samples_ + "/c.png") << "no picture";
  ExpectErrorLine(Quantize({"--images", samples_, "--output", output_}), {"c.png"});
}

TEST_F(QuantizeTest, SeveralInputsHaveSubfolders) {
  pnnx::Graph graph;
  pnnx::Operand* const left = AddConvolution(graph, "left", kuiper_infer::AddInput(graph, 0, {1, 2, 6, 6}), 8, 3);
  pnnx::Operand* const right = AddConvolution(graph, "right", kuiper_infer::AddInput(graph, 1, {1, 3, 6, 6}), 8, 3);
  kuiper_infer::AddOutput(graph, 0, AddExpression(graph, "sum", "add(@0,@1)", {left, right}));
  ASSERT_EQ(graph.save(param_, bin_), 0) << graph.error();
  ExpectErrorLine(QuantizeSamples({}), {samples_ + "/pnnx_input_0: cannot be read as a folder of samples"});
  for (const char* input : {"pnnx_input_0", "pnnx_input_1"}) {
    std::filesystem::create_directory(samples_ + "/" + input);
  }
  WriteNpy(samples_ + "/pnnx_input_0/a.npy", Random({1, 2, 6, 6}, 0));
  WriteNpy(samples_ + "/pnnx_input_1/b.npy", Random({1, 3, 6, 6}, 1));
  ExpectErrorLine(QuantizeSamples({}), {"/pnnx_input_1: has no 'a.npy', expected the names of the files in "});
  WriteNpy(samples_ + "/pnnx_input_1/a.npy", Random({1, 3, 6, 6}, 1));
  ExpectErrorLine(QuantizeSamples({}), {"/pnnx_input_0: has no 'b.npy'"});
  std::filesystem::remove(samples_ + "/pnnx_input_1/b.npy");
  EXPECT_EQ(QuantizeSamples({}).exit_code, 0);
  ExpectErrorLine(Quantize({"--images", samples_, "--output", output_}), {"the model has 2 inputs"});
}

TEST_F(QuantizeTest, SamplesThatDoNotFitAreNamed) {
  ExpectErrorLine(QuantizeSamples({}), {samples_ + ": has no .npy files, expected one for each sample"});
  ExpectErrorLine(Quantize({"--images", samples_, "--output", output_}), {samples_ + ": has no PNG or JPEG files"});
  ExpectErrorLine(Quantize({"--inputs", samples_ + "/0.npy", "--output", output_}), {"cannot be read as a folder"});
  WriteSamples(2);
  WriteNpy(samples_ + "/1.npy", Random({1, 3, 12}, 1));
  ExpectErrorLine(QuantizeSamples({}), {samples_ + "/1.npy: ", "(1,3,12)"});
  WriteNpy(samples_ + "/1.npy", Random({1, 3, 12, 12}, 1).To(RuntimeDataType::kTypeFloat64));
  ExpectErrorLine(QuantizeSamples({}), {samples_ + "/1.npy: is float64 (1,3,12,12), expected float32", "--cast"});
  EXPECT_EQ(QuantizeSamples({"--cast"}).exit_code, 0);
  EXPECT_THAT(QuantizeSamples({"--samples", "1"}).out, HasSubstr("Over 1 sample,"));
}

/// An array of one number.
NdArray Filled(const Shape& shape, float number) {
  NdArray array(RuntimeDataType::kTypeFloat32, shape);
  std::fill(array.data<float>(), array.data<float>() + array.size(), number);
  return array;
}

TEST_F(QuantizeTest, SamplesThatTellNothingAreRefused) {
  WriteSamples(2);
  const std::string second = samples_ + "/1.npy";
  for (const std::vector<std::string>& gate :
       {std::vector<std::string>{}, {"--keep", "0.99", "--axis", "1"}, {"--sqnr", "20"}}) {
    WriteNpy(second, Filled({1, 3, 12, 12}, std::nanf("")));
    ExpectErrorLine(QuantizeSamples(gate), {second + ": input 'pnnx_input_0' holds nan at element 0 of 432"});
    NdArray one = Random({1, 3, 12, 12}, 1);
    one.data<float>()[100] = -std::numeric_limits<float>::infinity();
    WriteNpy(second, one);
    ExpectErrorLine(
        QuantizeSamples(gate),
        {second + ": ", gate.empty() ? "input 'pnnx_input_0', which layers are to read rounded, holds -inf at "
                                       "element 100 of 432, expected finite numbers"
                                     : "output 0 of the float model holds nan"});
    one.data<float>()[100] = 1e30F;
    WriteNpy(second, one);
    const ProgramResult large = QuantizeSamples(gate);
    EXPECT_EQ(large.exit_code, 0) << large.err;
  }
  EXPECT_TRUE(std::filesystem::exists(output_ + ".pnnx.param"));
}

TEST_F(QuantizeTest, SamplesOfZerosAreRefused) {
  for (const float number : {0.0F, -0.0F, 1e-41F}) {
    WriteNpy(samples_ + "/0.npy", Filled({1, 3, 12, 12}, number));
    // The second convolution reads the first one's bias.
    const ProgramResult result = QuantizeSamples({});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("first   nn.Conv2d  float"));
    EXPECT_THAT(result.out, HasSubstr("its input holds nothing but zeros in the samples"));
  }
  pnnx::Graph graph;
  pnnx::Operand* at = kuiper_infer::AddInput(graph, 0, {-1, 3, 12, 12});
  at = AddConvolution(graph, "only", at, 8, 3);
  at->producer->attrs["bias"] = pnnx::Attribute({8}, std::vector<float>(8));
  kuiper_infer::AddOutput(graph, 0, at);
  ASSERT_EQ(graph.save(param_, bin_), 0) << graph.error();
  for (const NdArray& sample : {Filled({1, 3, 12, 12}, 0), Filled({0, 3, 12, 12}, 0)}) {
    WriteNpy(samples_ + "/0.npy", sample);
    ExpectErrorLine(QuantizeSamples({}), {"the inputs of all layers hold only zeros in the samples"});
    ExpectErrorLine(QuantizeSamples({"--sqnr", "20"}), {"the outputs are zero in every sample"});
    ExpectErrorLine(QuantizeSamples({"--keep", "0.9"}), {"there is no top answer to keep"});
  }
}

TEST_F(QuantizeTest, TheFloatModelIsNeverTouched) {
  WriteSamples(1);
  ExpectErrorLine(Quantize({"--inputs", samples_, "--output", folder_ / "m"}),
                  {folder_ / "m.pnnx.param: is a file of the float model, expected --output with another name"});
  std::filesystem::create_symlink(bin_, folder_ / "other.pnnx.bin");
  ExpectErrorLine(Quantize({"--inputs", samples_, "--output", folder_ / "other"}), {"other.pnnx.bin: is a file of"});
  ExpectErrorLine(Quantize({"--inputs", samples_, "--output", folder_ / "absent/x"}),
                  {"/absent: is not a folder that can be written to"});
}

/// Limits the size of files that this process and its children can write, as on a full disk, as long as it lives.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &former_);
    const rlimit limit{bytes, former_.rlim_max};
    EXPECT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &former_);
    std::signal(SIGXFSZ, handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  void (*handler_)(int);
  rlimit former_{};
};

TEST_F(QuantizeTest, AFullDiskLeavesTheFilesThatAreThere) {
  WriteSamples(1);
  const std::vector<std::string> endings = {".pnnx.param", ".pnnx.bin", ".quantize.csv", ".svg"};
  std::size_t most = 0;
  ASSERT_EQ(QuantizeSamples({}).exit_code, 0);
  for (const std::string& ending : endings) most = std::max(most, ReadText(output_ + ending).size());
  for (const std::string& ending : endings) std::ofstream(output_ + ending) << "old " << ending;
  std::size_t failures = 0;
  // The first limit leaves room for the error. The reports hold times, whose lengths vary by a few bytes.
  for (std::size_t bytes = most / 8; bytes < most * 9 / 10; bytes += most / 8) {
    SCOPED_TRACE(bytes);
    const FileSizeLimit limit(bytes);
    ExpectErrorLine(QuantizeSamples({}), {output_, "File too large"});
    for (const std::string& ending : endings) EXPECT_EQ(ReadText(output_ + ending), "old " + ending);
    ++failures;
  }
  EXPECT_GE(failures, 7U);
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) names.insert(entry.path().filename());
  EXPECT_EQ(names, (std::set<std::string>{"m.pnnx.bin", "m.pnnx.param", "m_int8.pnnx.bin", "m_int8.pnnx.param",
                                          "m_int8.quantize.csv", "m_int8.svg", "samples"}));
  EXPECT_EQ(QuantizeSamples({}).exit_code, 0);
  EXPECT_THAT(ReadText(output_ + ".svg"), StartsWith("<svg "));

  std::filesystem::remove(output_ + ".svg");
  std::filesystem::create_directory(output_ + ".svg");
  ExpectErrorLine(QuantizeSamples({}), {"m_int8.svg: is not a regular file, expected --output with another name"});
}

TEST_F(QuantizeTest, OptionsThatDoNotGoTogetherAreWrongUsage) {
  ExpectUsageError(Quantize({"--output", output_}), "one of --images, --inputs and --weights-only is required");
  ExpectUsageError(QuantizeSamples({"--images", samples_}), "--images");
  ExpectUsageError(QuantizeSamples({"--weights-only", "int8"}), "--weights-only");
  ExpectUsageError(QuantizeSamples({"--group", "32"}), "--group goes with --weights-only");
  ExpectUsageError(Quantize({"--weights-only", "int2", "--output", output_}), "int2");
  ExpectUsageError(Quantize({"--weights-only", "int4", "--group", "33", "--output", output_}), "33");
  ExpectUsageError(Quantize({"--weights-only", "int4", "--keep", "0.9", "--output", output_}), "gates need samples");
  ExpectUsageError(QuantizeSamples({"--keep", "1.5"}), "1.5");
  ExpectUsageError(QuantizeSamples({"--keep", "0.9", "--sqnr", "20"}), "--sqnr");
  ExpectUsageError(QuantizeSamples({"--gate", "true"}), "--gate and --at-least go together");
  ExpectUsageError(QuantizeSamples({"--at-least", "1"}), "--gate and --at-least go together");
  ExpectUsageError(QuantizeSamples({"--observer", "maximum"}), "maximum");
  ExpectUsageError(QuantizeSamples({"--pairs", "wide"}), "wide");
  for (const char* option : {"--keep", "--sqnr", "--percentile", "--at-least", "--gate-timeout"}) {
    ExpectUsageError(QuantizeSamples({"--gate", "true", option, "nan"}), option);
    ExpectUsageError(QuantizeSamples({"--gate", "true", option, "inf"}), option);
    ExpectUsageError(QuantizeSamples({"--gate", "true", option, "-inf"}), option);
    ExpectUsageError(QuantizeSamples({"--gate", "true", option, "1e999"}), option);
    ExpectUsageError(QuantizeSamples({"--gate", "true", option, "many"}), option);
  }
  for (const char* option : {"--samples", "--axis", "--threads", "--group"}) {
    for (const char* value : {"nan", "inf", "0.5", "99999999999999999999", "many"}) {
      ExpectUsageError(QuantizeSamples({option, value}), option);
    }
  }
  ExpectUsageError(QuantizeSamples({"--samples", "-1"}), "--samples");
  ExpectUsageError(Quantize({"--weights-only", "int8", "--pairs", "narrow", "--output", output_}),
                   "--pairs needs samples");
  EXPECT_EQ(RunKuiper({"quantize", "--help"}).exit_code, 0);
}

TEST_F(QuantizeTest, GatesHoldOrSayWhyNot) {
  WriteSamples(3);
  const ProgramResult kept = QuantizeSamples({"--keep", "0.9", "--axis", "1"});
  EXPECT_EQ(kept.exit_code, 0) << kept.err;
  EXPECT_THAT(kept.out, HasSubstr("The gate holds: share of top answers kept is "));
  EXPECT_THAT(QuantizeSamples({"--sqnr", "140"}).out, HasSubstr("0 of 2 layers are in int8."));
  for (const std::string axis : {"4", "-5", "4294967296", "-9223372036854775808"}) {
    ExpectErrorLine(QuantizeSamples({"--keep", "0.9", "--axis", axis}),
                    {"the first output (1,9,12,12) has no axis " + axis});
  }
}

TEST_F(QuantizeTest, AGateMayBeAProgram) {
  WriteSamples(2);
  const ProgramResult count =
      QuantizeSamples({"--gate", Script("test -s \"$1\" && grep -c Quantize \"$1\" || true"), "--at-least", "0"});
  ASSERT_EQ(count.exit_code, 0) << count.err;
  EXPECT_THAT(count.out, HasSubstr("gate.sh' prints is 2, expected at least 0."));
  const ProgramResult fewer =
      QuantizeSamples({"--gate", Script("echo $((1 - $(grep -c Quantize \"$1\")))"), "--at-least", "0"});
  ASSERT_EQ(fewer.exit_code, 0) << fewer.err;
  EXPECT_THAT(fewer.out, HasSubstr("1 of 2 layers are in int8."));
  EXPECT_FALSE(std::filesystem::exists(output_ + ".trial.pnnx.param"));
  EXPECT_FALSE(std::filesystem::exists(output_ + ".trial.pnnx.bin"));
}

TEST_F(QuantizeTest, ProgramsThatFailAreNamed) {
  WriteSamples(1);
  const auto gate = [&](const std::string& program) {
    return QuantizeSamples({"--gate", program, "--at-least", "0.5"});
  };
  ExpectErrorLine(gate(folder_ / "absent"), {"absent': cannot be started: "});
  ExpectErrorLine(gate(Script("exit 3")), {"gate.sh': ended with exit code 3"});
  ExpectErrorLine(gate(Script("echo 0.9 of all")), {"gate.sh': prints '0.9 of all ', expected one number"});
  ExpectErrorLine(gate(Script("true")), {"gate.sh': prints '', expected one number"});
  ExpectErrorLine(gate(Script("kill -9 $$")), {"gate.sh': was ended by signal 9"});
  ExpectErrorLine(gate(Script("echo 0.25")), {"the gate cannot hold: the number that '",
                                              "' prints is 0.25 for the float model itself, expected at "
                                              "least 0.5"});
}

/// Returns whether a process still runs that a gate has started and whose number it has written to a file. A process
/// that was killed takes a moment to end, longer on a busy machine.
bool RunsStill(const std::string& file) {
  const std::string path = "/proc/" + std::to_string(std::stoi(ReadText(file))) + "/stat";
  const auto latest = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (std::chrono::steady_clock::now() < latest) {
    std::ifstream stat(path);
    std::string number;
    std::string name;
    std::string state;
    if (!(stat >> number >> name >> state) || state == "Z" || state == "X") return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return true;
}

TEST_F(QuantizeTest, NoGateTakesForEverOrLeavesProcesses) {
  WriteSamples(1);
  const std::string started = folder_ / "started";
  const std::string start = "sleep 1000 & echo $! >" + started + "; ";
  const auto gate = [&](const std::string& body) {
    return QuantizeSamples({"--gate", Script(body), "--at-least", "1", "--gate-timeout", "0.5"});
  };
  ExpectErrorLine(gate(start + "yes 1"), {"gate.sh': prints more than 4096 bytes, expected one number"});
  EXPECT_FALSE(RunsStill(started));
  for (const std::string end : {"wait", "exec >&-; wait", "trap '' TERM; wait; wait; sleep 1000"}) {
    ExpectErrorLine(gate(start + end),
                    {"gate.sh': has not ended after 0.5 s, expected a number within --gate-timeout"});
    EXPECT_FALSE(RunsStill(started)) << end;
  }
  const ProgramResult left = gate(start + "echo 1");
  EXPECT_EQ(left.exit_code, 0) << left.err;
  EXPECT_FALSE(RunsStill(started)) << "it keeps the output open";
  EXPECT_FALSE(std::filesystem::exists(output_ + ".trial.pnnx.param"));
  ExpectUsageError(QuantizeSamples({"--gate", "true", "--at-least", "1", "--gate-timeout", "0"}), "--gate-timeout");
}

TEST_F(QuantizeTest, SignalsEndTheGateAndLeaveNoFiles) {
  WriteSamples(1);
  const std::string started = folder_ / "started";
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
    struct sigaction inherited {};
    sigaction(signal, nullptr, &inherited);
    if (inherited.sa_handler == SIG_IGN) continue;
    const std::string script =
        Script("sleep 1000 & echo $! >" + started + "; kill -" + std::to_string(signal) + " $PPID; wait");
    const ProgramResult result = QuantizeSamples({"--gate", script, "--at-least", "1"});
    EXPECT_EQ(result.signal, signal) << result.err;
    EXPECT_FALSE(RunsStill(started)) << signal;
    EXPECT_FALSE(std::filesystem::exists(output_ + ".trial.pnnx.param"));
    EXPECT_FALSE(std::filesystem::exists(output_ + ".trial.pnnx.bin"));
  }
}

TEST_F(QuantizeTest, WeightsAloneNeedNoSamples) {
  pnnx::Graph graph;
  pnnx::Operand* const input = kuiper_infer::AddInput(graph, 0, {2, 96});
  pnnx::Operand* const result = AddUnary(graph, "nn.Linear", "fc", {input});
  result->producer->params = {{"bias", false}, {"in_features", 96}, {"out_features", 96}};
  const NdArray weight = Random({96, 96}, 7);
  result->producer->attrs["weight"] =
      pnnx::Attribute({96, 96}, {weight.data<float>(), weight.data<float>() + weight.size()});
  kuiper_infer::AddOutput(graph, 0, result);
  ASSERT_EQ(graph.save(param_, bin_), 0) << graph.error();
  WriteNpy(folder_ / "x.npy", Random({2, 96}, 8));
  for (const std::string form : {"int8", "int4"}) {
    const ProgramResult four = Quantize({"--weights-only", form, "--group", "32", "--output", output_});
    ASSERT_EQ(four.exit_code, 0) << four.err;
    EXPECT_THAT(four.out, HasSubstr("fc     nn.Linear  " + form));
    EXPECT_THAT(ReadText(output_ + ".pnnx.param"), HasSubstr("@weight.q_group_scales=(96,3)f32"));
    EXPECT_LT(std::filesystem::file_size(output_ + ".pnnx.bin"), std::filesystem::file_size(bin_) / 3);
    EXPECT_EQ(RunKuiper({"run", "--param", output_ + ".pnnx.param", "--bin", output_ + ".pnnx.bin", "--input",
                         folder_ / "x.npy"})
                  .exit_code,
              0);
  }
  for (const std::string form : {"int8", "int4"}) {
    const ProgramResult asymmetric =
        Quantize({"--weights-only", form, "--asymmetric", "--group", "32", "--output", output_});
    ASSERT_EQ(asymmetric.exit_code, 0) << asymmetric.err;
    EXPECT_THAT(asymmetric.out, HasSubstr("fc     nn.Linear  asymmetric " + form));
    EXPECT_THAT(ReadText(output_ + ".pnnx.param"), HasSubstr("@weight.q_group_scales=(96,3)f16"));
    EXPECT_THAT(ReadText(output_ + ".pnnx.param"), HasSubstr("@weight.q_group_minimums=(96,3)f16"));
    const ProgramResult profile =
        RunKuiper({"profile", "--param", output_ + ".pnnx.param", "--bin", output_ + ".pnnx.bin", "--runs", "1"});
    EXPECT_EQ(profile.exit_code, 0) << profile.err;
    if (kernel::HasProductKernels(UsedUnits())) {
      EXPECT_THAT(profile.out, HasSubstr("asymmetric " + form + " weights"));
    }
  }
  ExpectUsageError(QuantizeSamples({"--asymmetric"}), "--asymmetric goes with --weights-only");
  ExpectErrorLine(RunKuiper({"quantize", "--param", output_ + ".pnnx.param", "--bin", output_ + ".pnnx.bin",
                             "--weights-only", "int8", "--output", folder_ / "again"}),
                  {"m_int8.pnnx.param: has no linear layer and no embedding with float32 weights"});
}

}  // namespace
}  // namespace kuiper_infer::test
