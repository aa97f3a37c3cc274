// SPDX-License-Identifier: MIT
#include <exception>
#include <optional>

#include <nanobind/nanobind.h>

#include "arrays.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "parts.hpp"

namespace kuiper_infer::python {

namespace nb = nanobind;

namespace {

/// The Python exception for an Error. It is called with the text and the code, a number of the C interface. It is never
/// released, because the translator of exceptions is not.
PyObject* error_class = PyExc_RuntimeError;

/// The exception of Python code, such as an operator in Python, that an exception was made from; none if there was
/// none.
std::optional<nb::python_error> CauseOf(const std::exception& error) {
  try {
    std::rethrow_if_nested(error);
  } catch (const nb::python_error& cause) {
    return cause;
  } catch (const std::exception& cause) {
    return CauseOf(cause);
  } catch (...) {  // NOLINT(bugprone-empty-catch): its text is part of the Error's
  }
  return std::nullopt;
}

/// Raises the Python exception for an Error. If the Error was made from an exception that no handler of errors should
/// catch, such as KeyboardInterrupt and SystemExit, raises that exception itself.
void Translate(const std::exception_ptr& thrown, void* /*payload*/) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    std::optional<nb::python_error> cause = CauseOf(error);
    if (cause && !cause->matches(PyExc_Exception)) {
      cause->restore();
      return;
    }
    const nb::object raised = nb::handle(error_class)(Text(error.what()), static_cast<int>(error.code()) + 1);
    if (cause) raised.attr("__cause__") = cause->value();
    PyErr_SetObject(error_class, raised.ptr());
  }
}

}  // namespace

void AddErrors(nb::module_& module) {
  module.def(
      "raise_errors_as", [](nb::object chosen) { error_class = chosen.release().ptr(); }, nb::arg("error_class"),
      "Chooses the class of the exceptions that the library's errors become, made of a text and a number.");
  nb::register_exception_translator(Translate);
}

}  // namespace kuiper_infer::python
