// SPDX-License-Identifier: MIT
#include "cli/quantize/sample_files.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>
#include <utility>

#include "cli/model_session.hpp"
#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer::cli {
namespace {

namespace fs = std::filesystem;

/// The names of a folder's files with one of these endings, sorted.
std::vector<std::string> FilesOf(const std::string& folder, const std::set<std::string>& endings,
                                 const std::string& kind) {
  std::error_code failure;
  fs::directory_iterator at(fs::u8path(folder), failure);
  std::vector<std::string> names;
  for (; !failure && at != fs::directory_iterator(); at.increment(failure)) {
    std::string ending = at->path().extension().u8string();
    for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (endings.count(ending) != 0) names.push_back(at->path().filename().u8string());
  }
  if (failure) throw Error(ErrorCode::kFile, folder + ": cannot be read as a folder of samples: " + failure.message());
  if (names.empty()) throw Error(ErrorCode::kFile, folder + ": has no " + kind + ", expected one for each sample");
  std::sort(names.begin(), names.end());
  return names;
}

std::string PathIn(const std::string& folder, const std::string& name) {
  return (fs::u8path(folder) / fs::u8path(name)).u8string();
}

void CheckSameNames(const std::string& first, const std::vector<std::string>& wanted, const std::string& folder,
                    const std::vector<std::string>& names) {
  const auto check = [](const std::string& has, const std::vector<std::string>& of, const std::string& lacks,
                        const std::vector<std::string>& in) {
    for (const std::string& name : of) {
      if (std::binary_search(in.begin(), in.end(), name)) continue;
      throw Error(ErrorCode::kFile, lacks + ": has no '" + name + "', expected the names of the files in " + has);
    }
  };
  check(first, wanted, folder, names);
  check(folder, names, first, wanted);
}

}  // namespace

quantization::Samples PictureSamples(const std::string& folder, const ImageOptions& options,
                                     const std::shared_ptr<const RuntimeGraph>& model) {
  const std::vector<std::string> inputs = model->input_names();
  if (inputs.size() != 1) {
    throw Error(ErrorCode::kInput, "the model has " + std::to_string(inputs.size()) +
                                       " inputs, expected one for pictures: give samples with --inputs");
  }
  const std::vector<std::string> names = FilesOf(folder, {".png", ".jpg", ".jpeg"}, "PNG or JPEG files");
  const auto path = [=](std::size_t index) { return PathIn(folder, names[index]); };
  const auto read = [=, input = inputs.front()](std::size_t index) {
    return std::vector<NdArray>{options.Read(path(index), input, model->input_spec(input))};
  };
  return {names.size(), read, path};
}

quantization::Samples ArraySamples(const std::string& folder, bool cast,
                                   const std::shared_ptr<const RuntimeGraph>& model) {
  const std::vector<std::string> inputs = model->input_names();
  std::vector<std::string> folders{folder};
  if (inputs.size() > 1) {
    folders.clear();
    for (const std::string& input : inputs) folders.push_back(PathIn(folder, input));
  }
  const std::vector<std::string> names = FilesOf(folders.front(), {".npy"}, ".npy files");
  for (std::size_t i = 1; i < folders.size(); ++i) {
    CheckSameNames(folders.front(), names, folders[i], FilesOf(folders[i], {".npy"}, ".npy files"));
  }
  const auto read = [=](std::size_t index) {
    std::vector<NdArray> arrays;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      arrays.push_back(ReadArray(PathIn(folders[i], names[index]), *model, inputs[i], cast));
    }
    return arrays;
  };
  return {names.size(), read, [=](std::size_t index) { return PathIn(folder, names[index]); }};
}

}  // namespace kuiper_infer::cli
