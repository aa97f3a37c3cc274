// SPDX-License-Identifier: MIT
#include "text/generation/stop_filter.hpp"

#include <algorithm>
#include <utility>

#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer::text {

void CheckStops(const std::vector<std::string>& stops) {
  const auto empty = [](const std::string& stop) { return stop.empty(); };
  const auto found = std::find_if(stops.begin(), stops.end(), empty);
  if (found == stops.end()) return;
  throw Error(ErrorCode::kInput,
              "text " + std::to_string(found - stops.begin()) + " of stop is empty, expected at least one character");
}

StopFilter::StopFilter(std::vector<std::string> stops) : stops_(std::move(stops)) { CheckStops(stops_); }

std::string StopFilter::Push(std::string_view text) {
  if (stopped_) return "";
  if (stops_.empty()) return std::string(text);
  held_ += text;
  std::size_t first = std::string::npos;
  for (const std::string& stop : stops_) first = std::min(first, held_.find(stop));
  if (first != std::string::npos) {
    stopped_ = true;
    held_.resize(first);
    return std::exchange(held_, "");
  }
  std::size_t held = 0;  // the longest end that a stop string begins with
  for (const std::string& stop : stops_) {
    for (std::size_t size = std::min(stop.size() - 1, held_.size()); size > held; --size) {
      if (held_.compare(held_.size() - size, size, stop, 0, size) == 0) held = size;
    }
  }
  std::string given = held_.substr(0, held_.size() - held);
  held_.erase(0, given.size());
  return given;
}

std::string StopFilter::Finish() { return std::exchange(held_, ""); }

}  // namespace kuiper_infer::text
