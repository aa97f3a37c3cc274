// SPDX-License-Identifier: MIT
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include "cli/run_program.hpp"
#include "parts.hpp"

namespace kuiper_infer::python {

namespace nb = nanobind;

void AddProgram(nb::module_& module) {
  module.def(
      "run_program",
      [](const std::vector<nb::bytes>& arguments) {
        std::vector<const char*> pointers;
        for (const nb::bytes& argument : arguments) pointers.push_back(argument.c_str());
        const nb::gil_scoped_release release;
        return cli::RunProgram(static_cast<int>(pointers.size()), pointers.data());
      },
      nb::arg("arguments"), "Runs the program `kuiper` with these arguments, its name first. Returns the exit code.");
}

}  // namespace kuiper_infer::python
