// SPDX-License-Identifier: MIT
#include "kuiper_infer/runtime/session.hpp"

#include "kuiper_infer/utils/error.hpp"
#include "runtime/runner.hpp"

namespace kuiper_infer {
namespace {

/// While it lives, other threads that call the session get an error.
class InUse {
 public:
  explicit InUse(Runner& runner) : runner_(runner) {
    if (runner.in_use().test_and_set(std::memory_order_acquire)) {
      throw Error(ErrorCode::kState, "the session is in use by another thread: each thread needs a session of its own");
    }
  }
  ~InUse() { runner_.in_use().clear(std::memory_order_release); }
  InUse(const InUse&) = delete;
  InUse& operator=(const InUse&) = delete;

 private:
  Runner& runner_;
};

}  // namespace

Session::Session(std::shared_ptr<BuiltGraph> graph) : runner_(std::make_unique<Runner>(std::move(graph))) {}
Session::~Session() = default;
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;

void Session::set_input(const std::string& input_name, const NdArray& array) {
  const InUse use(*runner_);
  runner_->SetInput(runner_->graph().FindInput(input_name), array);
}

void Session::Run(const RunOptions& options) {
  const InUse use(*runner_);
  runner_->Run(false, options);
}

std::vector<NdArray> Session::Run(const std::map<std::string, NdArray>& inputs, const RunOptions& options) {
  const InUse use(*runner_);
  for (const auto& [name, array] : inputs) runner_->SetInput(runner_->graph().FindInput(name), array);
  runner_->Run(false, options);
  return runner_->OutputCopies();
}

void Session::Reset() {
  const InUse use(*runner_);
  runner_->Reset();
}

int64_t Session::Length() const {
  const InUse use(*runner_);
  return runner_->Length();
}

void Session::Truncate(int64_t length) {
  const InUse use(*runner_);
  runner_->Truncate(length);
}

StateSnapshot Session::Snapshot() const {
  const InUse use(*runner_);
  StateSnapshot snapshot;
  snapshot.graph_ = runner_->shared_graph();
  snapshot.states_ = std::make_shared<const SessionStates>(runner_->CloneStates());
  return snapshot;
}

void Session::Restore(const StateSnapshot& snapshot) {
  const InUse use(*runner_);
  if (snapshot.graph_ != runner_->shared_graph()) {
    throw Error(ErrorCode::kState, "the snapshot is of another model, expected one of a session of this model");
  }
  runner_->RestoreStates(*snapshot.states_);
}

void Session::Save(const std::string& path) const {
  const InUse use(*runner_);
  runner_->SaveStates(path);
}

void Session::Load(const std::string& path) {
  const InUse use(*runner_);
  runner_->LoadStates(path);
}

int64_t Session::StateBytes() const {
  const InUse use(*runner_);
  return runner_->states().bytes();
}

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
