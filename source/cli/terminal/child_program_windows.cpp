// SPDX-License-Identifier: MIT
#include <filesystem>
#include <process.h>

#include "cli/terminal/child_program.hpp"

namespace kuiper_infer::cli {

std::optional<int> RunAndWait(std::vector<std::string> command) {
  // The words become one line, which the program cuts at spaces outside of quotation marks.
  std::vector<std::wstring> words;
  for (const std::string& word : command) words.push_back(L'"' + std::filesystem::u8path(word).wstring() + L'"');
  std::vector<const wchar_t*> line;
  for (const std::wstring& word : words) line.push_back(word.c_str());
  line.push_back(nullptr);
  const std::wstring program = std::filesystem::u8path(command.front()).wstring();
  const intptr_t code = _wspawnvp(_P_WAIT, program.c_str(), line.data());
  return code < 0 ? std::nullopt : std::optional<int>(static_cast<int>(code));
}

}  // namespace kuiper_infer::cli
