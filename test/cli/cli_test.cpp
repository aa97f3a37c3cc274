// SPDX-License-Identifier: MIT
// The contract of the command line: exit codes, messages, files, JSON.
#include <algorithm>
#include <complex>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <sched.h>
#include <set>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/program.hpp"
#include "data/npy.hpp"
#include "kernel/product/product_kernels.hpp"
#include "kuiper_infer/runtime/ir.h"
#include "kuiper_infer/version.h"
#include "utils/environment_variable.hpp"
#include "utils/threads/thread_pool.hpp"

namespace kuiper_infer::test {
namespace {

/// Makes an operand with a recorded shape, as the converter does.
pnnx::Operand* NewOperand(pnnx::Graph& graph, const std::string& name, pnnx::Operator* producer,
                          std::vector<int> shape) {
  pnnx::Operand* operand = graph.new_operand(name);
  operand->type = 1;
  operand->shape = std::move(shape);
  operand->has_shape = true;
  operand->producer = producer;
  producer->outputs.push_back(operand);
  return operand;
}

void Connect(pnnx::Operand* operand, pnnx::Operator* consumer) {
  operand->consumers.push_back(consumer);
  consumer->inputs.push_back(operand);
}

class CliTest : public testing::Test {
 protected:
  CliTest() : param_(folder_ / "m.param"), bin_(folder_ / "m.bin") {}

  /// y = x W + b with W = ((1,1),(2,2),(3,3)), b = (10,20).
  void SaveLinear() {
    pnnx::Graph graph;
    pnnx::Operator* input = graph.new_operator("pnnx.Input", "pnnx_input_0");
    pnnx::Operator* linear = graph.new_operator("nn.Linear", "fc");
    pnnx::Operator* output = graph.new_operator("pnnx.Output", "pnnx_output_0");
    Connect(NewOperand(graph, "0", input, {2, 3}), linear);
    Connect(NewOperand(graph, "1", linear, {2, 2}), output);
    linear->params = {{"bias", true}, {"in_features", 3}, {"out_features", 2}};
    linear->attrs["weight"] = pnnx::Attribute({2, 3}, {1, 2, 3, 1, 2, 3});
    linear->attrs["bias"] = pnnx::Attribute({2}, {10, 20});
    ASSERT_EQ(graph.save(param_, bin_), 0) << graph.error();
  }

  /// Two inputs of shape (?,3), their difference and their sum.
  void SavePair() {
    pnnx::Graph graph;
    pnnx::Operator* first = graph.new_operator("pnnx.Input", "pnnx_input_0");
    pnnx::Operator* second = graph.new_operator("pnnx.Input", "pnnx_input_1");
    pnnx::Operand* left = NewOperand(graph, "0", first, {-1, 3});
    pnnx::Operand* right = NewOperand(graph, "1", second, {-1, 3});
    for (int k = 0; k < 2; ++k) {
      const std::string number = std::to_string(k);
      pnnx::Operator* expression = graph.new_operator("pnnx.Expression", "expr_" + number);
      expression->params["expr"] = k == 0 ? "sub(@0,@1)" : "add(@0,@1)";
      Connect(left, expression);
      Connect(right, expression);
      pnnx::Operator* output = graph.new_operator("pnnx.Output", "pnnx_output_" + number);
      Connect(NewOperand(graph, std::to_string(2 + k), expression, {-1, 3}), output);
    }
    ASSERT_EQ(graph.save(param_, bin_), 0) << graph.error();
  }

  /// A file with the numbers 0, 1, 2, ... in the given type.
  std::string SaveArray(const std::string& name, const Shape& shape,
                        RuntimeDataType type = RuntimeDataType::kTypeFloat32) const {
    const NdArray values(RuntimeDataType::kTypeFloat32, shape);
    for (int64_t i = 0; i < values.size(); ++i) values.data<float>()[i] = static_cast<float>(i);
    WriteNpy(folder_ / name, values.To(type));
    return folder_ / name;
  }

  ProgramResult Run(const std::vector<std::string>& more) const {
    std::vector<std::string> arguments = {"run", "--param", param_, "--bin", bin_};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return RunKuiper(arguments);
  }

