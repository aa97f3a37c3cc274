// SPDX-License-Identifier: MIT
#pragma once

#include <nanobind/nanobind.h>

namespace kuiper_infer::python {

// The parts of the module `_core`, a source file each.
void AddErrors(nanobind::module_& module);
void AddBuildOptions(nanobind::module_& module);
void AddModel(nanobind::module_& module);
void AddSession(nanobind::module_& module);
void AddDiagnostics(nanobind::module_& module);
void AddUserOperators(nanobind::module_& module);
void AddTokenizer(nanobind::module_& module);
void AddSampler(nanobind::module_& module);
void AddStopFilter(nanobind::module_& module);
void AddVision(nanobind::module_& module);
void AddProgram(nanobind::module_& module);

}  // namespace kuiper_infer::python
