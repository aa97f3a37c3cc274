// SPDX-License-Identifier: MIT
#pragma once

#include <exception>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "kuiper_infer/kuiper_c.h"
#include "kuiper_infer/runtime/runtime_graph.hpp"
#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer {

/// What all handles on one model share.
struct SharedModel {
  explicit SharedModel(RuntimeGraph built) : graph(std::move(built)) {
    for (const std::string& name : graph.input_names()) {
      names.push_back(name);
      specs.push_back(graph.input_spec(name));
    }
    output_names = graph.output_names();
    for (const auto& state : graph.states()) state_names.push_back(state.input);
  }

  RuntimeGraph graph;
  std::vector<std::string> names;
  std::vector<TensorSpec> specs;
  std::vector<std::string> output_names;
  std::vector<std::string> state_names;
};

/// Keeps the text for kuiper_last_error and returns the status.
kuiper_status FailWith(kuiper_status status, const char* text);

/// Calls `body` and turns an exception into a status, whose text kuiper_last_error returns.
template <class Body>
kuiper_status Guard(const Body& body) {
  try {
    body();
    return KUIPER_OK;
  } catch (const Error& error) {
    return FailWith(static_cast<kuiper_status>(static_cast<int>(error.code()) + 1), error.what());
  } catch (const std::bad_alloc&) {
    return FailWith(KUIPER_ERROR_RESOURCE, "there is not enough memory");
  } catch (const std::exception& error) {
    return FailWith(KUIPER_ERROR_UNKNOWN, error.what());
  } catch (...) {
    return FailWith(KUIPER_ERROR_UNKNOWN, "unknown error");
  }
}

/// Throws Error(kInput) that says `what` is a null pointer.
void Require(const void* pointer, const char* what);
/// Throws Error(kInput) unless `index` is less than the number of things that `what` names.
void RequireIndex(std::size_t index, std::size_t count, const char* what);

/// Describes an array whose spec lives as long as the result.
kuiper_array ArrayOf(const TensorSpec& spec, const void* data);

}  // namespace kuiper_infer

/// A session on a model, with the arrays that its last run gave.
struct kuiper_model {
  explicit kuiper_model(std::shared_ptr<kuiper_infer::SharedModel> model)
      : shared(std::move(model)), session(shared->graph.NewSession()) {}

  /// Runs on the inputs set and takes the outputs.
  void Run(kuiper_infer::RunOptions options) { RunAll({this}, std::move(options)); }
  /// Runs several handles on one model at once. The cancel token of the first one ends the run.
  static void RunAll(const std::vector<kuiper_model*>& models, kuiper_infer::RunOptions options);
  /// Throws Error(kState) unless a run has finished.
  void RequireOutputs() const;

  std::shared_ptr<kuiper_infer::SharedModel> shared;
  kuiper_infer::Session session;
  std::vector<kuiper_infer::NdArray> outputs;  ///< arrays of the last run
  std::vector<std::size_t> first_arrays;       ///< the first array of each named output; empty before a run
  kuiper_infer::CancelToken cancel;

 private:
  void TakeOutputs();
};

struct kuiper_state {
  kuiper_infer::StateSnapshot snapshot;
};
