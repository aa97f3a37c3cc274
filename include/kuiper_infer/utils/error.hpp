// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>
#include <string>

namespace kuiper_infer {

/// What kind of fault an Error reports; the text names the culprit.
enum class ErrorCode {
  kFile,         ///< a file is absent, unreadable, truncated or not in the expected format
  kGraph,        ///< the graph is inconsistent: a cycle, a missing producer, a duplicate name
  kUnsupported,  ///< an operator type, an overload or an option that no layer implements
  kArgument,     ///< an operator's parameter, attribute or input is missing or of the wrong kind or value
  kShape,        ///< shapes that do not fit together
  kInput,        ///< what the user gave to Forward: unknown name, wrong rank, type or shape
  kState,        ///< a call in the wrong state, for example Forward before Build
  kResource,     ///< more memory asked for than allowed or available
  kCancelled,    ///< RunOptions::cancel was requested
  kDeadline,     ///< RunOptions::deadline passed
};

/// The one exception type of the library. The text of what() says who is wrong (file and line, or operator name and
/// type), what was found and what was expected.
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& text) : std::runtime_error(text), code_(code) {}

  ErrorCode code() const noexcept { return code_; }

 private:
  ErrorCode code_;
};

}  // namespace kuiper_infer
