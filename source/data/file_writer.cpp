// SPDX-License-Identifier: MIT
#include "data/file_writer.hpp"

#include <utility>

namespace kuiper_infer {
namespace {

constexpr std::size_t kBlock = 1 << 16;

}  // namespace

FileWriter::FileWriter(std::string path) : path_(std::move(path)), file_(File::ToWrite(path_)) {}

void FileWriter::Write(std::string_view bytes) {
  if (waiting_.size() + bytes.size() >= kBlock) {
    WriteOut(waiting_);
    waiting_.clear();
  }
  if (bytes.size() >= kBlock) return WriteOut(bytes);
  waiting_ += bytes;
}

void FileWriter::WriteOut(std::string_view bytes) {
  while (!bytes.empty()) {
    const int64_t done = file_.Write(bytes);
    if (done < 0) FailWithErrno(path_, "cannot be written");
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
}

void FileWriter::Finish() {
  WriteOut(waiting_);
  waiting_.clear();
  if (!file_.Close()) FailWithErrno(path_, "cannot be written");
}

void WriteFile(const std::string& path, std::string_view bytes) {
  FileWriter file(path);
  file.Write(bytes);
  file.Finish();
}

}  // namespace kuiper_infer
