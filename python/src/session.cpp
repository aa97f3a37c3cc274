// SPDX-License-Identifier: MIT
#include "kuiper_infer/runtime/session.hpp"

#include <map>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "arrays.hpp"
#include "borrowed_arrays.hpp"
#include "model_inputs.hpp"
#include "parts.hpp"
#include "run_call.hpp"

namespace kuiper_infer::python {
namespace {

/// Runs on arrays in the order of the model's inputs.
nb::list Run(Session& session, const Model& model, const nb::sequence& given, int threads,
             std::optional<double> deadline, const CancelToken* cancel, const nb::object& progress) {
  return RunOn(model, given, threads, deadline, cancel, progress,
               [&](const std::map<std::string, NdArray>& arrays, const RunOptions& options) {
                 return session.Run(arrays, options);
               });
}

/// Runs several sessions at once, each on arrays in the order of the model's inputs.
nb::list RunTogether(const nb::list& sessions, const Model& model, const nb::list& given, int threads,
                     std::optional<double> deadline, const CancelToken* cancel, const nb::object& progress) {
  std::vector<Session*> running;
  std::vector<BorrowedArrays> borrowed;
  std::vector<std::map<std::string, NdArray>> inputs;
  for (const nb::handle session : sessions) running.push_back(nb::cast<Session*>(session));
  for (const nb::handle arrays : given) {
    borrowed.push_back(BorrowInputs(model, nb::cast<nb::sequence>(arrays)));
    inputs.push_back(NamedInputs(model, borrowed.back()));
  }
  std::vector<std::vector<NdArray>> outputs;
  RunWith(threads, deadline, cancel, progress,
          [&](const RunOptions& options) { outputs = Session::RunTogether(running, inputs, options); });
  nb::list results;
  for (const std::vector<NdArray>& arrays : outputs) results.append(NumpyArrays(arrays));
  return results;
}

void SetState(Session& session, const std::string& name, const nb::object& given) {
  BorrowedArrays borrowed;
  const NdArray array = borrowed.Add(given, [&] { return "state '" + name + "'"; });
  const nb::gil_scoped_release release;
  session.set_input(name, array);
}

}  // namespace

void AddSession(nb::module_& module) {
  module.def("run_together", &RunTogether, nb::arg("sessions"), nb::arg("model"), nb::arg("given"), nb::arg("threads"),
             nb::arg("deadline").none(), nb::arg("cancel").none(), nb::arg("progress").none());
  const auto released = nb::call_guard<nb::gil_scoped_release>();
  nb::class_<StateSnapshot>(module, "StateSnapshot", "The states of a session at one moment. It never changes.");
  nb::class_<Session>(module, "Session")
      .def("run", &Run, nb::arg("model"), nb::arg("arrays"), nb::arg("threads"), nb::arg("deadline").none(),
           nb::arg("cancel").none(), nb::arg("progress").none())
      .def("set_state", &SetState, nb::arg("name"), nb::arg("array"))
      .def("length", &Session::Length, released)
      .def("state_bytes", &Session::StateBytes, released)
      .def("reset", &Session::Reset, released)
      .def("truncate", &Session::Truncate, nb::arg("length"), released)
      .def("snapshot", &Session::Snapshot, released)
      .def("restore", &Session::Restore, nb::arg("snapshot"), released)
      .def(
          "save",
          [](const Session& session, const nb::bytes& path) {
            const std::string file = PathOf(path);
            const nb::gil_scoped_release release;
            session.Save(file);
          },
          nb::arg("path"))
      .def(
          "load",
          [](Session& session, const nb::bytes& path) {
            const std::string file = PathOf(path);
            const nb::gil_scoped_release release;
            session.Load(file);
          },
          nb::arg("path"));
}

}  // namespace kuiper_infer::python
