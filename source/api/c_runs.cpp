// SPDX-License-Identifier: MIT
// Runs and their outputs in C.
#include <algorithm>
#include <chrono>
#include <optional>

#include "api/c_handle.hpp"
#include "api/c_options.hpp"

using kuiper_infer::ArrayOf;
using kuiper_infer::Error;
using kuiper_infer::ErrorCode;
using kuiper_infer::Guard;
using kuiper_infer::ReadRunOptions;
using kuiper_infer::Require;
using kuiper_infer::RequireIndex;

namespace {

/// The moment `seconds` from now. For negative numbers and NaN it is the present moment; nothing if it is
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
