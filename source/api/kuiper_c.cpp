// SPDX-License-Identifier: MIT
#include "kuiper_infer/kuiper_c.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <new>
#include <optional>

#include "api/c_model.hpp"
#include "api/c_options.hpp"
#include "kuiper_infer/runtime/runtime_graph.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "kuiper_infer/version.h"

using kuiper_infer::Error;
using kuiper_infer::ErrorCode;
using kuiper_infer::NdArray;
using kuiper_infer::ReadBuildOptions;
using kuiper_infer::ReadRunOptions;

namespace {

/// The state that all handles of one file share.
struct SharedModel {
  explicit SharedModel(kuiper_infer::RuntimeGraph built) : graph(std::move(built)) {
    for (const std::string& name : graph.input_names()) {
      names.push_back(name);
      specs.push_back(graph.input_spec(name));
    }
    output_names = graph.output_names();
    for (const auto& state : graph.states()) state_names.push_back(state.input);
  }

  kuiper_infer::RuntimeGraph graph;
  std::vector<std::string> names;
  std::vector<kuiper_infer::TensorSpec> specs;
  std::vector<std::string> output_names;
  std::vector<std::string> state_names;
};

thread_local std::string last_error;

kuiper_status Fail(kuiper_status status, const char* text) {
  try {
    last_error = text;
  } catch (const std::bad_alloc&) {
    last_error.clear();
  }
  return status;
}

/// Calls `body` and turns an exception into a status.
template <class Body>
kuiper_status Guard(const Body& body) {
  try {
    body();
    return KUIPER_OK;
  } catch (const Error& error) {
    return Fail(static_cast<kuiper_status>(static_cast<int>(error.code()) + 1), error.what());
  } catch (const std::bad_alloc&) {
    return Fail(KUIPER_ERROR_RESOURCE, "there is not enough memory");
  } catch (const std::exception& error) {
    return Fail(KUIPER_ERROR_UNKNOWN, error.what());
  } catch (...) {
    return Fail(KUIPER_ERROR_UNKNOWN, "unknown error");
  }
}
static_assert(static_cast<int>(ErrorCode::kFile) + 1 == KUIPER_ERROR_FILE);
static_assert(static_cast<int>(ErrorCode::kDeadline) + 1 == KUIPER_ERROR_DEADLINE);

void Require(const void* pointer, const char* what) {
  if (pointer == nullptr) throw Error(ErrorCode::kInput, std::string(what) + " is a null pointer");
}

kuiper_array ArrayOf(const kuiper_infer::TensorSpec& spec, const void* data) {
  return {static_cast<int32_t>(spec.type), static_cast<int32_t>(spec.rank()), spec.shape.data(), data};
}

void RequireIndex(std::size_t index, std::size_t count, const char* what) {
  if (index >= count) {
    throw Error(ErrorCode::kInput, std::string(what) + " " + std::to_string(index) + " does not exist, there are " +
                                       std::to_string(count));
  }
}

/// The moment that many seconds from now. For negative numbers and NaN it is the present moment; nothing if it is
/// beyond the range of the clock.
std::optional<std::chrono::steady_clock::time_point> MomentIn(double seconds) {
  constexpr double kLong = 1e9;
  const auto now = std::chrono::steady_clock::now();
  if (seconds >= kLong) return std::nullopt;
  if (!(seconds > 0)) return now;
  return now + std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(seconds));
}

kuiper_infer::RunOptions RunOptionsOf(const kuiper_run_options& given) {
  kuiper_infer::RunOptions run;
  run.num_threads = given.num_threads;
  if (given.max_seconds != 0) run.deadline = MomentIn(given.max_seconds);
  if (given.progress != nullptr) {
    run.progress = [given](const kuiper_infer::RunProgress& progress) {
      given.progress(given.user, progress.done, progress.total, progress.name.c_str(), progress.type.c_str());
    };
  }
  return run;
}

}  // namespace

struct kuiper_model {
  explicit kuiper_model(std::shared_ptr<SharedModel> model)
      : shared(std::move(model)), session(shared->graph.NewSession()) {}

  void Run(kuiper_infer::RunOptions options) { RunAll({this}, std::move(options)); }

  /// Runs several handles on one model at once.
  static void RunAll(const std::vector<kuiper_model*>& models, kuiper_infer::RunOptions options) {
    std::vector<kuiper_infer::Session*> sessions;
    for (kuiper_model* model : models) {
      model->outputs.clear();
      model->first_arrays.clear();
      sessions.push_back(&model->session);
    }
    if (models.empty()) return;
    options.cancel = models.front()->cancel;
    try {
      if (models.size() == 1) sessions.front()->Run(options);
      if (models.size() > 1) kuiper_infer::Session::RunTogether(sessions, options);
    } catch (const Error& error) {
      if (error.code() == ErrorCode::kCancelled) options.cancel->Reset();
      throw;
    }
    for (kuiper_model* model : models) model->TakeOutputs();
  }

