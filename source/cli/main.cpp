// SPDX-License-Identifier: MIT
#include "cli/program.hpp"

int main(int argc, char** argv) { return kuiper_infer::cli::RunProgram(argc, argv); }