  const TemporaryFolder folder_;
  const std::string param_;
  const std::string bin_;
};

std::vector<float> Floats(const NdArray& array) { return {array.data<float>(), array.data<float>() + array.size()}; }

const std::vector<std::string> kCommands = {"run", "info", "bench", "profile", "graph", "ops"};

TEST_F(CliTest, HelpShowsExamples) {
  std::vector<std::vector<std::string>> calls = {{"--help"}};
  for (const std::string& command : kCommands) calls.push_back({command, "--help"});
  for (const auto& call : calls) {
    const ProgramResult result = RunKuiper(call);
    EXPECT_EQ(result.exit_code, 0) << call.front();
    EXPECT_NE(result.out.find("Example"), std::string::npos) << call.front();
    EXPECT_NE(result.out.find("kuiper "), std::string::npos) << call.front();
    EXPECT_EQ(result.err, "");
  }
}

TEST_F(CliTest, WrongUsageEndsWithTwo) {
  const std::vector<std::vector<std::string>> calls = {
      {},
      {"dance"},
      {"--no-such-option"},
      {"run"},
      {"run", "--bin", "m.bin"},
      {"run", "--param", "m.param"},
      {"run", "--param", "m.param", "--bin", "m.bin", "--no-such-option"},
      {"run", "--param", "m.param", "--bin", "m.bin", "--threads", "many"},
      {"run", "--param", "m.param", "--bin", "m.bin", "--threads", "-1"},
      {"run", "--param", "m.param", "--bin", "m.bin", "--convolution", "magic"},
      {"profile", "--param", "m.param", "--bin", "m.bin", "--no-fusion=maybe"},
      {"info"},
      {"bench", "--param", "m.param"},
      {"bench", "--param", "m.param", "--bin", "m.bin", "--seconds", "soon"},
      {"bench", "--param", "m.param", "--bin", "m.bin", "--precision", "exact"},
      {"ops", "--json", "more"},
  };
  for (const auto& call : calls) {
    std::string text;
    for (const std::string& argument : call) text += " " + argument;
    const ProgramResult result = RunKuiper(call);
    EXPECT_EQ(result.exit_code, 2) << "kuiper" << text;
    EXPECT_NE(result.err, "") << "kuiper" << text;
    EXPECT_EQ(result.out, "") << "kuiper" << text;
  }
}

TEST_F(CliTest, VersionIsOneLine) {
  const ProgramResult result = RunKuiper({"--version"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "kuiper " KUIPER_VERSION "\n");
  EXPECT_EQ(result.err, "");
}

TEST_F(CliTest, UnknownCommandsAreNamedWithTheNearestOne) {
  const auto expect = [](const std::vector<std::string>& call, const std::string& word, const std::string& nearest) {
    const ProgramResult result = RunKuiper(call);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err,
                testing::StartsWith("error: unknown command '" + word + "', the nearest one is '" + nearest + "'"));
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1);
  };
  expect({"frob"}, "frob", "run");
  expect({"prfile", "--param", "m.param"}, "prfile", "profile");
  expect({"--verbose", "grpah"}, "grpah", "graph");
  expect({"ifno\n", "m.param"}, "ifno ", "info");
  EXPECT_THAT(RunKuiper({"--no-such-option"}).err, testing::Not(testing::HasSubstr("unknown command")));
}

/// Output that can't be printed is an error.
TEST_F(CliTest, OutputThatCannotBeWrittenIsAnError) {
  SaveLinear();
  const std::string x = SaveArray("x.npy", {2, 3});
  const std::vector<std::string> model = {"--param", param_, "--bin", bin_, "--input", x};
  std::vector<std::vector<std::string>> calls = {
      {"--help"}, {"run", "--help"}, {"ops"}, {"ops", "--json"}, {"info", param_, bin_}};
  for (std::vector<std::string> call :
       std::vector<std::vector<std::string>>{{"run"},
                                             {"profile"},
                                             {"profile", "--precision", "medium"},
                                             {"bench", "--seconds", "0.01"},
                                             {"bench", "--seconds", "0.01", "--json"}}) {
    call.insert(call.end(), model.begin(), model.end());
    calls.push_back(std::move(call));
  }
  int pipe_ends[2];
  ASSERT_EQ(pipe(pipe_ends), 0);
  close(pipe_ends[0]);
  const int full = open("/dev/full", O_WRONLY);
  ASSERT_GE(full, 0);
  constexpr int kClosed = -1;
  for (const auto& call : calls) {
    SCOPED_TRACE(call.front());
    ExpectErrorLine(RunKuiperInto(full, call), {"error: cannot write to standard output: No space left on device"});
    ExpectErrorLine(RunKuiperInto(pipe_ends[1], call), {"error: cannot write to standard output: Broken pipe"});
    ExpectErrorLine(RunKuiperInto(kClosed, call), {"error: cannot write to standard output: Bad file descriptor"});
  }
  close(pipe_ends[1]);
  // A command that prints nothing needs no standard output.
  const ProgramResult silent =
      RunKuiperInto(kClosed, {"run", "--param", param_, "--bin", bin_, "--input", x, "--output-dir", folder_ / "out"});
  EXPECT_EQ(silent.exit_code, 0) << silent.err;
  EXPECT_EQ(ReadNpy(folder_ / "out/out0.npy").shape(), (Shape{2, 2}));
  close(full);
}

TEST_F(CliTest, ThreadsAreAsManyAsCanHelpOneRun) {
  SaveLinear();
  const std::string x = SaveArray("x.npy", {2, 3});
  const std::string most = std::to_string(kMostThreads);
  EXPECT_EQ(Run({"--input", x, "--threads", most}).exit_code, 0);
  const ProgramResult more = Run({"--input", x, "--threads", std::to_string(kMostThreads + 1)});
  EXPECT_EQ(more.exit_code, 2);
  EXPECT_THAT(more.err, testing::HasSubstr("--threads"));
  EXPECT_THAT(more.err, testing::HasSubstr(most));
}

/// Returns the number of threads of `bench`, started with OMP_NUM_THREADS (empty: unset) and a mask of one CPU.
int ThreadsOnOneCpu(std::vector<std::string> call, const std::string& number) {
  cpu_set_t former;
  EXPECT_EQ(sched_getaffinity(0, sizeof(former), &former), 0);
  cpu_set_t one;
  CPU_ZERO(&one);
  int cpu = 0;
  while (!CPU_ISSET(cpu, &former)) ++cpu;
  CPU_SET(cpu, &one);
  const EnvironmentVariable variable("OMP_NUM_THREADS", number);
  if (number.empty()) unsetenv("OMP_NUM_THREADS");
  EXPECT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
  call.insert(call.begin(), "bench");
  call.insert(call.end(), {"--seconds", "0.01", "--json"});
  const ProgramResult result = RunKuiper(call);
  EXPECT_EQ(sched_setaffinity(0, sizeof(former), &former), 0);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return nlohmann::json::parse(result.out).at("threads").get<int>();
}

TEST_F(CliTest, ThreadsAreAsManyAsTheMaskHasCpusUnlessANumberIsGiven) {
  SaveLinear();
  const std::vector<std::string> model = {"--param", param_, "--bin", bin_, "--shape", "pnnx_input_0=2,3"};
  EXPECT_EQ(ThreadsOnOneCpu(model, ""), 1);
  EXPECT_EQ(ThreadsOnOneCpu(model, "3"), 3);
  std::vector<std::string> two = model;
  two.insert(two.end(), {"--threads", "2"});
  EXPECT_EQ(ThreadsOnOneCpu(two, "3"), 2) << "what is asked for comes first";
}

TEST_F(CliTest, RunWritesTheOutput) {
  SaveLinear();
  const ProgramResult result = Run({"--input", SaveArray("x.npy", {2, 3}), "--output-dir", folder_ / "new/out"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, "");
  const NdArray output = ReadNpy(folder_ / "new/out/out0.npy");
  EXPECT_EQ(output.shape(), (Shape{2, 2}));
  EXPECT_EQ(Floats(output), (std::vector<float>{18, 28, 36, 46}));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "new/out/out1.npy"));
}