  void TakeOutputs() {
    std::vector<NdArray> arrays;
    std::vector<std::size_t> firsts;
    for (const std::string& name : shared->output_names) {
      firsts.push_back(arrays.size());
      for (NdArray& array : session.row_major_outputs(name)) arrays.push_back(std::move(array));
    }
    outputs = std::move(arrays);
    first_arrays = std::move(firsts);
  }

  void RequireOutputs() const {
    if (first_arrays.empty()) throw Error(ErrorCode::kState, "there are no outputs before a run that finished");
  }

  std::shared_ptr<SharedModel> shared;
  kuiper_infer::Session session;
  std::vector<NdArray> outputs;           ///< arrays of the last run
  std::vector<std::size_t> first_arrays;  ///< the first array of each named output; empty before a run
  kuiper_infer::CancelToken cancel;
};

struct kuiper_state {
  kuiper_infer::StateSnapshot snapshot;
};

const kuiper_infer::RuntimeGraph& kuiper_infer::GraphOf(const kuiper_model& model) { return model.shared->graph; }

const char* kuiper_version(void) { return KUIPER_VERSION; }

const char* kuiper_last_error(void) { return last_error.c_str(); }

kuiper_status kuiper_load(const char* param_path, const char* bin_path, const kuiper_options* options,
                          kuiper_model** model) {
  return Guard([&] {
    Require(model, "model");
    *model = nullptr;
    Require(param_path, "param_path");
    Require(bin_path, "bin_path");
    kuiper_infer::RuntimeGraph graph(param_path, bin_path);
    graph.set_build_options(ReadBuildOptions(options));
    graph.Build();
    *model = new kuiper_model(std::make_shared<SharedModel>(std::move(graph)));
  });
}

kuiper_status kuiper_load_memory(const void* param_text, size_t param_size, const void* bin_bytes, size_t bin_size,
                                 const kuiper_options* options, kuiper_model** model) {
  return Guard([&] {
    Require(model, "model");
    *model = nullptr;
    Require(param_text, "param_text");
    Require(bin_bytes, "bin_bytes");
    auto graph = kuiper_infer::RuntimeGraph::FromMemory({static_cast<const char*>(param_text), param_size},
                                                        {static_cast<const char*>(bin_bytes), bin_size},
                                                        ReadBuildOptions(options));
    graph.Build();
    *model = new kuiper_model(std::make_shared<SharedModel>(std::move(graph)));
  });
}

kuiper_status kuiper_clone(const kuiper_model* model, kuiper_model** clone) {
  return Guard([&] {
    Require(clone, "clone");
    *clone = nullptr;
    Require(model, "model");
    *clone = new kuiper_model(model->shared);
  });
}

void kuiper_free(kuiper_model* model) { delete model; }

size_t kuiper_input_count(const kuiper_model* model) { return model == nullptr ? 0 : model->shared->names.size(); }

const char* kuiper_input_name(const kuiper_model* model, size_t index) {
  return index < kuiper_input_count(model) ? model->shared->names[index].c_str() : nullptr;
}

kuiper_status kuiper_get_input(const kuiper_model* model, size_t index, kuiper_array* array) {
  return Guard([&] {
    Require(model, "model");
    Require(array, "array");
    RequireIndex(index, model->shared->specs.size(), "input");
    *array = ArrayOf(model->shared->specs[index], nullptr);
  });
}

kuiper_status kuiper_set_input(kuiper_model* model, const char* name, const kuiper_array* array) {
  return Guard([&] {
    Require(model, "model");
    Require(name, "name");
    Require(array, "array");
    const auto type = static_cast<kuiper_infer::RuntimeDataType>(array->type);
    if (kuiper_infer::ElementBytes(type) == 0) {
      throw Error(ErrorCode::kInput, "array type is " + std::to_string(array->type) + ", expected one of kuiper_type");
    }
    constexpr int kMostAxes = 64;
    if (array->rank < 0 || array->rank > kMostAxes) {
      throw Error(ErrorCode::kInput, "array rank is " + std::to_string(array->rank) + ", expected 0 to 64");
    }
    if (array->rank > 0) Require(array->shape, "array shape");
    const kuiper_infer::TensorSpec spec(type, kuiper_infer::Shape(array->shape, array->shape + array->rank));
    if (kuiper_infer::ByteCount(type, spec.shape) > 0) Require(array->data, "array data");
    model->session.set_input(name, NdArray::View(const_cast<void*>(array->data), spec));
  });
}

