// SPDX-License-Identifier: MIT
#include "text/generation/stop_filter.hpp"

#include <string>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "parts.hpp"

namespace kuiper_infer::python {

void AddStopFilter(nb::module_& module) {
  using text::StopFilter;
  nb::class_<StopFilter>(module, "StopFilter")
      .def(nb::init<std::vector<std::string>>(), nb::arg("stops"))
      .def(
          "push", [](StopFilter& filter, const std::string& text) { return Text(filter.Push(text)); }, nb::arg("text"))
      .def("finish", [](StopFilter& filter) { return Text(filter.Finish()); })
      .def("stopped", &StopFilter::stopped);
}

}  // namespace kuiper_infer::python
