// SPDX-License-Identifier: MIT
#include "api/c_handle.hpp"

#include <array>
#include <cstring>

#include "api/c_model.hpp"

using kuiper_infer::Error;
using kuiper_infer::ErrorCode;
using kuiper_infer::NdArray;

namespace {

/// A plain array, because the runtime of MinGW frees a thread's objects before it destroys them.
thread_local std::array<char, 4096> last_error;

// Guard makes a status of an error code by adding 1.
static_assert(static_cast<int>(ErrorCode::kFile) + 1 == KUIPER_ERROR_FILE);
static_assert(static_cast<int>(ErrorCode::kDeadline) + 1 == KUIPER_ERROR_DEADLINE);

}  // namespace

kuiper_status kuiper_infer::FailWith(kuiper_status status, const char* text) {
  std::size_t length = std::strlen(text);
  if (length >= last_error.size()) {
    length = last_error.size() - 1;
    while (length > 0 && (text[length] & 0xC0) == 0x80) --length;  // no part of a character
  }
  std::memmove(last_error.data(), text, length);  // the text may be the last error itself
  last_error[length] = '\0';
  return status;
}

void kuiper_infer::Require(const void* pointer, const char* what) {
  if (pointer == nullptr) throw Error(ErrorCode::kInput, std::string(what) + " is a null pointer");
}

void kuiper_infer::RequireIndex(std::size_t index, std::size_t count, const char* what) {
  if (index >= count) {
    throw Error(ErrorCode::kInput, std::string(what) + " " + std::to_string(index) + " does not exist, there are " +
                                       std::to_string(count));
  }
}

kuiper_array kuiper_infer::ArrayOf(const kuiper_infer::TensorSpec& spec, const void* data) {
  return {static_cast<int32_t>(spec.type), static_cast<int32_t>(spec.rank()), spec.shape.data(), data};
}

const char* kuiper_last_error(void) { return last_error.data(); }

const kuiper_infer::RuntimeGraph& kuiper_infer::GraphOf(const kuiper_model& model) { return model.shared->graph; }

void kuiper_model::RunAll(const std::vector<kuiper_model*>& models, kuiper_infer::RunOptions options) {
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

void kuiper_model::TakeOutputs() {
  std::vector<NdArray> arrays;
  std::vector<std::size_t> firsts;
  for (const std::string& name : shared->output_names) {
    firsts.push_back(arrays.size());
    for (NdArray& array : session.row_major_outputs(name)) arrays.push_back(std::move(array));
  }
  outputs = std::move(arrays);
  first_arrays = std::move(firsts);
}

void kuiper_model::RequireOutputs() const {
  if (first_arrays.empty()) throw Error(ErrorCode::kState, "there are no outputs before a run that finished");
}