TEST_F(CliTest, RunPrintsASummaryWithoutAFolder) {
  SaveLinear();
  const ProgramResult result = Run({"--input", SaveArray("x.npy", {2, 3})});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  for (const char* piece : {"out0", "float32", "(2,2)", "mean 32", "std", "min 18", "max 46", "18 28 36 46"}) {
    EXPECT_NE(result.out.find(piece), std::string::npos) << piece << " in " << result.out;
  }
}

TEST_F(CliTest, RunDumpsEveryArray) {
  std::ofstream(param_) << "7767517\n4 3\npnnx.Input in 0 1 x #x=(3)f32\nF.relu relu 1 1 x a/../b\n"
                           "F.sigmoid sigmoid 1 1 a/../b .c\npnnx.Output out 1 0 .c\n";
  pnnx::Graph empty;
  ASSERT_EQ(empty.save(folder_ / "empty.param", bin_), 0) << empty.error();
  const std::string x = SaveArray("x.npy", {3});
  const ProgramResult result = Run({"--input", x, "--dump", folder_ / "all"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(Floats(ReadNpy(folder_ / "all/x.npy")), (std::vector<float>{0, 1, 2}));
  // A name cannot lead out of the folder, nor hide the file.
  EXPECT_EQ(Floats(ReadNpy(folder_ / "all/a_.._b.npy")), (std::vector<float>{0, 1, 2}));
  EXPECT_EQ(Floats(ReadNpy(folder_ / "all/_c.npy")).front(), 0.5F);
  ExpectErrorLine(Run({"--input", x, "--dump", x}), {x, "folder"});
}

TEST_F(CliTest, InputsByOrderAndByName) {
  SavePair();
  const std::string x = SaveArray("x.npy", {2, 3});
  const std::string one = SaveArray("one.npy", {1, 3});
  ProgramResult result = Run({"--input", x, "--input", one, "--output-dir", folder_ / "order"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(Floats(ReadNpy(folder_ / "order/out0.npy")), (std::vector<float>{0, 0, 0, 3, 3, 3}));
  EXPECT_EQ(Floats(ReadNpy(folder_ / "order/out1.npy")), (std::vector<float>{0, 2, 4, 3, 5, 7}));
  result = Run({"--input", "pnnx_input_1=" + x, "--input", one, "--output-dir", folder_ / "name"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(Floats(ReadNpy(folder_ / "name/out0.npy")), (std::vector<float>{0, 0, 0, -3, -3, -3}));
}

TEST_F(CliTest, RealNumbersOfOtherWidthsAreConverted) {
  SaveLinear();
  for (const RuntimeDataType type : {RuntimeDataType::kTypeFloat64, RuntimeDataType::kTypeFloat16}) {
    const ProgramResult result =
        Run({"--input", SaveArray("x.npy", {2, 3}, type), "--output-dir", folder_ / TypeName(type)});
    if (result.exit_code != 0) {  // an error is fine, wrong results are not
      ExpectErrorLine(result, {"pnnx_input_0", TypeName(type), "float32"});
      continue;
    }
    EXPECT_EQ(Floats(ReadNpy(folder_ / (std::string(TypeName(type)) + "/out0.npy"))),
              (std::vector<float>{18, 28, 36, 46}));
  }
}

TEST_F(CliTest, CastConvertsFilesOfOtherElementTypes) {
  SaveLinear();
  for (const RuntimeDataType type :
       {RuntimeDataType::kTypeFloat64, RuntimeDataType::kTypeInt32, RuntimeDataType::kTypeFloat32}) {
    const std::string x = SaveArray("x.npy", {2, 3}, type);
    const ProgramResult result = Run({"--cast", "--input", x, "--output-dir", folder_ / TypeName(type)});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(Floats(ReadNpy(folder_ / (std::string(TypeName(type)) + "/out0.npy"))),
              (std::vector<float>{18, 28, 36, 46}));
    if (type != RuntimeDataType::kTypeFloat32) {
      ExpectErrorLine(Run({"--input", x}), {x, TypeName(type), "pnnx_input_0", "float32 (2,3)", "--cast"});
    }
  }
  const std::string complex = SaveArray("c.npy", {2, 3}, RuntimeDataType::kTypeComplex64);
  ExpectErrorLine(Run({"--cast", "--input", complex}), {complex, "complex64", "cannot be cast"});
  ExpectErrorLine(Run({"--cast", "--input", SaveArray("rank.npy", {6}, RuntimeDataType::kTypeInt32)}),
                  {"(6)", "(2,3)"});
}

TEST_F(CliTest, InputsWithoutARecordedTypeTakeAny) {
  std::ofstream(param_) << "7767517\n3 2\npnnx.Input in 0 1 0\nF.relu relu 1 1 0 1\npnnx.Output out 1 0 1\n";
  pnnx::Graph empty;
  ASSERT_EQ(empty.save(folder_ / "empty.param", bin_), 0) << empty.error();
  for (const char* cast : {"", "--cast"}) {
    std::vector<std::string> more = {"--input", SaveArray("x.npy", {3}, RuntimeDataType::kTypeInt32), "--output-dir",
                                     folder_ / "out"};
    if (*cast != '\0') more.insert(more.begin(), cast);
    const ProgramResult result = Run(more);
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(ReadNpy(folder_ / "out/out0.npy").type(), RuntimeDataType::kTypeInt32);
  }
}

TEST_F(CliTest, AbsentFilesAreNamed) {
  SaveLinear();
  const std::string x = SaveArray("x.npy", {2, 3});
  ExpectErrorLine(RunKuiper({"run", "--param", "/no/such.param", "--bin", bin_, "--input", x}), {"/no/such.param"});
  ExpectErrorLine(RunKuiper({"run", "--param", param_, "--bin", "/no/such.bin", "--input", x}), {"/no/such.bin"});
  ExpectErrorLine(RunKuiper({"run", "--param", folder_.path(), "--bin", bin_, "--input", x}), {folder_.path()});
  ExpectErrorLine(RunKuiper({"run", "--param", param_, "--bin", folder_.path(), "--input", x}), {folder_.path()});
  ExpectErrorLine(RunKuiper({"info", "/no/such.param"}), {"/no/such.param"});
  ExpectErrorLine(RunKuiper({"bench", "--param", "/no/such.param", "--bin", bin_}), {"/no/such.param"});
  ExpectErrorLine(Run({"--input", "/no/such.npy"}), {"/no/such.npy"});
  ExpectErrorLine(Run({"--input", folder_.path()}), {folder_.path()});
  ExpectErrorLine(Run({"--input", "pnnx_input_0=/no/such.npy"}), {"/no/such.npy"});
  ExpectErrorLine(Run({"--input", x, "--output-dir", x}), {x});
}

/// The error for another framework's file tells how to convert it.
TEST_F(CliTest, ModelsOfOtherFormatsNameTheWay) {
  for (const auto& [ending, way] : std::map<std::string, std::string>{{".onnx", "`pnnx FILE.onnx` writes one"},
                                                                      {".ONNX", "`pnnx FILE.onnx` writes one"},
                                                                      {".pt", "kuiper_infer.export or pnnx"},
                                                                      {".pth", "kuiper_infer.export or pnnx"},
                                                                      {".torchscript", "kuiper_infer.export or pnnx"},
                                                                      {".safetensors", "weights alone"}}) {
    const std::string file = folder_ / ("m" + ending);
    std::ofstream(file) << std::string(100, '\0');
    const std::vector<std::string> pieces = {file + ": is a", "expected a .pnnx.param file", way, "docs/exporting.md"};
    ExpectErrorLine(RunKuiper({"info", file}), pieces);
    ExpectErrorLine(RunKuiper({"bench", "--param", file, "--bin", file}), pieces);
  }
  ExpectErrorLine(RunKuiper({"info", "/no/such.onnx"}), {"/no/such.onnx: cannot be opened"});
}

TEST_F(CliTest, RunPrintsTheMostProbableClassesOfAPicture) {
  // A model that gives the mean of each channel of a picture of one colour.
  std::ofstream(param_) << "7767517\n3 2\npnnx.Input in 0 1 0 #0=(1,3,8,8)f32\n"
                           "torch.mean mean 1 1 0 1 dim=(2,3) keepdim=False #1=(1,3)f32\npnnx.Output out 1 0 1\n";
  pnnx::Graph empty;
  ASSERT_EQ(empty.save(folder_ / "empty.param", bin_), 0) << empty.error();
  const std::string picture = std::string(KUIPER_SOURCE_DIR) + "/tmp/shapes.png";
  const std::string labels = folder_ / "labels.txt";
  std::ofstream(labels) << "red\ngreen\nblue\n";
  const std::vector<std::string> image = {"--image", picture, "--mean", "0.2", "0.3", "0.1"};
  const ProgramResult plain = Run(image);
  ASSERT_EQ(plain.exit_code, 0) << plain.err;
  EXPECT_THAT(plain.out, testing::HasSubstr("out0 float32 (1,3) mean"));
  EXPECT_THAT(plain.out, testing::HasSubstr("\nmost probable classes of out0:\n"));
  EXPECT_EQ(std::count(plain.out.begin(), plain.out.end(), '\n'), 5);
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.end(), image.begin(), image.end());
    return Run(more);
  };
  const ProgramResult named = with({"--labels", labels});
  EXPECT_THAT(named.out, testing::AllOf(testing::HasSubstr("  red\n"), testing::HasSubstr("  green\n"),
                                        testing::HasSubstr("  blue\n")));
  EXPECT_EQ(with({"--output-dir", folder_ / "out"}).out, "");
  EXPECT_THAT(with({"--output-dir", folder_ / "out", "--labels", labels}).out, testing::HasSubstr("  red\n"));
  std::ofstream(labels) << "red\n";
  ExpectErrorLine(with({"--labels", labels}), {labels + ": has 1 lines, expected 3"});
  ExpectErrorLine(with({"--labels", "/dev/zero"}), {"/dev/zero: is a device, expected a regular file"});
}

TEST_F(CliTest, LabelsNeedScoresOfClasses) {
  SaveLinear();
  const std::string x = SaveArray("x.npy", {2, 3});
  EXPECT_THAT(Run({"--input", x}).out, testing::Not(testing::HasSubstr("most probable")));
  ExpectErrorLine(Run({"--input", x, "--labels", x}), {"--labels " + x, "expected (1,N)"});
}

TEST_F(CliTest, InputsThatDoNotFitAreNamed) {
  SaveLinear();
  const std::string x = SaveArray("x.npy", {2, 3});
  ExpectErrorLine(Run({}), {"pnnx_input_0", "float32 (2,3)"});
  ExpectErrorLine(Run({"--input", "picture=" + x}), {"picture", "pnnx_input_0"});
  ExpectErrorLine(Run({"--input", x, "--input", x}), {x, "is left over, the model has only 1 input"});
  ExpectErrorLine(Run({"--input", "pnnx_input_0=" + x, "--input", "pnnx_input_0=" + x}), {"pnnx_input_0", "twice"});
  ExpectErrorLine(Run({"--input", SaveArray("rank.npy", {6})}), {"pnnx_input_0", "(6)", "(2,3)"});
  ExpectErrorLine(Run({"--input", SaveArray("shape.npy", {2, 4})}), {"fc", "4 features", "3"});
  for (const RuntimeDataType type :
       {RuntimeDataType::kTypeInt32, RuntimeDataType::kTypeInt64, RuntimeDataType::kTypeUInt8,
        RuntimeDataType::kTypeBool, RuntimeDataType::kTypeComplex64}) {
    ExpectErrorLine(Run({"--input", SaveArray("type.npy", {2, 3}, type)}), {"pnnx_input_0", TypeName(type), "float32"});
  }
}

TEST_F(CliTest, MissingOneOfTwoInputsIsNamed) {
  SavePair();
  const std::string x = SaveArray("x.npy", {2, 3});
  ExpectErrorLine(Run({"--input", x}), {"pnnx_input_1", "float32"});
  ExpectErrorLine(Run({"--input", x, "--input", SaveArray("y.npy", {3, 3})}), {"expr_", "(2,3)", "(3,3)"});
}

TEST_F(CliTest, DamagedArraysAreNamed) {
  SaveLinear();
  const std::string x = SaveArray("x.npy", {2, 3});
  const std::string bytes = ReadText(x);
  const auto damaged = [&](const std::string& name, const std::string& contents) {
    std::ofstream(folder_ / name, std::ios::binary) << contents;
    ExpectErrorLine(Run({"--input", folder_ / name}), {folder_ / name});
  };
  damaged("empty.npy", "");
  damaged("text.npy", "1 2 3\n4 5 6\n");
  damaged("head.npy", bytes.substr(0, 20));
  damaged("short.npy", bytes.substr(0, bytes.size() - 4));
  std::string changed = bytes;
  changed.replace(changed.find("'shape'"), 7, "'shape_");
  damaged("shape.npy", changed);
  changed = bytes;
  changed.replace(changed.find("<f4"), 3, "<f3");
  damaged("type.npy", changed);
  changed = bytes;
  changed.replace(changed.find("(2,3,)"), 6, "(2,-3)");
  damaged("negative.npy", changed);
}

TEST_F(CliTest, OpsPrintsOneLineOfJson) {
  const ProgramResult result = RunKuiper({"ops", "--json"});
  ASSERT_EQ(result.exit_code, 0);
  EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 1);
  const auto table = nlohmann::json::parse(result.out);
  ASSERT_TRUE(table.is_array());
  const auto convolution =
      std::find_if(table.begin(), table.end(), [](const auto& row) { return row.at("type") == "nn.Conv2d"; });
  ASSERT_NE(convolution, table.end());
  EXPECT_NE(convolution->at("arguments").template get<std::string>().find("kernel_size"), std::string::npos);
  EXPECT_EQ(convolution->at("family"), "convolution");
  for (const auto& row : table) EXPECT_NE(row.at("family"), "") << row;
}

TEST_F(CliTest, OpsPrintsOneLineAType) {
  const ProgramResult result = RunKuiper({"ops"});
  ASSERT_EQ(result.exit_code, 0);
  std::set<std::string> types;
  for (const auto& row : nlohmann::json::parse(RunKuiper({"ops", "--json"}).out)) types.insert(row.at("type"));
  EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), static_cast<std::ptrdiff_t>(types.size()));
  EXPECT_THAT(result.out, testing::HasSubstr("\nF.softmax(input, dim, dtype)\n"));
  EXPECT_THAT(result.out, testing::HasSubstr("\ntorch.max(input, dim, keepdim) or (input, other)\n"));
}

TEST_F(CliTest, OpsDescribesATypeInFull) {
  const ProgramResult result = RunKuiper({"ops", "torch.max", "F.softmax"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out,
            "torch.max\n  Tensor input or self\n  int? dim = None\n  bool keepdim = False\n"
            "torch.max\n  Tensor input or self\n  Tensor other\n"
            "F.softmax\n  Tensor input or self\n  int? dim = None\n  dtype? dtype = None\n");
  ExpectErrorLine(RunKuiper({"ops", "nn.Conv2"}), {"'nn.Conv2'", "'nn.Conv2d'"});
  ExpectErrorLine(RunKuiper({"ops", std::string(100000, 'x')}), {"is not supported"});
  EXPECT_EQ(RunKuiper({"ops", "torch.max", "--json"}).exit_code, 2);
}

TEST_F(CliTest, BenchPrintsOneLineOfJson) {
  SavePair();
  const ProgramResult result =
      RunKuiper({"bench", "--param", param_, "--bin", bin_, "--shape", "pnnx_input_0=4,3", "--shape",
                 "pnnx_input_1=1,3", "--seconds", "0.01", "--threads", "1", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 1);
  const auto report = nlohmann::json::parse(result.out);
  for (const char* key : {"min_ms", "median_ms", "p90_ms", "gflop_per_s", "peak_mib"}) {
    EXPECT_TRUE(report.at(key).is_number()) << key;
  }
  EXPECT_LE(report.at("min_ms").get<double>(), report.at("median_ms").get<double>());
  EXPECT_GE(report.at("runs").get<int>(), 1);
  EXPECT_EQ(report.at("threads").get<int>(), 1);
  EXPECT_TRUE(report.at("isa").is_string());
}

TEST_F(CliTest, ACacheServesEveryCommand) {
  const std::string model = std::string(KUIPER_SOURCE_DIR) + "/tmp/line_reader.pnnx.";
  const std::string folder = param_ + ".cache";
  const std::string input = param_ + ".npy";
  const NdArray zeros(RuntimeDataType::kTypeFloat32, {1, 1, 32, 64});
  std::fill_n(zeros.data<float>(), zeros.size(), 0.0F);
  WriteNpy(input, zeros);
  const std::string shape = "pnnx_input_0=1,1,32,64";
  const std::vector<std::vector<std::string>> calls = {{"run", "--input", input},
                                                       {"info", "--shape", shape},
                                                       {"bench", "--shape", shape, "--seconds", "0"},
                                                       {"profile", "--shape", shape},
                                                       {"graph", "--shape", shape}};
  for (std::vector<std::string> call : calls) {
    call.insert(call.begin() + 1, {model + "param", model + "bin", "--cache", folder});
    for (int start = 0; start < 2; ++start) {
      const ProgramResult result = RunKuiper(call);
      EXPECT_EQ(result.exit_code, 0) << call.front() << ": " << result.err;
    }
    EXPECT_EQ(std::filesystem::remove_all(folder), kernel::HasProductKernels(UsedUnits()) ? 2U : 1U) << call.front();
  }
}

TEST_F(CliTest, BenchRefusesShapesThatDoNotFit) {
  SavePair();
  const auto bench = [&](const std::vector<std::string>& shapes) {
    std::vector<std::string> arguments = {"bench", "--param", param_, "--bin", bin_, "--seconds", "0"};
    for (const std::string& shape : shapes) arguments.insert(arguments.end(), {"--shape", shape});
    return RunKuiper(arguments);
  };
  ExpectErrorLine(bench({}), {"pnnx_input_0", "--shape"});
  ExpectErrorLine(bench({"picture=1,3"}), {"picture", "pnnx_input_0"});
  ExpectErrorLine(bench({"pnnx_input_0=1,x"}), {"1,x"});
  ExpectErrorLine(bench({"pnnx_input_0=-1,3", "pnnx_input_1=1,3"}), {"-1,3"});
  ExpectErrorLine(bench({"pnnx_input_0=2,3", "pnnx_input_1=3,3"}), {"expr_", "(2,3)", "(3,3)"});
  ExpectErrorLine(bench({"pnnx_input_0=99999999999999999999,3", "pnnx_input_1=1,3"}), {"99999999999999999999"});
  ExpectErrorLine(bench({"pnnx_input_0=9000000000000000,3", "pnnx_input_1=1,3"}), {"9000000000000000"});
}

TEST_F(CliTest, InfoDescribesTheModel) {
  SaveLinear();
  for (const std::vector<std::string>& call : {std::vector<std::string>{"info", param_, bin_}, {"info", param_}}) {
    const ProgramResult result = RunKuiper(call);
    ASSERT_EQ(result.exit_code, 0) << result.err;
    for (const char* piece : {"pnnx_input_0", "float32 (2,3)", "pnnx_output_0", "float32 (2,2)", "nn.Linear",
                              "parameters: 8", "multiply-adds", "planned memory"}) {
      EXPECT_NE(result.out.find(piece), std::string::npos) << piece << " in " << result.out;
    }
  }
}

/// If a recorded shape differs from the shape that the operators give, the file may mean another computation: a warning
/// says so.
TEST_F(CliTest, ShapesUnlikeTheRecordedOnesAreWarnedOf) {
  SaveLinear();
  std::string text = ReadText(param_);
  const std::string recorded = "#1=(2,2)";
  text.replace(text.rfind(recorded), recorded.size(), "#1=(2,5)");
  std::ofstream(param_) << text;
  const std::string x = SaveArray("x.npy", {2, 3});
  const ProgramResult result = RunKuiper({"run", "--param", param_, "--bin", bin_, "--input", x});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, testing::AllOf(testing::StartsWith("warning: operator 'fc' (nn.Linear): "),
                                         testing::HasSubstr("(2,2)"), testing::HasSubstr("(2,5)")));
  EXPECT_THAT(result.out, testing::HasSubstr("(2,2)"));
}

TEST_F(CliTest, InfoPlansForOtherShapes) {
  SaveLinear();
  const ProgramResult recorded = RunKuiper({"info", param_});
  const ProgramResult result = RunKuiper({"info", param_, "--shape", "pnnx_input_0=200,3"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(recorded.out, testing::HasSubstr("multiply-adds: 12\n"));
  EXPECT_THAT(result.out, testing::HasSubstr("output pnnx_output_0 float32 (2,2)"));
  EXPECT_THAT(result.out, testing::HasSubstr("for the shapes given:\ninput pnnx_input_0 float32 (200,3)\n"
                                             "output pnnx_output_0 float32 (200,2)\n"));
  EXPECT_THAT(result.out, testing::HasSubstr("multiply-adds: 1200\n"));
  EXPECT_EQ(RunKuiper({"info", param_, "--shape", "200,3"}).out, result.out) << "the only input needs no name";
  ExpectErrorLine(RunKuiper({"info", param_, "--shape", "pnnx_input_0=2,4"}), {"fc", "4 features"});
  ExpectErrorLine(RunKuiper({"info", param_, "--shape", "pnnx_input_0=6"}), {"pnnx_input_0", "(6)", "(2,3)"});
  ExpectErrorLine(RunKuiper({"info", param_, "--shape", "picture=2,3"}), {"picture", "pnnx_input_0"});
  ExpectErrorLine(RunKuiper({"info", param_, "--shape", "pnnx_input_0=9000000000000000,3"}), {"fc", "MiB"});
}

TEST_F(CliTest, InfoAsksForShapesThatAreFree) {
  SavePair();
  const auto info = [&](std::vector<std::string> shapes) {
    shapes.insert(shapes.begin(), {"info", param_, "--shape"});
    return RunKuiper(shapes);
  };
  EXPECT_THAT(RunKuiper({"info", param_}).out, testing::HasSubstr("depends on the input shapes"));
  const ProgramResult result = info({"pnnx_input_0=4,3", "pnnx_input_1=1,3"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, testing::HasSubstr("output pnnx_output_1 float32 (4,3)"));
  EXPECT_THAT(result.out, testing::ContainsRegex("planned memory: [0-9]+ bytes .largest live set"));
  ExpectErrorLine(info({"pnnx_input_0=4,3"}), {"pnnx_input_1", "--shape"});
}

TEST_F(CliTest, InfoNamesAllUnsupportedOperators) {
  std::ofstream(param_) << "7767517\n4 3\npnnx.Input in 0 1 0 #0=(1)f32\nmy.First one 1 1 0 1\nmy.Second two 1 1 1 2\n"
                           "pnnx.Output out 1 0 2\n";
  const ProgramResult result = RunKuiper({"info", param_});
  ExpectErrorLine(result, {"my.First", "one", "my.Second", "two"});
  EXPECT_NE(result.out.find("my.First"), std::string::npos) << "the description comes first";
}

TEST_F(CliTest, ModelWithoutWeightsRuns) {
  std::ofstream(param_) << "7767517\n3 2\npnnx.Input in 0 1 0 #0=(3)f32\nF.relu relu 1 1 0 1\npnnx.Output out 1 0 1\n";
  pnnx::Graph empty;
  ASSERT_EQ(empty.save(folder_ / "empty.param", bin_), 0) << empty.error();
  const ProgramResult result = Run({"--input", SaveArray("x.npy", {3}), "--output-dir", folder_ / "out"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(Floats(ReadNpy(folder_ / "out/out0.npy")), (std::vector<float>{0, 1, 2}));
}

TEST(PictureInputTest, IsReadFittedAndNormalised) {
  const std::string base = std::string(KUIPER_SOURCE_DIR) + "/tmp/line_reader.pnnx.";
  const std::string picture = std::string(KUIPER_SOURCE_DIR) + "/tmp/line_hello.png";
  const auto run = [&](std::vector<std::string> more) {
    std::vector<std::string> arguments{"run", "--param", base + "param", "--bin", base + "bin", "--image", picture};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return RunKuiper(arguments);
  };
  // The height is the model's 32, the width follows in proportion; four columns become one step.
  const ProgramResult result = run({"--color", "gray", "--mean", "0.5", "--std", "0.5"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, testing::HasSubstr("out0 float32 (1,50,96)"));
  EXPECT_THAT(run({"--color", "gray", "--image-size", "32", "64"}).out, testing::HasSubstr("(1,16,96)"));
  ExpectErrorLine(run({}), {"line_hello.png", "pnnx_input_0", "(1,1,32,?)", "rgb has 3 channels"});
  ExpectErrorLine(run({"--color", "gray", "--mean", "1", "2"}), {"mean has 2 numbers"});
}

}  // namespace
}  // namespace kuiper_infer::test
