// SPDX-License-Identifier: MIT
// The states of a session in C.
#include "api/c_handle.hpp"

using kuiper_infer::Guard;
using kuiper_infer::Require;

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
