// SPDX-License-Identifier: MIT
// Paths that are no regular files: the program names what is there at once, and never waits or reads without end.
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/program.hpp"
#include "data/npy.hpp"
#include "utils/special_files.hpp"

namespace kuiper_infer::test {
namespace {

using testing::HasSubstr;

const std::string kParam = KUIPER_SOURCE_DIR "/tmp/line_reader.pnnx.param";
const std::string kBin = KUIPER_SOURCE_DIR "/tmp/line_reader.pnnx.bin";
const std::string kPicture = KUIPER_SOURCE_DIR "/tmp/line_hello.png";

class FilesTest : public testing::Test {
 protected:
  std::string SaveInput(const std::string& name) const {
    const NdArray array(RuntimeDataType::kTypeFloat32, {1, 1, 32, 64});
    std::fill_n(array.data<float>(), array.size(), 0.0F);
    WriteNpy(folder_ / name, array);
    return folder_ / name;
  }

  /// Returns the arguments for each option that reads a file, each with the path.
  static std::vector<std::vector<std::string>> Readers(const std::string& path) {
    const std::vector<std::string> model = {"--param", kParam, "--bin", kBin};
    std::vector<std::vector<std::string>> calls = {{"info", path},
                                                   {"info", kParam, path},
                                                   {"info", kParam, kBin, "--plugin", path},
                                                   {"graph", path},
                                                   {"report", path, kBin, "--output", "unwritten.html"},
                                                   {"graph", kParam, path, "--shape", "1,1,32,64"},
                                                   {"run", "--param", path, "--bin", kBin},
                                                   {"bench", "--param", kParam, "--bin", path}};
    for (std::vector<std::string> call : std::vector<std::vector<std::string>>{{"run", "--input", path},
                                                                               {"run", "--image", path},
                                                                               {"bench", "--input", path},
                                                                               {"profile", "--image", path}}) {
      call.insert(call.end(), model.begin(), model.end());
      calls.push_back(std::move(call));
    }
    return calls;
  }

