// SPDX-License-Identifier: MIT
#pragma once

#include <exception>
#include <new>
#include <string>

#include "operation/binder.hpp"

namespace kuiper_infer {

/// An Error whose text names the operator already.
class NamedError : public Error {
 public:
  using Error::Error;
};

/// Calls `function`, which works for an operator of the file. If it throws, NamingOperator throws an Error whose text
/// begins with "operator 'name' (type): ". No other place names operators of the table, so that errors in a part of a
/// composition name the type that the file has.
template <class Function>
auto NamingOperator(const std::string& name, const std::string& type, const Function& function) {
  const auto named = [&](const std::string& text) { return "operator '" + name + "' (" + type + "): " + text; };
  try {
    return function();
  } catch (const BindError& error) {
    throw BindError(named(error.what()), error.argument, error.attribute);
  } catch (const NamedError&) {
    throw;
  } catch (const Error& error) {
    throw Error(error.code(), named(error.what()));
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::kResource, named("there is not enough memory for it"));
  } catch (const std::exception& error) {
    throw Error(ErrorCode::kArgument, named(std::string("it failed with ") + error.what()));
  }
}

/// Calls `function`, code of a layer that a program registered, for an operator of the file. If it throws, the
/// exception is nested in a NamedError with the text "operator 'name' (type): <part> failed: ...". An Error keeps its
/// code, std::bad_alloc becomes kResource, and any other exception gets the code `other`.
template <class Function>
auto CallingUserCode(const std::string& name, const std::string& type, const char* part, ErrorCode other,
                     const Function& function) {
  const auto text = [&](const char* what) {
    return "operator '" + name + "' (" + type + "): " + part + " failed: " + what;
  };
  try {
    return function();
  } catch (const Error& error) {
    std::throw_with_nested(NamedError(error.code(), text(error.what())));
  } catch (const std::bad_alloc&) {
    std::throw_with_nested(NamedError(ErrorCode::kResource, text("there is not enough memory")));
  } catch (const std::exception& error) {
    std::throw_with_nested(NamedError(other, text(error.what())));
  } catch (...) {
    std::throw_with_nested(NamedError(other, text("it threw no std::exception")));
  }
}

}  // namespace kuiper_infer
