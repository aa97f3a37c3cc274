// SPDX-License-Identifier: MIT
#include "utils/system/log.hpp"

#include <glog/logging.h>

namespace kuiper_infer {

void Log(Severity severity, const std::string& text, const char* file, int line) {
  constexpr google::LogSeverity kSeverities[] = {google::GLOG_INFO, google::GLOG_WARNING, google::GLOG_ERROR};
  google::LogMessage(file, line, kSeverities[static_cast<int>(severity)]).stream() << text;
}

void ShowLog(bool shown) {
  FLAGS_logtostderr = true;
  FLAGS_minloglevel = shown ? google::GLOG_INFO : google::GLOG_FATAL;
}

}  // namespace kuiper_infer
