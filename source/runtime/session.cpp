// SPDX-License-Identifier: MIT
#include "kuiper_infer/runtime/session.hpp"

#include <algorithm>
#include <deque>

#include "kuiper_infer/utils/error.hpp"
#include "runtime/runner.hpp"

namespace kuiper_infer {

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

/// The runners of several sessions of one graph, all of them in use.
class Session::AllInUse {
 public:
  explicit AllInUse(const std::vector<Session*>& sessions) {
    for (std::size_t i = 0; i < sessions.size(); ++i) NamingSession(i, [&] { Add(sessions[i]); });
  }
  const std::vector<Runner*>& list() const { return runners_; }

 private:
  void Add(Session* session) {
    if (session == nullptr) throw Error(ErrorCode::kInput, "the session is null");
    Runner* const runner = session->runner_.get();
    if (std::find(runners_.begin(), runners_.end(), runner) != runners_.end()) {
      throw Error(ErrorCode::kState, "the session is in the list twice, expected different sessions");
    }
    uses_.emplace_back(*runner);
    if (!runners_.empty() && runner->shared_graph() != runners_.front()->shared_graph()) {
      throw Error(ErrorCode::kState, "the session is of another model than the first one");
    }
    runners_.push_back(runner);
  }

  std::deque<InUse> uses_;
  std::vector<Runner*> runners_;
};

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
  runner_->SetInputs(inputs);
  runner_->Run(false, options);
  return runner_->OutputCopies();
}

std::vector<std::vector<NdArray>> Session::RunTogether(const std::vector<Session*>& sessions,
                                                       const std::vector<std::map<std::string, NdArray>>& inputs,
                                                       const RunOptions& options) {
  if (sessions.size() != inputs.size()) {
    throw Error(ErrorCode::kInput, "there are " + std::to_string(inputs.size()) + " sets of inputs for " +
                                       std::to_string(sessions.size()) + " sessions, expected one for each");
  }
  const AllInUse runners(sessions);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    NamingSession(i, [&] { runners.list()[i]->SetInputs(inputs[i]); });
  }
  kuiper_infer::RunTogether(runners.list(), options);
  std::vector<std::vector<NdArray>> outputs;
  for (Runner* runner : runners.list()) outputs.push_back(runner->OutputCopies());
  return outputs;
}

void Session::RunTogether(const std::vector<Session*>& sessions, const RunOptions& options) {
  const AllInUse runners(sessions);
  kuiper_infer::RunTogether(runners.list(), options);
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
  return runner_->Snapshot();
}

void Session::Restore(const StateSnapshot& snapshot) {
  const InUse use(*runner_);
  runner_->Restore(snapshot);
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
