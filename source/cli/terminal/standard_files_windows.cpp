// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <initializer_list>
#include <io.h>
#include <windows.h>

#include "cli/terminal/standard_output.hpp"

namespace kuiper_infer::cli {

// The bytes are those of other systems: no line feed becomes two characters, and texts are UTF-8.
void PrepareStandardFiles() {
  for (const int file : {0, 1, 2}) _setmode(file, _O_BINARY);
  SetConsoleOutputCP(CP_UTF8);
}

}  // namespace kuiper_infer::cli