  const TemporaryFolder folder_;
};

TEST_F(FilesTest, WhatIsNoRegularFileIsNotRead) {
  for (const SpecialFile& special : MakeSpecialFiles(folder_.path(), "")) {
    for (const std::vector<std::string>& call : Readers(special.path)) {
      SCOPED_TRACE(call.front() + " " + call.at(1) + " " + special.path);
      ExpectErrorLine(RunKuiper(call), {special.path + ": is " + special.kind + ", expected a regular file"});
    }
  }
}

/// The library continues without a cache, but the command fails, because its user has asked for one.
TEST_F(FilesTest, ACacheIsAFolder) {
  for (const SpecialFile& special : MakeSpecialFiles(folder_.path(), "")) {
    const bool folder = special.kind == "a directory";
    for (const char* command : {"info", "bench"}) {
      std::vector<std::string> call = {command, kParam, kBin, "--cache", special.path, "--shape", "1,1,32,64"};
      if (call.front() == "bench") call.insert(call.end(), {"--seconds", "0"});
      const ProgramResult result = RunKuiper(call);
      if (folder) {
        EXPECT_EQ(result.exit_code, 0) << result.err;
      } else {
        ExpectErrorLine(result, {special.path + ": is not a folder", "--cache"});
      }
    }
  }
}

TEST_F(FilesTest, CalibrationFoldersHoldRegularFiles) {
  const auto quantize = [&](const std::string& option, const std::string& samples) {
    return RunKuiper(
        {"quantize", "--param", kParam, "--bin", kBin, option, samples, "--color", "gray", "--output", folder_ / "q"});
  };
  for (const auto& [option, ending] : {std::pair("--inputs", ".npy"), std::pair("--images", ".png")}) {
    const std::string all = folder_ / (std::string("all") + ending);
    std::filesystem::create_directory(all);
    for (const SpecialFile& special : MakeSpecialFiles(all, ending)) {
      const std::string one = folder_ / "one";
      std::filesystem::create_directory(one);
      const std::string sample = one + "/a" + ending;
      std::filesystem::rename(special.path, sample);
      ExpectErrorLine(quantize(option, one), {sample + ": is " + special.kind + ", expected a regular file"});
      std::filesystem::remove_all(one);
    }
  }
  for (const SpecialFile& special : MakeSpecialFiles(folder_.path(), "")) {
    if (special.kind == "a directory") continue;
    ExpectErrorLine(quantize("--inputs", special.path), {special.path + ": cannot be read as a folder of samples"});
  }
}

/// A plain open of a FIFO for writing would wait for a reader.
TEST_F(FilesTest, FifosThatNobodyReadsAreNotWritten) {
  const std::string x = SaveInput("x.npy");
  const auto fifo = [&](const std::string& name) {
    EXPECT_EQ(mkfifo((folder_ / name).c_str(), 0600), 0);
    return folder_ / name;
  };
  std::filesystem::create_directory(folder_ / "out");
  fifo("out/out0.npy");
  const std::vector<std::string> run = {"run", "--param", kParam, "--bin", kBin, "--input", x};
  const auto with = [](std::vector<std::string> call, const std::vector<std::string>& more) {
    call.insert(call.end(), more.begin(), more.end());
    return call;
  };
  const std::string reason = ": cannot be written: it is a FIFO that nobody reads";
  ExpectErrorLine(RunKuiper(with(run, {"--output-dir", folder_ / "out"})), {folder_ / "out/out0.npy" + reason});
  ExpectErrorLine(RunOnLineReader("profile", {"--runs", "1", "--trace", fifo("trace")}), {folder_ / "trace" + reason});
  ExpectErrorLine(RunOnLineReader("graph", {"--output", fifo("g.dot")}), {folder_ / "g.dot" + reason});
  ExpectErrorLine(RunOnLineReader("report", {"--output", fifo("r.html")}), {folder_ / "r.html" + reason});
  ExpectErrorLine(RunOnLineReader("graph", {"--output", fifo("g.svg")}), {});  // even if the program dot is absent
  const std::string param = fifo("q.pnnx.param");
  ExpectErrorLine(
      RunKuiper({"quantize", "--param", kParam, "--bin", kBin, "--weights-only", "int8", "--output", folder_ / "q"}),
      {param + ": is not a regular file, expected --output with another name"});
}

/// Paths are bytes without an encoding.
TEST_F(FilesTest, PathsNeedNoUtf8) {
  const std::string name = "gr\xFC\xDF \xFF\xFE";
  const std::string x = SaveInput(name + ".npy");
  std::filesystem::copy(kParam, folder_ / (name + ".pnnx.param"));
  std::filesystem::copy(kBin, folder_ / (name + ".pnnx.bin"));
  std::filesystem::copy(kPicture, folder_ / (name + ".png"));
  const std::vector<std::string> model = {"--param", folder_ / (name + ".pnnx.param"), "--bin",
                                          folder_ / (name + ".pnnx.bin")};
  for (std::vector<std::string> call : std::vector<std::vector<std::string>>{
           {"run", "--input", x, "--output-dir", folder_ / name, "--cache", folder_ / (name + " cache")},
           {"run", "--image", folder_ / (name + ".png"), "--color", "gray"},
           {"bench", "--input", x, "--seconds", "0", "--json"},
           {"profile", "--input", x, "--runs", "1", "--trace", folder_ / (name + ".json")},
           {"graph", "--input", x, "--output", folder_ / (name + ".dot")},
           {"quantize", "--weights-only", "int8", "--output", folder_ / (name + "_q")}}) {
    call.insert(call.end(), model.begin(), model.end());
    const ProgramResult result = RunKuiper(call);
    EXPECT_EQ(result.exit_code, 0) << call.front() << ": " << result.err;
  }
  EXPECT_EQ(ReadNpy(folder_ / (name + "/out0.npy")).rank(), 3);
  ExpectErrorLine(RunKuiper({"info", folder_ / (name + " absent")}), {folder_ / (name + " absent: cannot be opened")});
  ExpectErrorLine(RunKuiper({"graph", model[1], "--output", folder_ / (name + ".txt")}), {name + ".txt"});
}

}  // namespace
}  // namespace kuiper_infer::test
