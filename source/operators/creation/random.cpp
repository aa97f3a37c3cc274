// SPDX-License-Identifier: MIT
#include "kernel/creation/random.hpp"

#include <algorithm>
#include <cmath>

#include "operation/parameters.hpp"
#include "operators/creation/creation.hpp"
#include "operators/elementwise/formula.hpp"
#include "utils/dispatch.hpp"

namespace kuiper_infer {
namespace {

/// Plans an array of numbers that differ from run to run. PyTorch's generators are not imitated, only the distribution.
OperationPlan PlanDraws(const Arguments& arguments, const Shape& shape, RuntimeDataType type,
                        kernel::Distribution distribution) {
  for (const int64_t extent : shape) {
    arguments.Require(extent >= 0, "size is " + ShapeString(shape) + ", expected no negative extents");
  }
  const TensorSpec out(type, shape);
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(out)};
  plan.run = [distribution, type, count = out.size()](const RunContext& c) {
    DispatchReal(type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      kernel::Draw<T>(distribution, count, c.outputs[0].as<T>());
    });
  };
  return plan;
}

/// Plans draws. Their element type is that of the argument `input` or, if there is none, float32.
OperationPlan PlanStandard(const Arguments& arguments, kernel::Distribution distribution) {
  const bool like = arguments.schema().Find("input") >= 0;
  const Shape shape = like ? arguments.Tensor("input").spec.shape : Shape(IntsOrEmpty(arguments, "size"));
  const bool integers = distribution.kind == kernel::Distribution::Kind::kIntegers;
  const RuntimeDataType otherwise = like       ? arguments.Tensor("input").spec.type
                                    : integers ? RuntimeDataType::kTypeInt64
                                               : kDefaultType;
  const RuntimeDataType type = TypeOr(arguments, otherwise);
  if (!integers && !IsFloating(type)) arguments.Fail(std::string("dtype is ") + TypeName(type) + ", expected floating");
  return PlanDraws(arguments, shape, type, distribution);
}

OperationPlan PlanNormalNumbers(const Arguments& arguments) {
  return PlanStandard(arguments, {kernel::Distribution::Kind::kNormal, 0, 1});
}

OperationPlan PlanUniformNumbers(const Arguments& arguments) {
  return PlanStandard(arguments, {kernel::Distribution::Kind::kUniform, 0, 1});
}

OperationPlan PlanIntegers(const Arguments& arguments) {
  const int64_t low = arguments.Int("low");
  const int64_t high = arguments.Int("high");
  arguments.Require(
      low < high, "low is " + std::to_string(low) + " and high " + std::to_string(high) + ", expected low below high");
  return PlanStandard(arguments,
                      {kernel::Distribution::Kind::kIntegers, static_cast<double>(low), static_cast<double>(high)});
}

/// Plans an array like the input, filled with normal numbers of a given mean and deviation.
OperationPlan PlanFilled(const Arguments& arguments) {
  const TensorSpec& input = arguments.Tensor("input").spec;
  RequireFloating(arguments, arguments.Tensor("input"));
  const bool normal = arguments.schema().Find("mean") >= 0;
  const double first = arguments.Float(normal ? "mean" : "from");
  const double second = arguments.Float(normal ? "std" : "to");
  return PlanDraws(
      arguments, input.shape, input.type,
      {normal ? kernel::Distribution::Kind::kNormal : kernel::Distribution::Kind::kUniform, first, second});
}

/// Plans mean + std * standard normal numbers, with arrays for either.
OperationPlan PlanNormalOf(const Arguments& arguments) {
  Composition composition(arguments);
  const TensorArgument scaled = ApplyFormula(composition, "add(mul(mean, 0.0), std)");
  const TensorArgument draws = composition.Call("torch.randn_like", {{"input", scaled}});
  return composition.Finish(
      {ApplyFormula(composition, "add(mean, mul(draw, std))",
                    {{"mean", arguments.Tensor("mean")}, {"draw", draws}, {"std", arguments.Tensor("std")}})});
}

