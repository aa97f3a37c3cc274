// SPDX-License-Identifier: MIT
// Format: https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
#include "cli/trace.hpp"

#include <set>

#include <nlohmann/json.hpp>

namespace kuiper_infer::cli {
namespace {

using nlohmann::json;
using Span = RuntimeGraph::ThreadSpan;

constexpr int kProcess = 1;
constexpr int kSteps = 0;    ///< the track of the steps
constexpr int kThreads = 1;  ///< the track of the calling thread; helpers' follow

json Metadata(const char* name, int track, const json& arguments) {
  return {{"name", name}, {"ph", "M"}, {"pid", kProcess}, {"tid", track}, {"args", arguments}};
}

json Event(const std::string& name, const char* category, int track, double start, double seconds) {
  constexpr double kMicroseconds = 1e6;
  return {{"name", name},
          {"cat", category},
          {"ph", "X"},
          {"pid", kProcess},
          {"tid", track},
          {"ts", start * kMicroseconds},
          {"dur", seconds * kMicroseconds}};
}

const char* CategoryOf(Span::Kind kind) {
  if (kind == Span::Kind::kAlone) return "alone";
  return kind == Span::Kind::kShared ? "shared" : "waiting";
}

void AddTrackName(int track, const std::string& name, json& events) {
  events.push_back(Metadata("thread_name", track, {{"name", name}}));
  events.push_back(Metadata("thread_sort_index", track, {{"sort_index", track}}));
}

}  // namespace

std::string TraceText(const Steps& steps) {
  json events = json::array();
  events.push_back(Metadata("process_name", kSteps, {{"name", "kuiper profile"}}));
  AddTrackName(kSteps, "steps", events);
  std::set<int> threads{0};
  for (const auto& step : steps) {
    const std::string name = step.type + " " + step.name;
    events.push_back(Event(name, "step", kSteps, step.start, step.seconds));
    events.back()["args"] = {{"output", ShapeString(step.output)},
                             {"method", step.method},
                             {"multiply_adds", step.multiply_adds},
                             {"bytes", step.bytes}};
    for (const Span& span : step.threads) {
      threads.insert(span.thread);
      events.push_back(Event(span.kind == Span::Kind::kWaiting ? "waiting for helpers" : name, CategoryOf(span.kind),
                             kThreads + span.thread, span.start, span.seconds));
    }
  }
  for (const int thread : threads) {
    AddTrackName(kThreads + thread, thread == 0 ? "calling thread" : "helper " + std::to_string(thread), events);
  }
  const json trace = {{"traceEvents", events}, {"displayTimeUnit", "ms"}};
  // Names come from a file and may hold any bytes; JSON holds UTF-8.
  return trace.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace kuiper_infer::cli
