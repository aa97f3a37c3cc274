// SPDX-License-Identifier: MIT
#include "kuiper_infer/runtime/session.hpp"

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
