// SPDX-License-Identifier: MIT
// The module kuiper_infer._core: the library as the package's Python files use it. What users see, with its defaults
// and documentation, is in those.
#include <glog/logging.h>
#include <nanobind/nanobind.h>

#include "kuiper_infer/version.h"
#include "parts.hpp"

namespace nb = nanobind;

NB_MODULE(_core, module) {
  // Errors are exceptions and warnings part of Model.info: nothing is to appear on standard error.
  FLAGS_logtostderr = true;
  FLAGS_minloglevel = google::GLOG_FATAL;
  // Objects that are left at the end are a user's to keep. The tests ask for the warnings.
  nb::set_leak_warnings(false);
  module.def("warn_of_leaks", [] { nb::set_leak_warnings(true); });
  module.attr("version") = KUIPER_VERSION;
  kuiper_infer::python::AddErrors(module);
  kuiper_infer::python::AddBuildOptions(module);
  kuiper_infer::python::AddSession(module);
  kuiper_infer::python::AddModel(module);
  kuiper_infer::python::AddDiagnostics(module);
  kuiper_infer::python::AddUserOperators(module);
  kuiper_infer::python::AddTokenizer(module);
  kuiper_infer::python::AddSampler(module);
  kuiper_infer::python::AddStopFilter(module);
  kuiper_infer::python::AddVision(module);
  kuiper_infer::python::AddProgram(module);
}
