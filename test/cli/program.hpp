// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace kuiper_infer::test {

/// The outcome of a call of the command line.
struct ProgramResult {
  int exit_code = -1;  ///< -1 when a signal ended the program
  int signal = 0;
  bool timed_out = false;  ///< it was killed after the time limit
  std::string out;
  std::string err;
};

/// Runs `kuiper` with these arguments for at most 20 seconds.
ProgramResult RunKuiper(const std::vector<std::string>& arguments);

/// Runs `kuiper` with the bytes of a file as standard input.
ProgramResult RunKuiperOn(const std::string& input, const std::vector<std::string>& arguments);

/// Runs a command on the line reader, with a line 100 pixels wide.
ProgramResult RunOnLineReader(const std::string& command, const std::vector<std::string>& more);

/// Runs `kuiper` with the given descriptor as standard output, or with none (-1). The result's `out` is empty.
ProgramResult RunKuiperInto(int output, const std::vector<std::string>& arguments);

/// Returns the bytes of a file; no bytes if it cannot be read.
std::string ReadText(const std::string& path);

/// Expects exit code 1 and a single line "error: ..." that contains every piece.
void ExpectErrorLine(const ProgramResult& result, const std::vector<std::string>& pieces);

/// A folder of this process's own, removed with the object.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  /// The path of a file in it.
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace kuiper_infer::test
