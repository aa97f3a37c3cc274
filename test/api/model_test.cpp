// SPDX-License-Identifier: MIT
#include "kuiper_infer/model.hpp"

#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#ifndef KUIPER_WITHOUT_GLOG
#include <glog/logging.h>
#endif
#ifdef _OPENMP
#include <omp.h>
#endif
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kuiper_infer/kuiper_c.h"
#include "kuiper_infer/runtime/runtime_graph.hpp"
#include "utils/error_text.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer {
namespace {

using testing::HasSubstr;

std::string Path(const std::string& name) { return std::string(KUIPER_SOURCE_DIR) + "/tmp/" + name; }

Model LoadLineReader(const BuildOptions& options = {}) {
  return Model::Load(Path("line_reader.pnnx.param"), Path("line_reader.pnnx.bin"), options);
}

constexpr int64_t kHeight = 32;
constexpr int64_t kWidth = 100;

std::vector<float> Pixels(int salt) {
  std::vector<float> pixels(kHeight * kWidth);
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<float>((i * 5 + salt) % 17) / 8 - 1;
  return pixels;
}

const Shape kShape{1, 1, kHeight, kWidth};

std::vector<float> Values(const std::vector<NdArray>& arrays) {
  std::vector<float> values;
  for (const NdArray& array : arrays) {
    values.insert(values.end(), array.data<float>(), array.data<float>() + array.size());
  }
  return values;
}

TEST(ModelTest, TellsItsInputsAndOutputs) {
  const Model model = LoadLineReader();
  ASSERT_EQ(model.inputs().size(), 1);
  EXPECT_EQ(model.inputs()[0].name, "pnnx_input_0");
  EXPECT_EQ(model.inputs()[0].spec.type, RuntimeDataType::kTypeFloat32);
  EXPECT_EQ(model.inputs()[0].spec.rank(), 4);
  ASSERT_EQ(model.outputs().size(), 1);
  EXPECT_EQ(model.outputs().front().name, model.output_names().front());
  ASSERT_EQ(model.outputs().front().specs.size(), 1);
  EXPECT_EQ(model.outputs().front().specs.front().shape, (Shape{1, -1, 96}));
}

TEST(ModelTest, GivesGraphsToLookInside) {
  const Model model = LoadLineReader();
  const std::unique_ptr<RuntimeGraph> graph = model.NewGraph();
  EXPECT_EQ(graph->input_names(), std::vector<std::string>{model.inputs().front().name});
  EXPECT_EQ(graph->output_names(), model.output_names());
  // The width is free, so nothing is planned before a run and the output has the recorded shape.
  const std::string& output = model.output_names().front();
  ASSERT_EQ(graph->output_specs(output).size(), 1);
  EXPECT_EQ(graph->output_specs(output).front().shape, (Shape{1, -1, 96}));
  graph->InferShapes({{"pnnx_input_0", {3, 1, 32, 80}}});
  EXPECT_EQ(graph->output_specs(output).front().shape, (Shape{3, 20, 96}));
  EXPECT_EQ(model.NewGraph()->output_specs(output).front().shape, (Shape{1, -1, 96}));  // each graph has its own shapes
  const std::vector<float> pixels = Pixels(1);
  const NdArray image = NdArray::View(pixels.data(), kShape);
  graph->set_input("pnnx_input_0", image);
  EXPECT_FALSE(graph->Profile().empty());
  EXPECT_EQ(Values(graph->outputs()), Values(model.Run(image)));
}

TEST(ModelTest, RunsOnTheCallersMemory) {
  const Model model = LoadLineReader();
  const std::vector<float> pixels = Pixels(1);
  const NdArray image = NdArray::View(pixels.data(), kShape);
  EXPECT_EQ(image.raw(), pixels.data());
  const auto outputs = model.Run({{"pnnx_input_0", image}});
  ASSERT_EQ(outputs.size(), 1);
  EXPECT_EQ(outputs[0].shape(), (Shape{1, 25, 96}));
  EXPECT_EQ(Values(model.Run(image)), Values(outputs));
  EXPECT_NE(Values(model.Run(NdArray::View(Pixels(2).data(), kShape))), Values(outputs));
}

TEST(ModelTest, ReadsWindowsThatAreNotContiguous) {
  const Model model = LoadLineReader();
  std::vector<float> pixels = Pixels(1);
  const auto expected = Values(model.Run(NdArray::View(pixels.data(), kShape)));
  // The same picture in column-major order, as in Armadillo and Fortran.
  std::vector<float> columns(pixels.size());
  for (int64_t y = 0; y < kHeight; ++y) {
    for (int64_t x = 0; x < kWidth; ++x) columns[x * kHeight + y] = pixels[y * kWidth + x];
  }
  const TensorSpec spec(RuntimeDataType::kTypeFloat32, kShape, {kHeight * kWidth, kHeight * kWidth, 1, kHeight});
  EXPECT_EQ(Values(model.Run(NdArray::View(columns.data(), spec))), expected);
}

TEST(ModelTest, ManyThreadsShareOne) {
#if defined(__EMSCRIPTEN__) && !defined(__EMSCRIPTEN_PTHREADS__)
  GTEST_SKIP() << "the module has no threads";
#endif
  const Model model = LoadLineReader();
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([model, t, &wrong] {
      const std::vector<float> pixels = Pixels(t);
      const NdArray image = NdArray::View(pixels.data(), kShape);
      const auto first = Values(model.Run(image));
      for (int run = 0; run < 10; ++run) wrong += Values(model.Run(image)) == first ? 0 : 1;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

std::string FileBytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

TEST(ModelTest, LoadsFromMemoryThatMayGoAfterwards) {
  const std::vector<float> pixels = Pixels(1);
  const NdArray image = NdArray::View(pixels.data(), kShape);
  std::string param = FileBytes(Path("line_reader.pnnx.param"));
  std::string bin = FileBytes(Path("line_reader.pnnx.bin"));
  const Model model = Model::LoadFromMemory(param, bin);
  std::fill(param.begin(), param.end(), 'x');
  std::fill(bin.begin(), bin.end(), 'x');
  EXPECT_EQ(Values(model.Run(image)), Values(LoadLineReader().Run(image)));
}

TEST(ModelTest, BrokenMemoryIsNamed) {
  const std::string param = FileBytes(Path("line_reader.pnnx.param"));
  const std::string bin = FileBytes(Path("line_reader.pnnx.bin"));
  const auto text = [](std::string_view some_param, std::string_view some_bin) {
    return ErrorText(ErrorCode::kFile, [&] { Model::LoadFromMemory(some_param, some_bin); });
  };
  EXPECT_THAT(text("", bin), HasSubstr("the param text:1: the file ends here"));
  EXPECT_THAT(text(param.substr(0, param.size() / 2), bin), HasSubstr("the param text:"));
  EXPECT_THAT(text(bin, param), HasSubstr("the param text:1"));
  EXPECT_THAT(text(param, ""), HasSubstr("the bin bytes: "));
  EXPECT_THAT(text(param, param), HasSubstr("the bin bytes: cannot be opened as a zip archive"));
  EXPECT_THAT(text(param, std::string_view(bin).substr(0, bin.size() / 2)), HasSubstr("the bin bytes: "));
  std::string damaged = bin;
  damaged[bin.size() / 2] ^= 1;
  EXPECT_THAT(text(param, damaged), HasSubstr("the bin bytes: entry '"));
  BuildOptions little;
  little.max_memory_bytes = 1000;
  EXPECT_THAT(ErrorText(ErrorCode::kResource, [&] { Model::LoadFromMemory(param, bin, little); }),
              HasSubstr("the bin bytes"));
}

/// The threads that OpenMP's regions of the program itself would have; 0 in a build without OpenMP.
int ThreadsOfOpenMp() {
#ifdef _OPENMP
  return omp_get_max_threads();
#else
  return 0;
#endif
}

TEST(ModelTest, ThreadsOfAllRunsAndOfOne) {
  BuildOptions build;
  build.num_threads = 3;
  const Model model = LoadLineReader(build);
  const std::vector<float> pixels = Pixels(1);
  const NdArray image = NdArray::View(pixels.data(), kShape);
  const int before = ThreadsOfOpenMp();
  const auto expected = Values(model.Run(image));
  for (const auto& [asked, expected_threads] : std::vector<std::pair<int, int>>{{0, 3}, {1, 1}, {5, 5}, {0, 3}}) {
    RunOptions options;
    options.num_threads = asked;
    std::set<int> threads;
    options.progress = [&](const RunProgress& /*progress*/) { threads.insert(MaxThreads()); };
    // CPUs without AVX2 compute by OpenBLAS, whose sums depend on the number of threads.
    EXPECT_THAT(Values(model.Run(image, options)), testing::Pointwise(testing::FloatNear(1e-3F), expected)) << asked;
    EXPECT_EQ(threads, std::set<int>{expected_threads}) << asked;
  }
  EXPECT_EQ(ThreadsOfOpenMp(), before);
}

TEST(ModelTest, MistakesAreNamed) {
  EXPECT_THAT(ErrorText(ErrorCode::kFile, [] { Model::Load("/no/such.param", "/no/such.bin"); }),
              HasSubstr("/no/such"));
  BuildOptions little;
  little.max_memory_bytes = 1000;
  ErrorText(ErrorCode::kResource, [&] { LoadLineReader(little); });
  const Model model = LoadLineReader();
  const std::vector<float> pixels = Pixels(1);
  const NdArray image = NdArray::View(pixels.data(), kShape);
  EXPECT_THAT(ErrorText(ErrorCode::kInput,
                        [&] {
                          model.Run({{"picture", image}, {"pnnx_input_0", image}});
                        }),
              HasSubstr("'picture'"));
  EXPECT_THAT(ErrorText(ErrorCode::kInput, [&] { model.Run(std::map<std::string, NdArray>{}); }),
              HasSubstr("'pnnx_input_0' is not given"));
  ErrorText(ErrorCode::kInput, [&] { model.Run(NdArray::View(pixels.data(), {1, kHeight, kWidth})); });
  RunOptions late;
  late.deadline = std::chrono::steady_clock::now();
  ErrorText(ErrorCode::kDeadline, [&] { model.Run(image, late); });
  EXPECT_EQ(model.Run(image).size(), 1);
}

#ifndef KUIPER_WITHOUT_GLOG
/// Counts what the library logs.
class LogCounter : public google::LogSink {
 public:
  LogCounter() { google::AddLogSink(this); }
  ~LogCounter() override { google::RemoveLogSink(this); }
  void send(google::LogSeverity severity, const char* /*path*/, const char* /*file*/, int /*line*/,
            const struct ::tm* /*time*/, const char* /*text*/, std::size_t /*length*/) override {
    if (severity >= google::GLOG_ERROR) ++errors;
  }

  int errors = 0;
};

TEST(ModelTest, OnlyInitLogsAFailedLoad) {
  const LogCounter log;
  EXPECT_THROW(Model::Load("/no/such.param", "/no/such.bin"), Error);
  kuiper_model* model = nullptr;
  EXPECT_EQ(kuiper_load("/no/such.param", "/no/such.bin", nullptr, &model), KUIPER_ERROR_FILE);
  RuntimeGraph graph("/no/such.param", "/no/such.bin");
  EXPECT_THROW(graph.Build(), Error);
  EXPECT_EQ(log.errors, 0);
  EXPECT_THAT(graph.last_error(), HasSubstr("/no/such.param"));
  EXPECT_FALSE(graph.Init());
  EXPECT_EQ(log.errors, 1);
}
#endif

}  // namespace
}  // namespace kuiper_infer
