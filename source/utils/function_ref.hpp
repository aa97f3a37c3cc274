// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>
#include <utility>

namespace kuiper_infer {

template <class Signature>
class FunctionRef;

/// A pointer to a callable that the caller keeps alive. Unlike std::function it never allocates; unlike a template
/// parameter it does not make the compiler instantiate a function for each callable.
template <class Result, class... Arguments>
class FunctionRef<Result(Arguments...)> {
 public:
  template <class Callable, class = std::enable_if_t<!std::is_same_v<std::decay_t<Callable>, FunctionRef>>>
  FunctionRef(const Callable& callable)  // NOLINT(google-explicit-constructor): lambdas are passed as they stand
      : callable_(&callable), call_([](const void* target, Arguments... arguments) -> Result {
          return (*static_cast<const Callable*>(target))(std::forward<Arguments>(arguments)...);
        }) {}

  Result operator()(Arguments... arguments) const { return call_(callable_, std::forward<Arguments>(arguments)...); }

 private:
  const void* callable_;
  Result (*call_)(const void*, Arguments...);
};

}  // namespace kuiper_infer
