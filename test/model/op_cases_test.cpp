// SPDX-License-Identifier: MIT
// Small modules exported by the converter, each with PyTorch's outputs (tools/make_op_cases.py).
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include <gtest/gtest.h>

#include "data/npy.hpp"
#include "kuiper_infer/runtime/runtime_ir.hpp"
#include "kuiper_infer/runtime/store_zip.hpp"

namespace kuiper_infer::test {
namespace {

const char* const kArchive = KUIPER_SOURCE_DIR "/test/data/op_cases.zip";

StoreZipReader& Archive() {
  static StoreZipReader reader;
  static const int opened = reader.open(kArchive);
  if (opened != 0) throw std::runtime_error(std::string(kArchive) + ": " + reader.error());
  return reader;
}

std::vector<std::string> CaseNames() {
  std::set<std::string> names;
  for (const std::string& entry : Archive().names()) names.insert(entry.substr(0, entry.find('/')));
  return {names.begin(), names.end()};
}

std::vector<char> Bytes(const std::string& entry) {
  std::vector<char> bytes(Archive().get_file_size(entry));
  if (Archive().read_file(entry, bytes.data()) != 0) throw std::runtime_error(Archive().error());
  return bytes;
}

std::vector<NdArray> Arrays(const std::string& name, const std::string& prefix) {
  std::vector<NdArray> arrays;
  for (int k = 0;; ++k) {
    const std::string entry = name + "/" + prefix + std::to_string(k) + ".npy";
    if (!Archive().has_file(entry)) return arrays;
    const std::vector<char> bytes = Bytes(entry);
    arrays.push_back(ParseNpy(bytes.data(), bytes.size(), entry));
  }
}

/// A folder of this process's own for the two model files.
std::string WriteModel(const std::string& name) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / ("kuiper_case_" + name);
  std::filesystem::create_directories(folder);
  for (const char* part : {"model.param", "model.bin"}) {
    const std::vector<char> bytes = Bytes(name + "/" + part);
    std::ofstream(folder / part, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  return folder.string();
}

/// float32 arithmetic in another order of summation; everything else is exact.
constexpr double kRelative = 2e-5;
constexpr double kAbsolute = 2e-5;

void ExpectSame(const NdArray& got, const NdArray& want, std::size_t output) {
  ASSERT_EQ(SpecString(got.spec()), SpecString(want.spec())) << "output " << output;
  const NdArray left = got.To(RuntimeDataType::kTypeFloat64);
  const NdArray right = want.To(RuntimeDataType::kTypeFloat64);
  const bool exact = !IsFloating(want.type());
  for (int64_t i = 0; i < right.size(); ++i) {
    const double a = left.data<double>()[i];
    const double b = right.data<double>()[i];
    if (std::isnan(a) && std::isnan(b)) continue;
    ASSERT_LE(std::abs(a - b), exact ? 0 : kAbsolute + kRelative * std::abs(b))
        << "output " << output << " element " << i << ": " << a << ", PyTorch " << b;
  }
}

class OpCaseTest : public testing::TestWithParam<std::string> {};

TEST_P(OpCaseTest, EqualsPyTorch) {
  const std::string folder = WriteModel(GetParam());
  RuntimeGraph graph(folder + "/model.param", folder + "/model.bin");
  graph.Build();
  const std::vector<NdArray> inputs = Arrays(GetParam(), "in");
  const std::vector<NdArray> outputs = Arrays(GetParam(), "out");
  const std::vector<std::string> names = graph.input_names();
  ASSERT_LE(names.size(), inputs.size());
  for (const std::string& name : names) {
    graph.set_input(name, inputs.at(std::stoul(name.substr(name.rfind('_') + 1))));
  }
  for (const std::string& warning : graph.report().warnings) ADD_FAILURE() << warning;
  graph.Run();
  const std::vector<NdArray> results = graph.outputs();
  ASSERT_EQ(results.size(), outputs.size());
  for (std::size_t k = 0; k < results.size(); ++k) ExpectSame(results[k], outputs[k], k);
  std::filesystem::remove_all(folder);
}

INSTANTIATE_TEST_SUITE_P(Archive, OpCaseTest, testing::ValuesIn(CaseNames()),
                         [](const testing::TestParamInfo<std::string>& info) { return info.param; });

}  // namespace
}  // namespace kuiper_infer::test
