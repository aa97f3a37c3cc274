// SPDX-License-Identifier: MIT
// Small modules exported by the converter, each with PyTorch's outputs (tools/make_op_cases.py).
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <unistd.h>

#include <gtest/gtest.h>

#include "data/npy.hpp"
#include "kuiper_infer/runtime/runtime_graph.hpp"
#include "kuiper_infer/runtime/store_zip.hpp"
#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer::test {
namespace {

/// The case that --gtest_filter names, nothing where the filter is a pattern. ctest starts a process for each test; a
/// process that registered all cases would spend most of its time on those that it does not run.
std::optional<std::string> OnlyCase() {
  const std::string filter = GTEST_FLAG_GET(filter);
  if (filter.find_first_of("*?:-") != std::string::npos) return std::nullopt;
  return filter.substr(filter.rfind('/') + 1);
}

/// The archives by their files' names: all of them, or those that may hold the only case.
std::map<std::string, StoreZipReader>& Archives() {
  static std::map<std::string, StoreZipReader> archives;
  if (!archives.empty()) return archives;
  const std::optional<std::string> only = OnlyCase();
  for (const auto& file : std::filesystem::recursive_directory_iterator(KUIPER_SOURCE_DIR "/test/data/op_cases")) {
    if (file.path().extension() != ".zip") continue;  // one that is being written
    const std::string stem = file.path().stem().string();
    if (only && only->rfind(stem + "_", 0) != 0) continue;
    StoreZipReader& reader = archives[stem];
    if (reader.open(file.path().string()) != 0) throw std::runtime_error(file.path().string() + ": " + reader.error());
  }
  return archives;
}

struct CaseName {
  std::string archive;
  std::string name;
  std::string text() const { return archive + "_" + name; }
};

void PrintTo(const CaseName& name, std::ostream* stream) { *stream << name.text(); }

std::vector<CaseName> CaseNames() {
  const std::optional<std::string> only = OnlyCase();
  std::vector<CaseName> cases;
  for (auto& [stem, archive] : Archives()) {
    std::set<std::string> names;
    for (const std::string& entry : archive.names()) names.insert(entry.substr(0, entry.find('/')));
    for (const std::string& name : names) {
      CaseName found{stem, name};
      if (!only || *only == found.text()) cases.push_back(std::move(found));
    }
  }
  return cases;
}

std::vector<char> Bytes(const CaseName& name, const std::string& part) {
  StoreZipReader& archive = Archives().at(name.archive);
  std::vector<char> bytes(archive.get_file_size(name.name + "/" + part));
  if (archive.read_file(name.name + "/" + part, bytes.data()) != 0) throw std::runtime_error(archive.error());
  return bytes;
}

bool Has(const CaseName& name, const std::string& part) {
  return Archives().at(name.archive).has_file(name.name + "/" + part);
}

std::vector<NdArray> Arrays(const CaseName& name, const std::string& prefix) {
  std::vector<NdArray> arrays;
  for (int k = 0;; ++k) {
    const std::string part = prefix + std::to_string(k) + ".npy";
    if (!Has(name, part)) return arrays;
    const std::vector<char> bytes = Bytes(name, part);
    arrays.push_back(ParseNpy(bytes.data(), bytes.size(), part));
  }
}

/// A folder of this process's own for the two model files.
std::string WriteModel(const CaseName& name) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("kuiper_case_" + std::to_string(getpid()) + "_" + name.text());
  std::filesystem::create_directories(folder);
  for (const char* part : {"model.param", "model.bin"}) {
    const std::vector<char> bytes = Bytes(name, part);
    std::ofstream(folder / part, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  return folder.string();
}

/// The allowed error, relative to max(1, |value|): the case's own, or float32 arithmetic in another order of summation.
double Tolerance(const CaseName& name) {
  constexpr double kUsual = 2e-5;
  if (!Has(name, "tolerance")) return kUsual;
  const std::vector<char> text = Bytes(name, "tolerance");
  return std::stod(std::string(text.begin(), text.end()));
}

bool Near(double got, double want, double tolerance) {
  if (got == want || (std::isnan(got) && std::isnan(want))) return true;
  return std::abs(got - want) <= tolerance * std::max(1.0, std::abs(want));
}

void ExpectSame(const NdArray& got, const NdArray& want, double tolerance, std::size_t output) {
  ASSERT_EQ(SpecString(got.spec()), SpecString(want.spec())) << "output " << output;
  const bool exact = !IsFloating(want.type()) && !IsComplex(want.type());
  const NdArray left = got.To(RuntimeDataType::kTypeComplex128);
  const NdArray right = want.To(RuntimeDataType::kTypeComplex128);
  for (int64_t i = 0; i < right.size(); ++i) {
    const std::complex<double> a = left.data<std::complex<double>>()[i];
    const std::complex<double> b = right.data<std::complex<double>>()[i];
    const double allowed = exact ? 0 : tolerance;
    ASSERT_TRUE(Near(a.real(), b.real(), allowed) && Near(a.imag(), b.imag(), allowed))
        << "output " << output << " element " << i << ": " << a << ", PyTorch " << b;
  }
}

class OpCaseTest : public testing::TestWithParam<CaseName> {};

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
  for (const std::string& warning : graph.report().warnings) {
    if (warning.find(" = arange(") == std::string::npos) ADD_FAILURE() << warning;
  }
  graph.Run();
  const std::vector<NdArray> results = graph.outputs();
  ASSERT_EQ(results.size(), outputs.size());
  const double tolerance = Tolerance(GetParam());
  for (std::size_t k = 0; k < results.size(); ++k) ExpectSame(results[k], outputs[k], tolerance, k);
  std::filesystem::remove_all(folder);
}

/// The array with every extent replaced.
NdArray WithExtents(const NdArray& array, int64_t extent) {
  NdArray other(array.type(), Shape(array.shape().size(), extent));
  std::memset(other.raw(), 0, static_cast<std::size_t>(ByteCount(other.type(), other.shape())));
  return other;
}

/// The array with the most extreme number of its type in every place; nothing for bools.
std::optional<NdArray> WithExtremes(const NdArray& array, bool least) {
  const NdArray other(array.type(), array.shape());
  const auto fill = [&](auto number) {
    using T = decltype(number);
    std::fill_n(other.data<T>(), other.size(), least ? std::numeric_limits<T>::lowest() : number);
  };
  if (array.type() == RuntimeDataType::kTypeFloat32) {
    fill(std::numeric_limits<float>::max());
  } else if (array.type() == RuntimeDataType::kTypeInt64) {
    fill(std::numeric_limits<int64_t>::max());
  } else if (array.type() == RuntimeDataType::kTypeInt32) {
    fill(std::numeric_limits<int32_t>::max());
  } else {
    return std::nullopt;
  }
  return other;
}

/// Runs the graph, and where that fails wants to read which operator of the graph it was.
void ExpectResultOrNamedError(RuntimeGraph& graph, const std::vector<std::string>& names,
                              const std::vector<NdArray>& inputs) {
  for (const std::string& name : names) {
    graph.set_input(name, inputs.at(std::stoul(name.substr(name.rfind('_') + 1))));
  }
  try {
    graph.Run();
  } catch (const kuiper_infer::Error& error) {
    const std::string text = error.what();
    const auto& operators = graph.operators();
    const bool named = std::any_of(operators.begin(), operators.end(), [&](const auto& op) {
      return text.rfind("operator '" + op->name + "' (" + op->type + ")", 0) == 0;
    });
    EXPECT_TRUE(named) << text;
    EXPECT_EQ(text.find("): operator '"), std::string::npos) << "named twice: " << text;
  }
}

TEST_P(OpCaseTest, WhatItCannotTakeIsRefusedInItsOwnName) {
  const std::string folder = WriteModel(GetParam());
  BuildOptions options;
  options.max_memory_bytes = int64_t{1} << 30;
  RuntimeGraph graph(folder + "/model.param", folder + "/model.bin");
  graph.set_build_options(options);
  graph.Build();
  const std::vector<NdArray> inputs = Arrays(GetParam(), "in");
  const std::vector<std::string> names = graph.input_names();
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    std::vector<NdArray> given = inputs;
    for (const int64_t extent : {0, 1, 7}) {
      given[k] = WithExtents(inputs[k], extent);
      ExpectResultOrNamedError(graph, names, given);
    }
    for (const bool least : {false, true}) {
      const std::optional<NdArray> extremes = WithExtremes(inputs[k], least);
      if (!extremes) continue;
      given[k] = *extremes;
      ExpectResultOrNamedError(graph, names, given);
    }
  }
  std::filesystem::remove_all(folder);
}

INSTANTIATE_TEST_SUITE_P(Archive, OpCaseTest, testing::ValuesIn(CaseNames()),
                         [](const testing::TestParamInfo<CaseName>& info) { return info.param.text(); });

}  // namespace
}  // namespace kuiper_infer::test
