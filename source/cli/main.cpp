// SPDX-License-Identifier: MIT
#include "cli/run_program.hpp"

int main(int argc, char** argv) { return kuiper_infer::cli::RunProgram(argc, argv); }
