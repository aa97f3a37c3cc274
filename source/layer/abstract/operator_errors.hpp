// SPDX-License-Identifier: MIT
#pragma once

#include <exception>
#include <new>
#include <string>

#include "layer/abstract/binder.hpp"

namespace kuiper_infer {

/// Calls `function`, work for an operator of the file, and gives what that throws the operator's name: as an Error
/// whose text begins with "operator 'name' (type): ". This is the only place that names operators of the table, so that
/// parts of a composition appear under the type that the file has.
template <class Function>
auto NamingOperator(const std::string& name, const std::string& type, const Function& function) {
  const auto named = [&](const std::string& text) { return "operator '" + name + "' (" + type + "): " + text; };
  try {
    return function();
  } catch (const BindError& error) {
    throw BindError(named(error.what()), error.argument, error.attribute);
  } catch (const Error& error) {
    throw Error(error.code(), named(error.what()));
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::kResource, named("there is not enough memory for it"));
  } catch (const std::exception& error) {
    throw Error(ErrorCode::kArgument, named(std::string("it failed with ") + error.what()));
  }
}

}  // namespace kuiper_infer
