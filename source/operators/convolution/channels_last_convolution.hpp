// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "kernel/convolution/channels_last.hpp"
#include "kernel/convolution/choose_method.hpp"
#include "operation/computation.hpp"
#include "operators/convolution/convolution_arguments.hpp"

namespace kuiper_infer {

/// A convolution by the channels-last kernels (kernel/convolution/channels_last.hpp), whose output is channels-last as
/// well.
class Convolution : public Computation {
 public:
  /// `arguments` must be ones for which PlanChannelsLastConvolution makes a plan.
  explicit Convolution(ConvolutionArguments arguments);

  /// Returns the convolution with its method chosen for an input that is stored as `input`. Without a chosen method,
  /// MakeCall chooses one.
  std::shared_ptr<const Convolution> WithMethod(const Storage& input, const PlanningContext& context) const;

  /// Factors can be fused only if the method is chosen, rounding only if the weight has ChannelIntegers.
  bool CanFuse(const Fusion& fusion) const override;
  bool Reads(RuntimeDataType stored, int input, const Fusion& fusion) const override;
  bool Writes(RuntimeDataType stored, const Fusion& fusion) const override;
  bool PrefersBFloat16(int input, const Fusion& fusion) const override;
  KernelCall MakeCall(const Fusion& fusion, const PlanningContext& context) const override;

  /// Returns the kernel's plan if it reads the image in place, as stages of a chain must; nothing if it needs a copy.
  std::optional<kernel::ChannelsLastConvolution> InPlace(const PlanningContext& context) const;

  const ConvolutionArguments& arguments() const { return arguments_; }
  /// Whether the image (residual and result, respectively) may be stored as bfloat16 at the context's precision.
  bool ReadsBFloat16(const PlanningContext& context) const { return Choose({}, context).reads_bfloat16; }
  bool WritesBFloat16(const PlanningContext& context) const { return Choose({}, context).writes_bfloat16; }
  int64_t channel_axis() const { return arguments_.batched ? 1 : 0; }
  TensorSpec output() const;

 private:
  struct Choice : kernel::ConvolutionChoice {
    bool copies = false;           ///< the image is copied first
    bool reads_bfloat16 = false;   ///< the image may be bfloat16
    bool writes_bfloat16 = false;  ///< residual and result may be bfloat16
  };
  Choice Choose(const Storage& input, const PlanningContext& context) const;
  bool InIntegers() const { return choice_ && choice_->in_integers(); }

  ConvolutionArguments arguments_;
  std::optional<Choice> choice_;
};

/// Plans a convolution by the channels-last kernels. Returns nothing if they don't support the arrays or the CPU, or if
/// the planar kernels are faster.
std::optional<OperationPlan> PlanChannelsLastConvolution(const ConvolutionArguments& read,
                                                         const PlanningContext& context);

}  // namespace kuiper_infer