/// Plans numbers that are 1 with the probability that the input gives for each element, or one probability for all, and
/// otherwise 0.
OperationPlan PlanBernoulli(const Arguments& arguments) {
  Composition composition(arguments);
  const TensorArgument& input = arguments.Tensor("input");
  const TensorArgument& p = arguments.Has("p") ? arguments.Tensor("p") : input;
  const TensorArgument draws = composition.Call("torch.rand_like", {{"input", input}});
  return composition.Finish(
      {composition.Convert(ApplyFormula(composition, "lt(draw, p)", {{"draw", draws}, {"p", p}}), input.spec.type)});
}

/// Plans whole numbers that Poisson's distribution gives for the rate at the same place of the input.
OperationPlan PlanPoisson(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  RequireFloating(arguments, input);
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(input.spec.type, input.spec.shape)};
  plan.run = [index = input.input, count = input.spec.size()](const RunContext& c) {
    DispatchFloating(c.inputs[index].type(), [&](auto tag) {
      using T = typename decltype(tag)::type;
      const T* const rates = c.inputs[index].as<T>();
      const T* const wrong =
          std::find_if_not(rates, rates + count, [](T rate) { return rate >= 0 && std::isfinite(rate); });
      if (wrong != rates + count) {
        throw Error(ErrorCode::kInput, "rate " + std::to_string(*wrong) + " at position " +
                                           std::to_string(wrong - rates) +
                                           ", expected a finite number that is not negative");
      }
      kernel::DrawPoisson(count, rates, c.outputs[0].as<T>());
    });
  };
  return plan;
}

/// Plans 0 .. n - 1 in random order: the order that sorts random numbers.
OperationPlan PlanPermutation(const Arguments& arguments) {
  Composition composition(arguments);
  const TensorArgument draws =
      composition.Call("torch.rand", {{"size", Shape{arguments.Int("n")}}, {"dtype", RuntimeDataType::kTypeFloat64}});
  const TensorArgument order = composition.Call("torch.argsort", {{"input", draws}});
  return composition.Finish({composition.Convert(order, TypeOr(arguments, RuntimeDataType::kTypeInt64))});
}

}  // namespace

void RegisterRandom(OperationTable& table) {
  const auto add = [&](const std::string& name, const std::string& schema, const PlanFunction& plan) {
    table.Add({"torch." + name, "aten::" + name}, schema, plan, InputLayout::kRowMajor, OperationKind::kRandom);
  };
  const std::string options(kCreationOptions);
  add("randn", "int[]? size=None" + options, PlanNormalNumbers);
  add("rand", "int[]? size=None" + options, PlanUniformNumbers);
  add("randn_like", "Tensor input|self" + options, PlanNormalNumbers);
  add("rand_like", "Tensor input|self" + options, PlanUniformNumbers);
  add("randint", "int low, int high, int[]? size" + options, PlanIntegers);
  add("randint", "int high, int[]? size" + options + ", int low=0", PlanIntegers);
  add("randint_like", "Tensor input|self, int low, int high" + options, PlanIntegers);
  add("randint_like", "Tensor input|self, int high" + options + ", int low=0", PlanIntegers);
  add("randperm", "int n" + options, PlanPermutation);
  add("bernoulli", "Tensor input|self, Tensor? p=None, any generator=None", PlanBernoulli);
  add("bernoulli", "Tensor input|self, any generator", PlanBernoulli);
  add("poisson", "Tensor input|self, any generator=None", PlanPoisson);
  // The converter's torch.normal fills an array; TorchScript's takes mean and std as arrays.
  add("normal", "Tensor input|self, float mean, float std, any generator=None", PlanFilled);
  add("normal", "Tensor mean, Tensor std=1.0, any generator=None", PlanNormalOf);
  add("normal_", "Tensor input|self, float mean=0, float std=1, any generator=None", PlanFilled);
  add("uniform", "Tensor input|self, float from=0, float to=1, any generator=None", PlanFilled);
  add("uniform_", "Tensor input|self, float from=0, float to=1, any generator=None", PlanFilled);
}

}  // namespace kuiper_infer
