// SPDX-License-Identifier: MIT
#include "kuiper_infer/runtime/session.hpp"

#include "kuiper_infer/utils/error.hpp"
#include "runtime/runner.hpp"

namespace kuiper_infer {

Session::Session(std::shared_ptr<BuiltGraph> graph) : runner_(std::make_unique<Runner>(std::move(graph))) {}
Session::~Session() = default;
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;

void Session::set_input(const std::string& input_name, const NdArray& array) {
  runner_->SetInput(runner_->graph().FindInput(input_name), array);
}

void Session::Run(const RunOptions& options) { runner_->Run(false, options); }

std::vector<NdArray> Session::Run(const std::map<std::string, NdArray>& inputs, const RunOptions& options) {
  for (const auto& [name, array] : inputs) set_input(name, array);
  Run(options);
  return outputs();
}

void Session::Reset() { runner_->Reset(); }

int64_t Session::Length() const { return runner_->Length(); }

void Session::Truncate(int64_t length) { runner_->Truncate(length); }

StateSnapshot Session::Snapshot() const {
  StateSnapshot snapshot;
  snapshot.graph_ = runner_->shared_graph();
  snapshot.states_ = std::make_shared<const SessionStates>(runner_->CloneStates());
  return snapshot;
}

void Session::Restore(const StateSnapshot& snapshot) {
  if (snapshot.graph_ != runner_->shared_graph()) {
    throw Error(ErrorCode::kState, "the snapshot is of another model, expected one of a session of this model");
  }
  runner_->RestoreStates(*snapshot.states_);
}

void Session::Save(const std::string& path) const { runner_->SaveStates(path); }

void Session::Load(const std::string& path) { runner_->LoadStates(path); }

int64_t Session::StateBytes() const { return runner_->states().bytes(); }

std::vector<NdArray> Session::outputs() const { return runner_->OutputCopies(); }

std::vector<NdArray> Session::output_views() const { return runner_->OutputViews(); }

std::vector<NdArray> Session::output_views(const std::string& output_name) const {
  return runner_->OutputViews(runner_->graph().FindOutput(output_name));
}

std::vector<NdArray> Session::row_major_outputs(const std::string& output_name) const {
  return runner_->RowMajorOutputs(runner_->graph().FindOutput(output_name));
}

void Session::set_num_threads(int count) { runner_->set_threads(count); }

}  // namespace kuiper_infer