kuiper_status kuiper_run(kuiper_model* model) { return kuiper_run_with(model, nullptr); }

kuiper_status kuiper_run_for(kuiper_model* model, double seconds) {
  return Guard([&] {
    Require(model, "model");
    kuiper_infer::RunOptions options;
    options.deadline = MomentIn(seconds);
    model->Run(options);
  });
}

kuiper_status kuiper_run_with(kuiper_model* model, const kuiper_run_options* options) {
  return Guard([&] {
    Require(model, "model");
    model->Run(RunOptionsOf(ReadRunOptions(options)));
  });
}

kuiper_status kuiper_run_together(kuiper_model* const* models, size_t count, const kuiper_run_options* options) {
  return Guard([&] {
    if (count > 0) Require(models, "models");
    const std::vector<kuiper_model*> all(models, models + count);
    for (std::size_t i = 0; i < count; ++i) Require(all[i], ("models[" + std::to_string(i) + "]").c_str());
    kuiper_model::RunAll(all, RunOptionsOf(ReadRunOptions(options)));
  });
}

void kuiper_cancel(kuiper_model* model) {
  if (model != nullptr) model->cancel.Cancel();
}

size_t kuiper_output_count(const kuiper_model* model) { return model == nullptr ? 0 : model->outputs.size(); }

kuiper_status kuiper_get_output(const kuiper_model* model, size_t index, kuiper_array* array) {
  return Guard([&] {
    Require(model, "model");
    Require(array, "array");
    model->RequireOutputs();
    RequireIndex(index, model->outputs.size(), "output");
    *array = ArrayOf(model->outputs[index].spec(), model->outputs[index].raw());
  });
}

const char* kuiper_output_name(const kuiper_model* model, size_t index) {
  if (model == nullptr || index >= model->shared->output_names.size()) return nullptr;
  return model->shared->output_names[index].c_str();
}

kuiper_status kuiper_get_output_by_name(const kuiper_model* model, const char* name, size_t item, kuiper_array* array) {
  return Guard([&] {
    Require(model, "model");
    Require(name, "name");
    Require(array, "array");
    const std::vector<std::string>& names = model->shared->output_names;
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      std::string known;
      for (const std::string& output : names) known += (known.empty() ? "'" : ", '") + output + "'";
      throw Error(ErrorCode::kInput, std::string("the model has no output '") + name + "', it has " + known);
    }
    model->RequireOutputs();
    const auto place = static_cast<std::size_t>(found - names.begin());
    const std::size_t first = model->first_arrays[place];
    const std::size_t end = place + 1 < names.size() ? model->first_arrays[place + 1] : model->outputs.size();
    RequireIndex(item, end - first, ("output '" + *found + "': array").c_str());
    *array = ArrayOf(model->outputs[first + item].spec(), model->outputs[first + item].raw());
  });
}

size_t kuiper_session_state_count(const kuiper_model* model) {
  return model == nullptr ? 0 : model->shared->state_names.size();
}

const char* kuiper_session_state_name(const kuiper_model* model, size_t index) {
  return index < kuiper_session_state_count(model) ? model->shared->state_names[index].c_str() : nullptr;
}

kuiper_status kuiper_session_reset(kuiper_model* model) {
  return Guard([&] {
    Require(model, "model");
    model->session.Reset();
  });
}

int64_t kuiper_session_length(const kuiper_model* model) { return model == nullptr ? 0 : model->session.Length(); }

kuiper_status kuiper_session_truncate(kuiper_model* model, int64_t length) {
  return Guard([&] {
    Require(model, "model");
    model->session.Truncate(length);
  });
}

kuiper_status kuiper_session_snapshot(const kuiper_model* model, kuiper_state** state) {
  return Guard([&] {
    Require(state, "state");
    *state = nullptr;
    Require(model, "model");
    *state = new kuiper_state{model->session.Snapshot()};
  });
}

kuiper_status kuiper_session_restore(kuiper_model* model, const kuiper_state* state) {
  return Guard([&] {
    Require(model, "model");
    Require(state, "state");
    model->session.Restore(state->snapshot);
  });
}

kuiper_status kuiper_session_save(const kuiper_model* model, const char* path) {
  return Guard([&] {
    Require(model, "model");
    Require(path, "path");
    model->session.Save(path);
  });
}

kuiper_status kuiper_session_load(kuiper_model* model, const char* path) {
  return Guard([&] {
    Require(model, "model");
    Require(path, "path");
    model->session.Load(path);
  });
}

void kuiper_state_free(kuiper_state* state) { delete state; }
