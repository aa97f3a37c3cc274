// SPDX-License-Identifier: MIT
#include "operation/planning_context.hpp"

#include <algorithm>

#include "kernel/convolution/choose_method.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "utils/system/cpu_variables.hpp"
#include "utils/system/environment.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer {

std::string CheckedConvolutionMethod(const std::string& name, const std::string& origin) {
  if (name.empty() || name == "auto") return "";
  const std::vector<std::string> methods = kernel::ForcibleMethods();
  if (std::find(methods.begin(), methods.end(), name) != methods.end()) return name;
  std::string expected;
  for (const std::string& method : methods) expected += method + ", ";
  throw Error(ErrorCode::kArgument, origin + " is '" + name + "', expected " + expected + "or auto");
}

PlanningContext EnvironmentContext() {
  CheckCpuVariables();
  PlanningContext context;
  context.convolution_method =
      CheckedConvolutionMethod(environment::ConvolutionMethod(), "environment variable KUIPER_CONVOLUTION");
  context.fuses = environment::Fusion().value_or(true);
  context.places = environment::Placement().value_or(true);
  return context;
}

PlanningContext PlanningContext::Here() const {
  PlanningContext here = *this;
  here.threads = MaxThreads();
  return here;
}

PlanningContext DefaultPlanningContext() { return EnvironmentContext().Here(); }

}  // namespace kuiper_infer
