// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>

#include "kuiper_infer/model.hpp"

namespace kuiper_infer::python {

/// Runs a model or a session on inputs by name.
using NamedRun = std::function<std::vector<NdArray>(const std::map<std::string, NdArray>&, const RunOptions&)>;

/// Calls `run` without the GIL, with options that Python code gave. During the run Python's handlers of signals are
/// called, and `progress`, unless it is None. `deadline` is a moment of Python's time.monotonic, in seconds.
void RunWith(int threads, std::optional<double> deadline, const CancelToken* cancel, const nanobind::object& progress,
             const std::function<void(const RunOptions&)>& run);

/// Calls `run` with arrays that Python code gave in the order of the model's inputs, as RunWith does. Throws what
/// BorrowInputs and `run` throw.
nanobind::list RunOn(const Model& model, const nanobind::sequence& given, int threads, std::optional<double> deadline,
                     const CancelToken* cancel, const nanobind::object& progress, const NamedRun& run);

}  // namespace kuiper_infer::python
