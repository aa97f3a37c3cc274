// SPDX-License-Identifier: MIT
#include "model/op_case.hpp"

#include <filesystem>
#include <fstream>
#include <map>
#include <ostream>
#include <set>
#include <stdexcept>
#include <unistd.h>

#include <gtest/gtest.h>

#include "data/npy.hpp"
#include "kuiper_infer/runtime/store_zip.hpp"

#ifndef KUIPER_OP_CASES  // archives without compression, for builds without libdeflate
#define KUIPER_OP_CASES KUIPER_SOURCE_DIR "/test/data/op_cases"
#endif

namespace kuiper_infer::test {
namespace {

/// Returns the archives' paths by their names.
const std::map<std::string, std::string>& ArchivePaths() {
  static const auto* const kPaths = [] {
    auto* paths = new std::map<std::string, std::string>;
    for (const auto& file : std::filesystem::recursive_directory_iterator(KUIPER_OP_CASES)) {
      const bool whole = file.path().extension() == ".zip";  // other files are being written
      if (whole) paths->emplace(file.path().stem().string(), file.path().string());
    }
    return paths;
  }();
  return *kPaths;
}

StoreZipReader& Archive(const std::string& name) {
  static std::map<std::string, StoreZipReader> archives;
  if (const auto found = archives.find(name); found != archives.end()) return found->second;
  StoreZipReader& reader = archives[name];
  const std::string& path = ArchivePaths().at(name);
  if (reader.open(path) != 0) throw std::runtime_error(path + ": " + reader.error());
  return reader;
}

/// The cases of an archive: the wrong calls, or all others.
std::vector<OpCase> CasesOf(const std::string& archive, bool wrong) {
  std::set<std::string> names;
  for (const std::string& entry : Archive(archive).names()) names.insert(entry.substr(0, entry.find('/')));
  std::vector<OpCase> cases;
  for (const std::string& name : names) {
    OpCase op_case{archive, name};
    if (Has(op_case, "error") == wrong) cases.push_back(std::move(op_case));
  }
  return cases;
}

std::vector<OpCase> CasesToRun(bool wrong) {
  const std::string filter = GTEST_FLAG_GET(filter);
  const bool pattern = filter.find_first_of("*?:-") != std::string::npos;
  const std::string only = filter.substr(filter.rfind('/') + 1);
  std::vector<OpCase> cases;
  for (const auto& [archive, path] : ArchivePaths()) {
    if (!pattern && only.rfind(archive + "_", 0) != 0) continue;
    for (OpCase& op_case : CasesOf(archive, wrong)) {
      if (pattern || only == op_case.text()) cases.push_back(std::move(op_case));
    }
  }
  return cases;
}

}  // namespace

void PrintTo(const OpCase& op_case, std::ostream* stream) { *stream << op_case.text(); }

std::vector<std::string> OpArchives() {
  std::vector<std::string> names;
  for (const auto& [name, path] : ArchivePaths()) {
    if (name.rfind("wrong_", 0) != 0) names.push_back(name);
  }
  return names;
}

std::vector<OpCase> OpCases(const std::string& archive) { return CasesOf(archive, false); }

std::vector<OpCase> OpCasesToRun() { return CasesToRun(false); }

std::vector<OpCase> WrongCallsToRun() { return CasesToRun(true); }

std::vector<char> Bytes(const OpCase& op_case, const std::string& part) {
  StoreZipReader& archive = Archive(op_case.archive);
  std::vector<char> bytes(archive.get_file_size(op_case.name + "/" + part));
  if (archive.read_file(op_case.name + "/" + part, bytes.data()) != 0) throw std::runtime_error(archive.error());
  return bytes;
}

bool Has(const OpCase& op_case, const std::string& part) {
  return Archive(op_case.archive).has_file(op_case.name + "/" + part);
}

std::vector<NdArray> Arrays(const OpCase& op_case, const std::string& prefix) {
  std::vector<NdArray> arrays;
  for (int k = 0;; ++k) {
    const std::string part = prefix + std::to_string(k) + ".npy";
    if (!Has(op_case, part)) return arrays;
    const std::vector<char> bytes = Bytes(op_case, part);
    arrays.push_back(ParseNpy(bytes.data(), bytes.size(), part));
  }
}

std::string WriteModel(const OpCase& op_case) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("kuiper_case_" + std::to_string(getpid()) + "_" + op_case.text());
  std::filesystem::create_directories(folder);
  for (const char* part : {"model.param", "model.bin"}) {
    const std::vector<char> bytes = Bytes(op_case, part);
    std::ofstream(folder / part, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  return folder.string();
}

bool IsLackOfLapack(const Error& error) {
  return std::string(error.what()).find("this build of KuiperInfer has no LAPACK") != std::string::npos;
}

const NdArray& InputFor(const std::string& name, const std::vector<NdArray>& inputs) {
  return inputs.at(std::stoul(name.substr(name.rfind('_') + 1)));
}

}  // namespace kuiper_infer::test
